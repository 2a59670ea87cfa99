"""Asking for a token, and using it."""

from rest_framework.test import APIClient

from tests.factories import PASSWORD

CAMPAIGNS, TOKEN = "/api/v1/campaigns", "/api/v1/token"


def ask(client, password=PASSWORD, label="", headers=None, **more):
    body = {"username": "alice", "password": password, "label": label, **more}
    return client.post(TOKEN, body, format="json", headers=headers)


def with_token(token):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client
