"""A forgotten password: a link that serves once, and answers that tell nothing."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from annotation.accounts.users import PER_ADDRESS, PER_EMAIL, reset_ask
from annotation.errors import TooManyFailures
from annotation.models import Letter
from tests.clients import client_of, text_of
from tests.factories import make_user
from tests.letters import sent

ASK = "/accounts/reset/"
NEW = "another long word 8"


@pytest.fixture
def bob():
    return make_user("bob", email="bob@example.org")


def ask(email):
    return Client().post(ASK, {"email": email})


def link_in(letter):
    [link] = re.findall(r"http://testserver(/\S+)", letter.body)
    return str(link)


def set_password(link, client=None):
    client = client or Client()
    page = client.get(link, follow=True)
    where = page.redirect_chain[-1][0] if page.redirect_chain else link
    return client.post(where, {"new_password1": NEW, "new_password2": NEW})


def test_asking_is_counted_by_address_and_by_e_mail_alike(bob):
    for email in ("bob@example.org", "nobody@example.org"):
        cache.clear()
        answers = [ask(email).status_code for _ in range(PER_EMAIL + 1)]
        assert answers == [200] * PER_EMAIL + [429]
    cache.clear()
    for number in range(PER_ADDRESS):
        reset_ask(email=f"n{number}@x.org", site="", address="192.0.2.1")
    with pytest.raises(TooManyFailures):
        reset_ask(email="other@x.org", site="", address="192.0.2.1")
    reset_ask(email="other@x.org", site="", address="192.0.2.2")


def test_a_letter_is_in_the_language_of_whoever_asked(bob):
    Client(headers={"accept-language": "de"}).post(ASK, {"email": "bob@example.org"})
    assert sent()[0].subject == "Ein neues Passwort"


def test_the_answer_and_its_way_are_the_same_for_everybody(bob, django_assert_num_queries):
    """The request looks nobody up: a worker does."""
    make_user("gone", email="gone@example.org", is_active=False)
    sso = make_user("sso", email="sso@example.org")
    sso.set_unusable_password()
    sso.save()
    texts = set()
    # One row, and its transaction; PostgreSQL is asked for two times.
    queries = 3 + 2 * (connection.vendor == "postgresql")
    for name in ("bob", "gone", "sso", "nobody"):
        with django_assert_num_queries(queries):
            answer = ask(f"{name}@example.org")
        texts.add(text_of(answer).replace(name, "N"))
    assert len(texts) == 1
    assert [letter.to for letter in sent()] == [["bob@example.org"]]
    assert Letter.objects.count() == 1


def test_a_link_sets_a_password_once_and_logs_nobody_in(bob):
    there = client_of("bob")
    for _ in range(2):
        assert ask("BOB@example.org").status_code == 200
    first, second = (link_in(letter) for letter in sent())
    client = Client()
    assert set_password(first, client)["Location"] == "/accounts/login/"
    assert client.get("/accounts/").status_code == there.get("/accounts/").status_code == 302
    assert Client().login(username="bob", password=NEW)
    for spent in (first, second):
        assert "not valid" in text_of(Client().get(spent, follow=True))
        assert set_password(spent).status_code == 200
    assert "not valid" in text_of(Client().get("/accounts/reset/MQ/set-password/"))
