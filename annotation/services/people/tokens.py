"""Create and revoke API tokens."""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import ApiToken
from annotation.models.fields import token_digest
from annotation.services.audit import audit
from annotation.services.transactions import short_write

MOST = 50
NOTED_EVERY = timedelta(hours=1)


def token_make(*, user: User, label: str = "") -> tuple[ApiToken, str]:
    """Create a token; return it with its text, which is shown once and stored only as a hash.

    If a user has more than MOST tokens, the least recently used one is revoked, so that a program
    that logs in again every day does not lock its user out.
    """
    text = secrets.token_urlsafe(32)
    with short_write():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        by_use = ApiToken.objects.filter(user=user).order_by(
            F("used_at").desc(nulls_last=True), "-pk"
        )
        old = list(by_use.values_list("pk", flat=True)[MOST - 1 :])
        ApiToken.objects.filter(pk__in=old).delete()
        token = ApiToken.objects.create(user=user, token_hash=token_digest(text), label=label)
        audit(actor=user, verb="make token", about=token, campaign=None, label=label)
    return token, text


def token_revoke(*, user: User, key: UUID) -> None:
    """Revoke the token immediately. Raises NotFound if the user has no such token."""
    with short_write():
        token = ApiToken.objects.filter(user=user, key=key).first()
        if token is None:
            raise NotFound(_("There is no such token."))
        audit(actor=user, verb="revoke token", about=token, campaign=None, label=token.label)
        token.delete()


def tokens_revoke(*, user: User) -> None:
    """Revoke all tokens of the user immediately."""
    with short_write():
        ApiToken.objects.filter(user=user).delete()
        audit(actor=user, verb="revoke tokens", about=user, campaign=None)


def token_used(*, token: ApiToken) -> None:
    """Record the use, at most once an hour, to avoid a write for every request."""
    now = timezone.now()
    if token.used_at is None or now - token.used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
