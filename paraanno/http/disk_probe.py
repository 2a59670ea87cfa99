"""Whether the disk of the database has room for new pages.

A row that is changed may need no new page, so a full disk would be noticed first by an answer that
finds no room in the pages there are.
"""

from __future__ import annotations

import errno
import secrets
import sqlite3
import tempfile
import threading
import time

from django.db import DatabaseError, InterfaceError, connection, transaction

from paraanno.backups.copies import sqlite_file

EVERY = 30.0  # Seconds in which a process probes once.
ROWS, WIDTH = 40, 400  # 16 kB: two pages of PostgreSQL. Rows as short as these are not compressed.
FULL = "53100"  # SQLSTATE

_probing = threading.Lock()
_last: list[tuple[float, bool]] = []


def disk_is_full() -> bool:
    """Whether the last probe met a full disk; a probe that runs is not waited for.

    Raises DatabaseError and OSError if a write fails for another reason.
    """
    fresh = bool(_last) and time.monotonic() < _last[0][0] + EVERY
    if not fresh and _probing.acquire(blocking=False):
        try:
            _last[:] = [(time.monotonic(), _probe())]
        finally:
            _probing.release()
    return bool(_last) and _last[0][1]


def says_full(error: DatabaseError | InterfaceError | OSError) -> bool:
    """Whether the error is that of a full disk, by its code."""
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return getattr(cause, "sqlstate", None) == FULL


def _probe() -> bool:
    try:
        if file := sqlite_file():
            with tempfile.TemporaryFile(dir=file.parent, buffering=0) as beside:
                beside.write(b"\0" * ROWS * WIDTH)
        else:
            _fill_new_table()
    except (DatabaseError, OSError) as error:
        if not says_full(error):
            raise
        return True
    return False


def _fill_new_table() -> None:
    """Fill a table whose pages are all new and take it back, so that nothing stays or grows."""
    # A name of its own: nobody waits for a process that stops half-way.
    name = f"paraanno_probe_{secrets.token_hex(8)}"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} (filling varchar({WIDTH}))")
        cursor.execute(
            f"INSERT INTO {name} SELECT repeat('x', {WIDTH}) FROM generate_series(1, {ROWS})"  # noqa: S608
        )
        transaction.set_rollback(True)
