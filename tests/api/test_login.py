"""Tokens, throttles, and the shape of refusals."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import ApiToken, AuditEntry
from annotation.services.tokens import MOST, token_make
from tests.api.conftest import Login
from tests.factories import PASSWORD, make_campaign, make_user

CAMPAIGNS = "/api/v1/campaigns"
TOKEN = "/api/v1/token"

pytestmark = pytest.mark.django_db


def ask(client: APIClient, password: str = PASSWORD, label: str = "", **headers: Any) -> Any:
    body = {"username": "alice", "password": password, "label": label}
    return client.post(TOKEN, body, format="json", **headers)


def with_token(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def test_a_token_opens_what_its_user_may_see_until_it_is_revoked() -> None:
    make_campaign()
    token = ask(APIClient()).json()["token"]
    client = with_token(token)
    assert [row["slug"] for row in client.get(CAMPAIGNS).json()["results"]] == ["camp"]
    assert client.delete(TOKEN).status_code == 204
    assert client.get(CAMPAIGNS).status_code == 401
    assert ask(APIClient()).json()["token"] != token


def test_no_table_holds_the_text_of_a_token() -> None:
    """It is answered once; what is stored opens nothing."""
    make_user("alice")
    token = ask(APIClient()).json()["token"]
    with_token(token).get(CAMPAIGNS)
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            found += [table for row in cursor.fetchall() if token in map(str, row)]
    assert found == []
    stored = ApiToken.objects.get()
    assert stored.token_hash not in (token, "")
    assert with_token(stored.token_hash).get(CAMPAIGNS).status_code == 401


def test_tokens_are_listed_and_revoked_one_by_one(login: Login) -> None:
    make_user("alice")
    first = ask(APIClient(), label="notebook").json()
    second = ask(APIClient()).json()
    rows = with_token(second["token"]).get(TOKEN).json()
    assert [(row["key"], row["label"]) for row in rows] == [
        (second["key"], ""),
        (first["key"], "notebook"),
    ]
    assert rows[0]["used_at"] is not None and rows[1]["used_at"] is None
    assert "token" not in rows[0] and "token_hash" not in rows[0]
    one = f"{TOKEN}/{first['key']}"
    assert login("bob").delete(one).status_code == 404
    assert with_token(second["token"]).delete(one).status_code == 204
    assert with_token(first["token"]).get(TOKEN).status_code == 401
    assert len(with_token(second["token"]).get(TOKEN).json()) == 1
    assert set(AuditEntry.objects.values_list("verb", flat=True)) == {"make token", "revoke token"}


def test_a_program_that_logs_in_every_day_ends_its_oldest_token_alone() -> None:
    alice = make_user("alice")
    used = token_make(user=alice)[1]
    with_token(used).get(TOKEN)
    unused = [token_make(user=alice)[1] for _ in range(MOST)]
    assert ApiToken.objects.count() == MOST
    assert with_token(unused[0]).get(TOKEN).status_code == 401
    assert with_token(unused[1]).get(TOKEN).status_code == 200
    assert with_token(used).get(TOKEN).status_code == 200


def test_the_page_shows_a_token_once() -> None:
    client = Client()
    client.force_login(make_user("alice"))
    page = client.post("/accounts/tokens/", {"label": "notebook"}).content.decode()
    [token] = re.findall('id="token">([^<]+)<', page)
    assert with_token(token).get(CAMPAIGNS).status_code == 200
    again = client.get("/accounts/tokens/").content.decode()
    assert "notebook" in again and token not in again
    key = ApiToken.objects.get().key
    assert client.post(f"/accounts/tokens/{key}/revoke/").status_code == 302
    assert with_token(token).get(CAMPAIGNS).status_code == 401


def test_a_wrong_password_gives_no_token() -> None:
    make_user("alice")
    answer = ask(APIClient(), password="wrong")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not ApiToken.objects.exists()


def test_an_account_that_was_switched_off_has_no_use_of_its_token() -> None:
    alice = make_user("alice")
    token = ask(APIClient()).json()["token"]
    alice.is_active = False
    alice.save()
    assert with_token(token).get(CAMPAIGNS).status_code == 401
    assert ask(APIClient()).status_code == 400


def test_a_stale_token_does_not_keep_its_user_from_a_new_one() -> None:
    make_user("alice")
    answer = ask(APIClient(), HTTP_AUTHORIZATION="Token long-gone")
    assert answer.status_code == 200


def test_guessing_passwords_is_slowed_down_whatever_address_a_header_names() -> None:
    make_user("alice")
    client = APIClient()
    answers = [
        ask(client, password="wrong", HTTP_X_FORWARDED_FOR=f"10.0.0.{number}").status_code
        for number in range(21)
    ]
    assert answers == [400] * 20 + [429]
    refused = ask(client)
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")


def test_without_login_the_answer_is_401_and_no_redirect() -> None:
    make_campaign()
    for address in (CAMPAIGNS, f"{CAMPAIGNS}/camp/items", "/api/schema/"):
        answer = APIClient().get(address)
        assert answer.status_code == 401, address
    answer = APIClient().get(CAMPAIGNS)
    assert answer.json()["code"] == "not_authenticated"
    assert set(answer.json()) == {"code", "detail"}


def test_a_session_alone_does_not_write_without_its_csrf_token() -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(make_user("alice"))
    answer = client.post(CAMPAIGNS, {"slug": "forged"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")


def test_a_stranger_cannot_tell_a_campaign_from_none(login: Login) -> None:
    make_campaign()
    charlie = login("charlie")
    hidden = charlie.get(f"{CAMPAIGNS}/camp")
    absent = charlie.get(f"{CAMPAIGNS}/nothing")
    assert hidden.status_code == absent.status_code == 404
    assert hidden.content == absent.content
    assert hidden.json()["code"] == "not_found"


def test_refusals_have_one_shape(login: Login) -> None:
    make_campaign()
    alice = login("alice")
    cases = {
        "method_not_allowed": (alice.delete(f"{CAMPAIGNS}/camp"), 405),
        "not_allowed": (login("vera").post(f"{CAMPAIGNS}/camp/close"), 403),
        "not_found": (alice.get("/api/v1/nothing"), 404),
        "parse_error": (
            alice.post(CAMPAIGNS, b"{", content_type="application/json"),
            400,
        ),
        "unsupported_media_type": (alice.post(CAMPAIGNS, b"a", content_type="text/plain"), 415),
    }
    for code, (answer, status) in cases.items():
        assert answer.status_code == status, code
        assert answer.json()["code"] == code
        assert set(answer.json()) == {"code", "detail"}


def test_a_wrong_field_is_named(login: Login) -> None:
    answer = login("alice").post(CAMPAIGNS, {"name": "No short name"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert answer.json()["detail"] == "slug: This field is required."
    assert list(answer.json()["fields"]) == ["slug"]
