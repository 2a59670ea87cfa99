"""A new password and another address by e-mail: links that serve once, and answers that tell
nothing."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client

from annotation.errors import NotFound, TooManyFailures
from annotation.services.accounts import addresses
from annotation.services.accounts.addresses import (
    PER_ADDRESS,
    PER_EMAIL,
    email_ask,
    email_confirm,
    email_set,
    reset_ask,
)
from tests.clients import client_of, text_of
from tests.factories import make_admin, make_user

pytestmark = pytest.mark.usefixtures("letters_now")
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


def test_a_link_sets_a_password_once_and_logs_nobody_in(bob):
    there = client_of("bob")
    for _ in range(2):
        assert ask("BOB@example.org").status_code == 200
    first, second = (link_in(letter) for letter in mail.outbox)
    client = Client()
    assert set_password(first, client)["Location"] == "/accounts/login/"
    assert client.get("/accounts/").status_code == there.get("/accounts/").status_code == 302
    assert Client().login(username="bob", password=NEW)
    for spent in (first, second):
        assert "not valid" in text_of(Client().get(spent, follow=True))
        assert set_password(spent).status_code == 200
    assert "not valid" in text_of(Client().get("/accounts/reset/MQ/set-password/"))


def test_an_old_link_does_not_serve(bob, settings):
    ask(bob.email)
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert "not valid" in text_of(Client().get(link_in(mail.outbox[0]), follow=True))


def test_the_answer_and_its_way_are_the_same_for_everybody(
    bob, monkeypatch, django_assert_num_queries
):
    """The request looks nobody up and writes no letter: what does comes later."""
    work = []
    monkeypatch.setattr(addresses, "later", work.append)
    make_user("gone", email="gone@example.org", is_active=False)
    sso = make_user("sso", email="sso@example.org")
    sso.set_unusable_password()
    sso.save()
    texts = set()
    for name in ("bob", "gone", "sso", "nobody"):
        with django_assert_num_queries(0):
            answer = ask(f"{name}@example.org")
        texts.add(text_of(answer).replace(name, "N"))
    assert len(texts) == 1
    for one in work:
        one()
    assert [letter.to for letter in mail.outbox] == [["bob@example.org"]]


def test_asking_is_counted_by_address_and_by_e_mail_alike(bob):
    for email in ("bob@example.org", "nobody@example.org"):
        cache.clear()
        answers = [ask(email).status_code for _ in range(PER_EMAIL + 1)]
        assert answers == [200] * PER_EMAIL + [429]
    cache.clear()
    for number in range(PER_ADDRESS):
        reset_ask(email=f"n{number}@x.org", link_of=lambda a, b: "", address="192.0.2.1")
    with pytest.raises(TooManyFailures):
        reset_ask(email="other@x.org", link_of=lambda a, b: "", address="192.0.2.1")
    reset_ask(email="other@x.org", link_of=lambda a, b: "", address="192.0.2.2")


def test_an_address_is_confirmed_by_its_owner_once(bob):
    tokens = []
    for name in ("new", "newer"):
        email_ask(
            user=bob, email=f"{name}@example.org", link_of=lambda one: tokens.append(one) or one
        )
    assert User.objects.get(pk=bob.pk).email == "bob@example.org"
    with pytest.raises(NotFound):
        email_confirm(user=make_user("alice"), token=tokens[0])
    assert email_confirm(user=bob, token=tokens[0]) == "new@example.org"
    assert [letter.to[0].split("@")[0] for letter in mail.outbox] == ["new", "newer", "bob"]
    for spent in (*tokens, tokens[0][:-2], ""):
        with pytest.raises(NotFound):
            email_confirm(user=bob, token=spent)
    assert User.objects.get(pk=bob.pk).email == "new@example.org"


def test_administrators_set_one(bob):
    email_set(user=bob, email=" b@EXAMPLE.org ", actor=make_admin())
    assert User.objects.get(pk=bob.pk).email == "b@example.org"
