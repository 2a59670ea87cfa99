"""The page of a metric."""

from tests.clients import client_of


def page_of(name):
    return client_of("vera").get(f"/metrics/{name}/")
