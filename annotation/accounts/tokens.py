"""Confirm that it is you, before what somebody at an open browser must not do in another's name;
API tokens, made and revoked, also by a new password; and the steps from a right password to a
session.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db.models import F
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from rest_framework.request import Request

from annotation.access import campaigns_for, refuse_participant
from annotation.accounts.login import count
from annotation.database import audit, lock_row, short_write
from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.mail.emails import letter_write, owner_notify
from annotation.models import ApiToken, Campaign, Letter, SecondFactor
from annotation.models.fields import token_digest
from paraanno import clock
from paraanno.http.middleware import BACKEND, SECOND_FACTOR, needs_second_factor

# Confirm that it is you.


LASTS = 600  # seconds
TRIES, WINDOW = 10, 300  # of one account, seconds
LETTERS, PER = 5, 3600
# In a session, each with the account and the time:
CONFIRMED = "confirmed"
FIRST = "confirmed-first"  # at the provider; the second factor is still to come
MAILED = "confirm-mailed"  # and the hash of the code that was sent


class ConfirmFirst(NotAllowed):
    """A program's session has to log in anew before this: a page would ask whether it is you."""

    code = "confirm"


def is_confirmed(request: HttpRequest) -> bool:
    """Whether it was confirmed within the last ten minutes who uses this session."""
    return _noted(request, CONFIRMED) is not None


def confirm(request: HttpRequest, user: User) -> None:
    """Note that every factor was given just now."""
    for key in (FIRST, MAILED):
        request.session.pop(key, None)
    _note(request, user, CONFIRMED)


def confirmed_or_refused(request: Request) -> None:
    """Raise ConfirmFirst, in routes of the API, for a browser's session without a recent login; a
    token was made by somebody who confirmed who they are."""
    if request.auth is None and not is_confirmed(request._request):
        raise ConfirmFirst(_("Log in again first: this needs a login of the last ten minutes."))


def first_give(request: HttpRequest, user: User) -> None:
    """Note that the first factor was given just now."""
    _note(request, user, FIRST)


def first_given(request: HttpRequest) -> bool:
    """Whether the second factor alone is missing."""
    return _noted(request, FIRST) is not None


def password_right(*, user: User, password: str) -> bool:
    """Whether it is the account's password. Raises TooManyFailures after too many tries."""
    return _tried(user, user.check_password(password))


def code_mail(request: HttpRequest, user: User) -> None:
    """Send a code to the account's address. Raises TooManyFailures after too many letters."""
    count("confirm-letters", str(user.pk), most=LETTERS, seconds=PER)
    code = f"{secrets.randbelow(10**8):08d}"
    _note(request, user, MAILED, token_digest(code))
    text = _(
        "The code to confirm that it is you, on the page that asks for it:\n\n%(code)s\n\n"
        "It works for ten minutes in the browser that asked. If it was not you, somebody is using "
        "your login: log out everywhere, and tell an administrator of the site.\n"
    ) % {"code": code}
    until = clock.now() + timedelta(seconds=LASTS)
    with short_write():
        letter_write(
            kind=Letter.Kind.NOTICE,
            to=user.email,
            subject=_("Confirm it’s you"),
            text=text,
            user=user,
            until=until,
        )


def code_mailed(request: HttpRequest) -> bool:
    """Whether a code is on its way that is still valid."""
    return _noted(request, MAILED) is not None


def code_right(request: HttpRequest, *, user: User, code: str) -> bool:
    """Whether it is the code that was sent to the account's address for this session."""
    noted = _noted(request, MAILED)
    typed = token_digest("".join(code.split()))
    return _tried(user, noted is not None and constant_time_compare(noted[2], typed))


def _tried(user: User, right: bool) -> bool:
    """Count the try, right or not; a wrong one is in the log."""
    count("confirm", str(user.pk), most=TRIES, seconds=WINDOW)
    if not right:
        with short_write():
            audit(actor=None, verb="fail to confirm", about=user, campaign=None)
    return right


def _note(request: HttpRequest, user: User, key: str, *more: str) -> None:
    request.session[key] = [user.pk, int(time.time()), *more]


