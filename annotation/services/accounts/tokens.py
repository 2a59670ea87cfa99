"""Create and revoke API tokens; a new password revokes them."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import F
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotFound
from annotation.models import ApiToken, Campaign
from annotation.models.fields import token_digest
from annotation.selectors.access import campaigns_for, refuse_participant
from annotation.services.audit import audit
from annotation.services.letters.writing import owner_notify
from annotation.services.transactions import short_write
from paraanno import clock

MOST = 50
NOTED_EVERY = timedelta(hours=1)


def token_make(
    *,
    user: User,
    label: str = "",
    days: int | None = None,
    scope: str = ApiToken.Scope.ALL,
    campaigns: Collection[str] = (),
    by_program: bool = False,
) -> tuple[ApiToken, str]:
    """Create a token; return it with its text, which is shown once and stored only as a hash.

    It expires after `days`, by default and at most PARAANNO_TOKEN_DAYS. `campaigns` names those
    that it reaches, by default all of its owner's; it needs a `scope`. The owner is notified; of
    tokens made `by_program` only where none like it is there (the same label, scope and reach):
    programs fetch one every day.

    If a user has more than MOST tokens, the least recently used one is revoked, so that a program
    that logs in again every day does not lock its user out.
    """
    refuse_participant(user=user)
    days = settings.TOKEN_DAYS if days is None else days
    if not 1 <= days <= settings.TOKEN_DAYS:
        raise Invalid(
            _("A token lasts from 1 to %(most)s days here.") % {"most": settings.TOKEN_DAYS}
        )
    if campaigns and not scope:
        raise Invalid(
            _("A token of certain campaigns needs a scope: read, judge or manage.")
        )  # fmt: skip
    reached = list(campaigns_for(user=user).filter(slug__in=campaigns))
    if missing := sorted(set(campaigns) - {one.slug for one in reached}):
        raise Invalid(_("There is no such campaign: %(names)s.") % {"names": ", ".join(missing)})
    text = secrets.token_urlsafe(32)
    expires = clock.now() + timedelta(days=days)
    with short_write():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        alike = by_program and _has_one_like(user, label, scope, reached)
        by_use = ApiToken.objects.filter(user=user).order_by(
            F("used_at").desc(nulls_last=True), "-pk"
        )
        old = list(by_use.values_list("pk", flat=True)[MOST - 1 :])
        ApiToken.objects.filter(pk__in=old).delete()
        token = ApiToken.objects.create(
            user=user, token_hash=token_digest(text), label=label, expires_at=expires,
            scope=scope, everywhere=not campaigns,
        )  # fmt: skip
        token.campaigns.set(reached)
        audit(
            actor=user, verb="make token", about=token, campaign=None, label=label, scope=scope,
            campaigns=len(reached),
        )  # fmt: skip
    if not alike:
        owner_notify(
            user=user, subject=_("A new API token"),
            text=_(
                "An API token was made for your account %(name)s. What it is for: %(label)s. It "
                "works until %(day)s."
            ) % {"name": user.get_username(), "label": label or "–", "day": f"{expires:%Y-%m-%d}"},
        )  # fmt: skip
    return token, text


def _has_one_like(user: User, label: str, scope: str, reached: list[Campaign]) -> bool:
    same = ApiToken.objects.filter(user=user, label=label, scope=scope, everywhere=not reached)
    wanted = {one.pk for one in reached}
    return any(
        {one.pk for one in token.campaigns.all()} == wanted
        for token in same.prefetch_related("campaigns")
    )


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
    now = clock.now()
    if token.used_at is None or now - token.used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


@receiver(post_save, sender=User)
def password_changed(sender: Any, instance: User, created: bool, raw: bool, **_: Any) -> None:
    """Revoke the tokens of a user who gets a new password, wherever it is set.

    `_password` is the text given to `set_password`, until the row is saved. It is empty for all
    other changes, and where Django renews the hash of the same password.
    """
    if created or raw or instance._password is None:  # type: ignore[attr-defined]
        return
    with short_write():
        ended, _rows = ApiToken.objects.filter(user=instance).delete()
        audit(actor=None, verb="change password", about=instance, campaign=None, tokens=ended)
