"""Sessions that have ended go, a part at a time; who is logged in stays so."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from annotation.accounts import login
from tests.clients import client_of


def add(n):
    ended = timezone.now() - timedelta(seconds=1)
    Session.objects.bulk_create(
        Session(session_key=f"ended-{number}", session_data="", expire_date=ended)
        for number in range(n)
    )


def test_ended_sessions_go_and_others_stay(monkeypatch):
    monkeypatch.setattr(login, "AT_ONCE", 2)
    alice = client_of("alice")
    add(3)
    assert [login.sessions_expire() for _ in range(3)] == [2, 1, 0]
    assert Session.objects.count() == 1
    assert alice.get(reverse("home")).status_code in (200, 302)
    assert alice.get(reverse("tokens")).status_code == 200
    add(1)
    assert login.sessions_expire() == 0  # Within the hour.
    cache.clear()
    assert login.sessions_expire() == 1
