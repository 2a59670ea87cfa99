"""Clients of the API with a session, as the members of the cast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tests.factories import make_user

Login = Callable[[str], Any]


@pytest.fixture
def login(db: None) -> Login:
    """`login("alice")`: a client that answers for Alice; JSON by default."""

    def client_of(name: str) -> APIClient:
        client = APIClient()
        client.default_format = "json"
        client.force_login(make_user(name))
        return client

    return client_of


def rows_of(client: APIClient, address: str, **query: Any) -> list[dict[str, Any]]:
    """Every row of a paged list."""
    answer = client.get(address, query)
    assert answer.status_code == 200, answer.content
    page: dict[str, Any] = answer.json()
    return page["results"] + (rows_of(client, page["next"]) if page["next"] else [])


def queries_of(client: APIClient, address: str) -> tuple[int, int]:
    """How many queries a page takes, and how many rows it has."""
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return len(captured), len(answer.json()["results"])
