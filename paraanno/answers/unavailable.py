"""Whether an error means that the database is away, so that the same request may succeed later."""

from __future__ import annotations

import sqlite3

from django.db import DatabaseError, InterfaceError, OperationalError

RETRY_AFTER = 5  # seconds
# Of PostgreSQL (SQLSTATE): the disk is full, or this is a copy for reading.
_REFUSED = {"53100", "25006"}


def is_unavailable(error: BaseException | None) -> bool:
    """Whether the database is away, full, locked or without a free connection.

    Both databases call that an operational error. SQLite calls a wrong statement so, too, which no
    later attempt mends.
    """
    if not isinstance(error, DatabaseError | InterfaceError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError):
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR
    if getattr(cause, "sqlstate", None) in _REFUSED:
        return True
    return isinstance(error, OperationalError | InterfaceError)
