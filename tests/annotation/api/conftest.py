"""Clients of the API with a session, as the members of the cast."""

import pytest
from rest_framework.test import APIClient

from tests.clients import captured
from tests.factories import make_user


@pytest.fixture
def login(db):
    """`login("alice")`: a client that answers for Alice; JSON by default."""

    def client_of(name):
        client = APIClient()
        client.default_format = "json"
        client.force_login(make_user(name))
        return client

    return client_of


def rows_of(client, address, **query):
    """Every row of a paged list."""
    answer = client.get(address, query)
    assert answer.status_code == 200, answer.content
    page = answer.json()
    return page["results"] + (rows_of(client, page["next"]) if page["next"] else [])


def queries_of(client, address):
    """How many queries a page takes, and how many rows it has."""
    with captured() as queries:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return len(queries), len(answer.json()["results"])