def _noted(request: HttpRequest, key: str) -> list[Any] | None:
    noted: list[Any] | None = request.session.get(key)
    if noted is None or noted[0] != request.user.pk or time.time() - noted[1] > LASTS:
        return None
    return noted


# API tokens.


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
        raise Invalid(_("A token of certain campaigns needs a scope: read, judge or manage."))
    reached = list(campaigns_for(user=user).filter(slug__in=campaigns))
    if missing := sorted(set(campaigns) - {one.slug for one in reached}):
        raise Invalid(_("There is no such campaign: %(names)s.") % {"names": ", ".join(missing)})
    text = secrets.token_urlsafe(32)
    expires = clock.now() + timedelta(days=days)
    with short_write():
        lock_row(User, user.pk)
        alike = by_program and _has_one_like(user, label, scope, reached)
        by_use = ApiToken.objects.filter(user=user).order_by(
            F("used_at").desc(nulls_last=True), "-pk"
        )
        old = list(by_use.values_list("pk", flat=True)[MOST - 1 :])
        ApiToken.objects.filter(pk__in=old).delete()
        token = ApiToken.objects.create(
            user=user,
            token_hash=token_digest(text),
            label=label,
            expires_at=expires,
            scope=scope,
            everywhere=not campaigns,
        )
        token.campaigns.set(reached)
        audit(
            actor=user,
            verb="make token",
            about=token,
            campaign=None,
            label=label,
            scope=scope,
            campaigns=len(reached),
        )
    if not alike:
        owner_notify(
            user=user,
            subject=_("A new API token"),
            text=_(
                "An API token was made for your account %(name)s. What it is for: %(label)s. It "
                "works until %(day)s."
            )
            % {"name": user.get_username(), "label": label or "–", "day": f"{expires:%Y-%m-%d}"},
        )
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


# From a right password to a session: at once, or by way of the second factor.
#
# Until the second factor is given nobody is logged in: the session only remembers, for ten minutes,
# whose password was right. So no page, route or save accepts half a login.


HALF = "half-login"


class LoginStep(StrEnum):
    """What comes next."""

    IN = "in"
    CODE = "code"
    SET_UP = "set-up"


def sign_in(request: HttpRequest, user: User, *, fresh: bool) -> LoginStep:
    """Log the user in if no second factor is wanted, else remember that the first was given.

    `fresh`: by the password, just now; a provider of single sign-on may not have asked anything.
    """
    if SecondFactor.objects.filter(user=user).exists():
        step = LoginStep.CODE
    elif needs_second_factor(user):
        step = LoginStep.SET_UP
    else:
        finish(request, user, second=False, fresh=fresh)
        return LoginStep.IN
    request.session.cycle_key()
    request.session[HALF] = [
        user.pk,
        user.get_session_auth_hash(),
        int(time.time()),
        step.value,
        fresh,
    ]
    return step


def half_in(request: HttpRequest, step: LoginStep) -> User | None:
    """Return the user whose first factor was given in this browser and who is at this step."""
    held = request.session.get(HALF)
    if not held or time.time() - held[2] > LASTS or held[3] != step:
        return None
    user = User.objects.filter(pk=held[0], is_active=True).first()
    same = user is not None and constant_time_compare(held[1], user.get_session_auth_hash())
    return user if same else None


def finish_half(request: HttpRequest, user: User) -> None:
    """Log in the user of `half_in`, who gave the second factor, too."""
    finish(request, user, second=True, fresh=request.session[HALF][4:] == [True])


def finish(request: HttpRequest, user: User, *, second: bool, fresh: bool) -> None:
    """Log the user in; `second` says that they gave a second factor, `fresh` as in `sign_in`."""
    login(request, user, backend=BACKEND)
    request.session.pop(HALF, None)
    for key in (SECOND_FACTOR, CONFIRMED):  # Of an earlier login in this browser.
        request.session.pop(key, None)
    if second:
        request.session[SECOND_FACTOR] = True
    if fresh:
        confirm(request, user)
