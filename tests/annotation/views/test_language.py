"""The language of the pages, chosen in the footer."""

from django.test import Client

from tests.clients import text_of

LOGIN = "/accounts/login/"


def test_a_choice_is_kept_and_needs_no_login():
    client = Client(headers={"Accept-Language": "en"})
    assert "Log in" in text_of(client.get(LOGIN))
    assert client.post("/language/", {"language": "ko", "next": LOGIN})["Location"] == LOGIN
    assert "로그인" in text_of(client.get(LOGIN))


def test_a_link_alone_changes_nothing():
    client = Client()
    assert client.get("/language/?language=ko").status_code == 405
    assert not client.cookies
    form = {"language": "ko", "next": "https://elsewhere.example/"}
    assert client.post("/language/", form)["Location"] == "/", "no other site"
