"""JSON that is nested beyond all use is refused: on every route, whoever sends it."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.factories import make_admin, make_campaign

DEEP = "[" * 90_000
FILLED = {"uuid": str(uuid4()), "int": "1", "slug": "camp", "str": "camp", "path": "camp"}


def routes(patterns, before=""):
    for one in patterns:
        text = before + str(one.pattern)
        if hasattr(one, "url_patterns"):
            yield from routes(one.url_patterns, text)
        elif text.startswith("api/v1/"):
            yield "/" + re.sub(r"<(?:(\w+):)?\w+>", lambda found: FILLED[found[1] or "str"], text)


ROUTES = sorted(set(routes(get_resolver().url_patterns)))


@pytest.mark.parametrize("method", ["put", "post", "patch"])
def test_no_route_fails_at_it(method):
    make_campaign()
    admin = Client(raise_request_exception=False)
    admin.force_login(make_admin())
    nobody = Client(raise_request_exception=False)
    nobody.cookies["sessionid"] = "x" * 32
    assert len(ROUTES) > 60
    answers = {
        (route, who): getattr(client, method)(route, DEEP, content_type="application/json")
        for route in ROUTES
        for who, client in (("nobody", nobody), ("admin", admin))
    }
    assert {place for place, answer in answers.items() if answer.status_code >= 500} == set()
    deep = [one.json()["detail"] for one in answers.values() if one.status_code == 400]
    assert [one for one in deep if "nested too deep" in one]
