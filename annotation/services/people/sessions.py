"""Sessions that have ended are deleted by the workers' timer."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.core.cache import cache

from annotation.models import SignedIn
from annotation.services.transactions import short_write
from paraanno import clock

AT_ONCE = 1000
EVERY = 3600  # seconds


def sessions_expire() -> int:
    """Delete sessions that have ended, at most 1000 and once an hour; return how many went.

    A short transaction at a time: saves of annotators wait behind it on SQLite. More than that are
    left for the next call, which then comes without waiting for the hour.
    """
    if not cache.add("sessions-expire", True, EVERY):
        return 0
    ended = Session.objects.filter(expire_date__lt=clock.now())
    keys = list(ended.values_list("pk", flat=True)[:AT_ONCE])
    if not keys:
        return 0
    with short_write():
        ended.filter(pk__in=keys).delete()
        SignedIn.objects.filter(session_key__in=keys).delete()
    if len(keys) == AT_ONCE:
        cache.delete("sessions-expire")
    return len(keys)
