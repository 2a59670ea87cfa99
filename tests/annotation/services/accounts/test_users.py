"""What administrators do with accounts, and the links that give an address or a password."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client

from annotation.access import may_create
from annotation.accounts.users import (
    PER_ADDRESS,
    PER_EMAIL,
    administrator_set,
    email_ask,
    email_confirm,
    email_set,
    login_name,
    reset_ask,
    reset_by_admin,
    user_create,
    user_enable,
    users_create,
)
from annotation.errors import Invalid, NotAllowed, NotFound, TooManyFailures
from annotation.importers.gold import InvitedPerson
from annotation.models import AuditEntry, Letter
from tests.clients import client_of, text_of
from tests.factories import make_admin, make_user
from tests.letters import sent


def person(name, email=""):
    return InvitedPerson(1, name, email, "annotator", "")


def create(*people, **options):
    given = {"creates": False, "by_mail": False, "actor": make_admin(), **options}
    return users_create(people=people, link_of=lambda number, token: f"/{number}/{token}", **given)


def test_accounts_with_links_all_or_none():
    made = create(
        person("Kim Min", "kim@x.org"), person("", "lee@x.org"), by_mail=True, creates=True
    )
    assert [one.user.username for one in made] == ["Kim.Min", "lee@x.org"]
    for one, letter in zip(made, sent(), strict=True):
        assert one.by_mail and one.link in letter.body
        assert may_create(user=one.user) and not one.user.has_usable_password()
    before = User.objects.count()
    for wrong in ([person("new"), person("kim.min")], [person("a/b")], [], [person("x")] * 201):
        with pytest.raises(Invalid):
            create(*wrong)
    with pytest.raises(Invalid):
        create(person("nobody"), by_mail=True)
    assert User.objects.count() == before
    assert login_name("  a  b\tc ") == "a.b.c"


def test_the_last_administrator_stays():
    adam = make_admin()
    eve = user_create(name="eve", email="", actor=adam)
    administrator_set(user=eve, on=True, actor=adam)
    user_enable(user=eve, active=False, actor=adam)
    with pytest.raises(NotAllowed):
        administrator_set(user=adam, on=False, actor=adam)
    with pytest.raises(NotAllowed):
        user_enable(user=adam, active=False, actor=eve)
    user_enable(user=eve, active=True, actor=adam)
    administrator_set(user=adam, on=False, actor=eve)
    adam.refresh_from_db()
    assert (adam.is_superuser, adam.is_staff, adam.is_active) == (False, False, True)
    verbs = set(AuditEntry.objects.filter(person=eve).values_list("verb", flat=True))
    assert verbs >= {"create account", "make administrator", "disable account", "enable account"}


def test_a_link_is_sent_or_shown_and_a_disabled_account_gets_none():
    bob, adam = make_user("bob"), make_admin()

    def reset(by_mail):
        return reset_by_admin(
            user=bob, by_mail=by_mail, link_of=lambda number, token: token, actor=adam
        )

    assert reset(False) and sent() == []
    with pytest.raises(Invalid):
        reset(True)
    bob.email = "bob@example.org"
    assert reset(True) in sent()[0].body
    bob.is_active = False
    with pytest.raises(Invalid):
        reset(False)
    assert AuditEntry.objects.filter(verb="make password link", actor=adam).count() == 2


@pytest.fixture
def bob():
    return make_user("bob", email="bob@example.org")


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
    assert [letter.to[0].split("@")[0] for letter in sent()] == ["new", "newer", "bob"]
    for spent in (*tokens, tokens[0][:-2], ""):
        with pytest.raises(NotFound):
            email_confirm(user=bob, token=spent)
    assert User.objects.get(pk=bob.pk).email == "new@example.org"


def test_administrators_set_one(bob):
    email_set(user=bob, email=" b@EXAMPLE.org ", actor=make_admin())
    assert User.objects.get(pk=bob.pk).email == "b@example.org"


ASK = "/accounts/reset/"
NEW = "another long word 8"


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
