"""From a right password to a session: at once, or by way of the second factor.

Until the second factor is given nobody is logged in: the session only remembers, for ten minutes,
whose password was right. So no page, route or save accepts half a login.
"""

from __future__ import annotations

import time
from enum import StrEnum

from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from annotation.models import SecondFactor
from annotation.selectors.people.sessions import BACKEND
from annotation.services.accounts.confirming import CONFIRMED, confirm
from paraanno.login_required import SECOND_FACTOR, needs_second_factor

HALF = "half-login"
LASTS = 600  # seconds


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
        user.pk, user.get_session_auth_hash(), int(time.time()), step.value, fresh,
    ]  # fmt: skip
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
