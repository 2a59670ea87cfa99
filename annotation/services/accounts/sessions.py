"""Where people are signed in: noted at every login, and ended."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import DatabaseError
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext

from annotation.errors import NotFound
from annotation.models import SignedIn
from annotation.models.fields import text_digest
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock

EVERY = 3600  # seconds
AGENT = 200


@receiver(user_logged_in)
def signed_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """Note the new session."""
    if request.session.session_key is None:
        request.session.save()
    _note(request, user.pk)


@receiver(user_logged_out)
def signed_out(sender: Any, request: HttpRequest, user: User | None, **_: Any) -> None:
    """Forget the session, which goes."""
    with short_write():
        SignedIn.objects.filter(session_key=request.session.session_key or "").delete()


def session_seen(request: HttpRequest, user_id: int) -> None:
    """Note that the session is used, at most once an hour; what cannot be written is left.

    Also lists sessions that got another key, as a new password gives one.
    """
    key = request.session.session_key
    if not key or not cache.add(_seen(key), 1, EVERY):
        return
    with suppress(DatabaseError), short_write():
        if not SignedIn.objects.filter(session_key=key, user=user_id).update(seen_at=clock.now()):
            _note(request, user_id)


def _seen(key: str | None) -> str:
    return f"seen-{text_digest(key)}"


def _note(request: HttpRequest, user_id: int) -> None:
    key = request.session.session_key
    cache.add(_seen(key), 1, EVERY)
    with short_write():
        SignedIn.objects.update_or_create(
            session_key=key,
            defaults={
                "user_id": user_id,
                "agent": str(request.META.get("HTTP_USER_AGENT") or "")[:AGENT].replace("\0", ""),
                "seen_at": clock.now(),
            },
        )


def session_end(*, user: User, key: UUID) -> None:
    """End one session of the user. Raises NotFound if they have none of this key."""
    with short_write():
        one = SignedIn.objects.filter(user=user, key=key).first()
        if one is None:
            raise NotFound(gettext("There is no such session."))
        _drop([one.session_key])
        audit(actor=user, verb="end session", about=user, campaign=None)


def sessions_end(*, user: User, actor: Actor, but: str | None = None) -> int:
    """End all sessions of the user, but the one with the key `but`; return how many."""
    with short_write():
        ended = sessions_drop(user=user, but=but)
        audit(actor=actor, verb="end sessions", about=user, campaign=None, n=ended)
    return ended


def sessions_drop(*, user: User, but: str | None = None) -> int:
    """The same as a part of something else, which is in the log itself."""
    mine = SignedIn.objects.filter(user=user).exclude(session_key=but or "")
    return _drop(list(mine.values_list("session_key", flat=True)))


def _drop(keys: list[str]) -> int:
    ended, _rows = Session.objects.filter(session_key__in=keys).delete()
    SignedIn.objects.filter(session_key__in=keys).delete()
    return ended


@receiver(post_save, sender=User)
def account_changed(sender: Any, instance: User, created: bool, raw: bool, **_: Any) -> None:
    """End the sessions of people who get a new password or are disabled, wherever that is done.

    A browser in which somebody changes their own password stays signed in: it gets a new key.
    """
    if created or raw:
        return
    if instance._password is not None or not instance.is_active:  # type: ignore[attr-defined]
        with short_write():
            sessions_drop(user=instance)
