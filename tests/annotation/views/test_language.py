"""The language of the pages, chosen in the footer."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.clients import text_of

LOGIN = "/accounts/login/"


@pytest.mark.django_db
def test_a_choice_is_kept_and_needs_no_login() -> None:
    client = Client(headers={"Accept-Language": "en"})
    assert "Log in" in text_of(client.get(LOGIN))
    answer = client.post("/language/", {"language": "ko", "next": LOGIN})
    assert answer.status_code == 302 and answer["Location"] == LOGIN
    assert "로그인" in text_of(client.get(LOGIN))


def test_a_link_alone_changes_nothing() -> None:
    client = Client()
    assert client.get("/language/?language=ko").status_code == 405
    assert not client.cookies


def test_a_choice_leads_to_no_other_site() -> None:
    form = {"language": "ko", "next": "https://elsewhere.example/"}
    assert Client().post("/language/", form)["Location"] == "/"
