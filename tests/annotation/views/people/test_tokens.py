"""The page of a user's API tokens."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.models import ApiToken
from annotation.services.people.tokens import token_make
from tests.annotation.api.people.tokens_asked import CAMPAIGNS, with_token
from tests.clients import client_of
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_the_page_shows_a_token_once() -> None:
    client = Client()
    client.force_login(make_user("alice"))
    page = client.post("/accounts/tokens/", {"label": "notebook"}).content.decode()
    assert 'value="notebook"' not in page  # The form is ready for another one.
    [token] = re.findall('id="token">([^<]+)<', page)
    assert with_token(token).get(CAMPAIGNS).status_code == 200
    again = client.get("/accounts/tokens/").content.decode()
    assert "notebook" in again and token not in again
    key = ApiToken.objects.get().key
    assert client.post(f"/accounts/tokens/{key}/revoke/").status_code == 302
    assert with_token(token).get(CAMPAIGNS).status_code == 401


def test_a_token_without_a_label_is_not_made() -> None:
    assert "This field is required." in (
        client_of("alice").post("/accounts/tokens/", {"label": ""}).content.decode()
    )
    assert not ApiToken.objects.exists()


def test_nobody_revokes_the_token_of_another() -> None:
    token, secret = token_make(user=make_user("alice"), label="of Alice")
    assert "of Alice" not in client_of("bob").get("/accounts/tokens/").content.decode()
    client_of("bob").post(f"/accounts/tokens/{token.key}/revoke/")
    assert with_token(secret).get(CAMPAIGNS).status_code == 200
