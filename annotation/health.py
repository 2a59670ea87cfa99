"""The parts of `/readyz` and `/metrics` about collecting, saving and e-mails."""

from __future__ import annotations

import errno
import secrets
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterable

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Count

from annotation.database import web_host_seen
from annotation.mail.emails import LATE, late_letters
from annotation.models import Campaign, Letter, Slot
from paraanno.backups.copies import sqlite_file
from paraanno.health import PartState, readiness_part
from paraanno.observability.counted import Gauge

# Whether the disk of the database has room for new pages. A row that is changed may need no new
# page, so a full disk would be noticed first by an answer that finds no room in the pages there
# are.
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


NO_ROOM = (
    "Nothing can be saved: the disk of the database is full. Make room on it or enlarge it; until "
    "then answers wait in the browsers of those who gave them (docs/operations.md, A full disk)."
)


@readiness_part("saving")
def saving() -> PartState:
    """Write to the database: a full disk or a read-only copy of it accepts no answers."""
    try:
        web_host_seen()
        full = disk_is_full()
    except (DatabaseError, InterfaceError, OSError) as error:
        message = f"Nothing can be saved: {type(error).__name__}: {error}"
        return {"ok": False, "message": NO_ROOM if says_full(error) else message}
    return {"ok": not full, "message": NO_ROOM if full else ""}


@readiness_part("letters")
def letters() -> PartState:
    """E-mails that the mail server does not take, or refuses more often than not: one refusal is
    a wrong address, and stands where it was caused. What the server said may name people."""
    try:
        late, refused, sent = late_letters()
    except (DatabaseError, InterfaceError) as error:
        return {"ok": False, "message": f"Unknown: {type(error).__name__}."}
    if late:
        minutes = int(LATE.total_seconds() // 60)
        message = (
            f"{late} e-mails have waited for more than {minutes} minutes: see the page E-mails."
        )
    elif refused > sent:
        message = (
            f"{refused} of today's {refused + sent} e-mails were refused: see the page E-mails."
        )
    else:
        return {"ok": True, "message": ""}
    return {"ok": False, "message": message}


def collecting() -> Iterable[Gauge]:
    by_status = Campaign.objects.values_list("status").annotate(n=Count("*")).order_by()
    counts = dict(by_status)
    rows = [((str(status),), float(counts.get(status, 0))) for status in Campaign.Status.values]
    yield Gauge("paraanno_campaigns", "Campaigns, by status.", rows, ("status",))
    letters = dict(Letter.objects.values_list("status").annotate(n=Count("*")).order_by())
    states = [((str(one),), float(letters.get(one, 0))) for one in Letter.Status.values]
    yield Gauge("paraanno_letters", "E-mails, by status.", states, ("status",))
    claimed = Slot.objects.filter(state=Slot.State.CLAIMED).count()
    yield Gauge("paraanno_sheets_open", "Sheets that annotators hold.", [((), float(claimed))])
