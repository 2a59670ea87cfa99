"""Whose session a row of the session table is, without decoding anything twice.

The row is read at every request, so that a log-out counts at once in every process. Only what its
text decodes to is kept, by that very text. The caller compares the account as it is stored now.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.utils.crypto import constant_time_compare

from paraanno import clock
from paraanno.login_required import SECOND_FACTOR

ENGINE = "django.contrib.sessions.backends.db"
BACKEND = "django.contrib.auth.backends.ModelBackend"
KEPT = 4096


_ROW = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > "


@dataclass(frozen=True, slots=True)
class SessionLogin:
    """The login that a session claims. `told`: it holds messages for the next page."""

    user_id: int
    hash: str
    second_factor: bool
    told: bool


def session_text(key: str) -> str | None:
    """Return the text of the session's row; None if there is no such session (any more)."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"{_ROW}clock_timestamp()", [key])  # Its clock, without a question more.
        else:
            now = clock.stored_time(clock.now())
            cursor.execute(f"{_ROW}%s", [key, now])
        row = cursor.fetchone()
    return None if row is None else str(row[0])


@lru_cache(maxsize=KEPT)
def login_in(text: str) -> SessionLogin | None:
    """Return the login in the text of a session's row; None if it is not a plain one."""
    data = SessionStore().decode(text)
    number, given = data.get(SESSION_KEY), data.get(HASH_SESSION_KEY)
    if data.get(BACKEND_SESSION_KEY) != BACKEND or not isinstance(given, str):
        return None
    if BACKEND not in settings.AUTHENTICATION_BACKENDS or not str(number).isdecimal():
        return None
    second, told = bool(data.get(SECOND_FACTOR)), SessionStorage.session_key in data
    return SessionLogin(int(str(number)), given, second, told)


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
