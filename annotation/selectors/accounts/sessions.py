"""Where people are signed in."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import SignedIn
from paraanno import clock


def live_sessions() -> QuerySet[SignedIn]:
    """Return logins whose sessions are still valid."""
    rows = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=clock.now())
    return SignedIn.objects.filter(Exists(rows))


def sessions_of(*, user: User) -> QuerySet[SignedIn]:
    """Return the user's logins, the last used first."""
    return live_sessions().filter(user=user).order_by("-seen_at", "-pk")
