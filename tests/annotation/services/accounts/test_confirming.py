"""Whether it was confirmed who uses a session: for ten minutes, one account, one browser."""

import re
import time

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from annotation.accounts import tokens
from annotation.accounts.tokens import (
    LETTERS,
    TRIES,
    code_mail,
    code_mailed,
    code_right,
    confirm,
    first_give,
    first_given,
    is_confirmed,
    password_right,
)
from annotation.errors import TooManyFailures
from annotation.models import AuditEntry
from tests.factories import PASSWORD, make_user
from tests.letters import sent


def session_of(user):
    request = RequestFactory().get("/")
    request.session, request.user = {}, user
    return request


@pytest.fixture
def bob():
    return make_user("bob", email="bob@x.org")


def later(monkeypatch, seconds):
    now = time.time()
    monkeypatch.setattr(tokens.time, "time", lambda: now + seconds)


def mailed(request, user):
    code_mail(request, user)
    return re.findall("[0-9]{8}", sent()[-1].body)[0]


@pytest.mark.parametrize(("note", "noted"), [(confirm, is_confirmed), (first_give, first_given)])
def test_it_holds_for_ten_minutes_and_one_account(bob, monkeypatch, note, noted):
    request = session_of(bob)
    assert not noted(request)
    note(request, bob)
    assert noted(request) and not noted(session_of(bob))
    for other in (make_user("ben"), AnonymousUser()):
        request.user = other
        assert not noted(request)
    request.user = bob
    later(monkeypatch, 598)
    assert noted(request)
    later(monkeypatch, 602)
    assert not noted(request)


def test_a_code_serves_the_session_that_asked_for_it(bob, monkeypatch):
    request, other = session_of(bob), session_of(bob)
    assert not code_right(request, user=bob, code="")
    first, code = mailed(request, bob), mailed(request, bob)
    another = mailed(other, bob)
    assert sent()[0].to == ["bob@x.org"] and code_mailed(request)
    assert [code_right(request, user=bob, code=one) for one in (first, another)] == [False, False]
    assert code_right(request, user=bob, code=f" {code[:4]} {code[4:]} ")
    later(monkeypatch, 602)
    assert not code_mailed(request) and not code_right(request, user=bob, code=code)
    assert AuditEntry.objects.filter(verb="fail to confirm", person=bob).count() == 4


def test_neither_passwords_nor_codes_are_tried_without_end(bob):
    request = session_of(bob)
    code = mailed(request, bob)
    tries = [password_right(user=bob, password="wrong") for _ in range(TRIES)]
    assert tries == [False] * TRIES
    with pytest.raises(TooManyFailures):
        password_right(user=bob, password=PASSWORD)
    with pytest.raises(TooManyFailures):
        code_right(session_of(bob), user=bob, code=code)
    for _ in range(LETTERS - 1):
        code_mail(request, bob)
    with pytest.raises(TooManyFailures):
        code_mail(request, bob)
