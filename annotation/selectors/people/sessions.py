"""Whose session a row of the session table is, without reading anything twice.

The row is read at every request, so that a log-out counts at once in every process. Only what its
text decodes to is kept, by that very text. The caller compares the account as it is stored now.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.utils.crypto import constant_time_compare

from paraanno.login_required import SECOND_FACTOR

ENGINE = "django.contrib.sessions.backends.db"
BACKEND = "django.contrib.auth.backends.ModelBackend"
KEPT = 4096


@dataclass(frozen=True, slots=True)
class SessionLogin:
    """The login that a session claims."""

    user_id: int
    hash: str
    second_factor: bool


@lru_cache(maxsize=KEPT)
def login_in(text: str) -> SessionLogin | None:
    """Return the login in the text of a session's row; None if it is not a plain one."""
    data = SessionStore().decode(text)
    number, given = data.get(SESSION_KEY), data.get(HASH_SESSION_KEY)
    if data.get(BACKEND_SESSION_KEY) != BACKEND or not isinstance(given, str):
        return None
    if BACKEND not in settings.AUTHENTICATION_BACKENDS or not str(number).isdecimal():
        return None
    return SessionLogin(int(str(number)), given, bool(data.get(SECOND_FACTOR)))


def stands(
    login: SessionLogin, *, user_id: int, password: str, active: bool, administers: bool = False
) -> bool:
    """Whether the login is still valid for the account as stored: not disabled, its password not
    changed since, and with a second factor where the settings ask administrators for one."""
    if administers and settings.ADMINS_NEED_SECOND_FACTOR and not login.second_factor:
        return False
    same = constant_time_compare(login.hash, _hash_of(password))
    return same and active and login.user_id == user_id


@lru_cache(maxsize=KEPT)
def _hash_of(password: str) -> str:
    """The hash that a session of an account with this (hashed) password has."""
    return User(password=password).get_session_auth_hash()
