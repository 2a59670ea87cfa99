"""Asking for a token, and using it."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from tests.factories import PASSWORD

CAMPAIGNS, TOKEN = "/api/v1/campaigns", "/api/v1/token"


def ask(client: APIClient, password: str = PASSWORD, label: str = "", **headers: Any) -> Any:
    body = {"username": "alice", "password": password, "label": label}
    return client.post(TOKEN, body, format="json", **headers)


def with_token(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client
