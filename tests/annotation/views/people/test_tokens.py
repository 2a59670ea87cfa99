"""The page of a user's API tokens."""

import re

import pytest

from annotation.models import ApiToken
from tests.annotation.api.people.tokens_asked import CAMPAIGNS, with_token
from tests.clients import client_of, text_of

pytestmark = pytest.mark.django_db


def test_the_page_shows_a_token_once():
    client = client_of("alice")
    unnamed = client.post("/accounts/tokens/", {"label": ""})
    assert "This field is required." in text_of(unnamed) and not ApiToken.objects.exists()
    page = client.post("/accounts/tokens/", {"label": "notebook"}).content.decode()
    assert 'value="notebook"' not in page  # The form is ready for another one.
    [token] = re.findall('id="token">([^<]+)<', page)
    assert with_token(token).get(CAMPAIGNS).status_code == 200
    again = client.get("/accounts/tokens/").content.decode()
    assert "notebook" in again and token not in again
    assert "notebook" not in text_of(client_of("bob").get("/accounts/tokens/"))
    key = ApiToken.objects.get().key
    assert client.post(f"/accounts/tokens/{key}/revoke/").status_code == 302
    assert with_token(token).get(CAMPAIGNS).status_code == 401
