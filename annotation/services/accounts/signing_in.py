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
from paraanno.login_required import SECOND_FACTOR, needs_second_factor

HALF = "half-login"
LASTS = 600  # seconds


class LoginStep(StrEnum):
    """What comes next."""

    IN = "in"
    CODE = "code"
    SET_UP = "set-up"


def sign_in(request: HttpRequest, user: User) -> LoginStep:
    """Log the user in if no second factor is wanted, else remember that the first was given."""
    if SecondFactor.objects.filter(user=user).exists():
        step = LoginStep.CODE
    elif needs_second_factor(user):
        step = LoginStep.SET_UP
    else:
        finish(request, user, second=False)
        return LoginStep.IN
    request.session.cycle_key()
    request.session[HALF] = [user.pk, user.get_session_auth_hash(), int(time.time()), step.value]
    return step


def half_in(request: HttpRequest, step: LoginStep) -> User | None:
    """Whose first factor was given in this browser, if `step` is what they have to do."""
    held = request.session.get(HALF)
    if not held or time.time() - held[2] > LASTS or held[3] != step:
        return None
    user = User.objects.filter(pk=held[0], is_active=True).first()
    same = user is not None and constant_time_compare(held[1], user.get_session_auth_hash())
    return user if same else None


def finish(request: HttpRequest, user: User, *, second: bool) -> None:
    """Log the user in; `second` says that they gave a second factor."""
    login(request, user, backend=BACKEND)
    request.session.pop(HALF, None)
    request.session.pop(SECOND_FACTOR, None)
    if second:
        request.session[SECOND_FACTOR] = True
