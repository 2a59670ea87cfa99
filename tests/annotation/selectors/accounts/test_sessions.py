"""Only logins whose sessions stand are listed."""

from datetime import timedelta

from django.contrib.sessions.models import Session

from annotation.accounts.login import live_sessions, sessions_of
from annotation.models import SignedIn
from paraanno import clock
from tests.clients import client_of
from tests.factories import make_user


def test_sessions_that_ended_and_those_of_others_are_not_there():
    bob = make_user("bob")
    first, second = client_of("bob"), client_of("bob")
    client_of("alice")
    SignedIn.objects.create(user=bob, session_key="gone")
    assert {one.session_key for one in sessions_of(user=bob)} == {
        first.session.session_key,
        second.session.session_key,
    }
    past = clock.now() - timedelta(seconds=1)
    Session.objects.filter(session_key=first.session.session_key).update(expire_date=past)
    assert sessions_of(user=bob).count() == 1
    assert live_sessions().count() == 2
