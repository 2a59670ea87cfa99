"""Confirm it's you: before what somebody at an open browser must not do in another's name.

A login with the password counts, and so does giving it again (or, for accounts without one, a new
login at the provider of single sign-on, or a code by e-mail), each with the second factor where the
account has one. It holds for ten minutes and for this session alone.
"""

from __future__ import annotations

import secrets
import time
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from rest_framework.request import Request

from annotation.accounts.login import count
from annotation.database import audit, short_write
from annotation.errors import NotAllowed
from annotation.mail.emails import letter_write
from annotation.models import Letter
from annotation.models.fields import token_digest
from paraanno import clock

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
