"""The parts of `/readyz` about saving and e-mails."""

from __future__ import annotations

from django.db import DatabaseError, InterfaceError

from annotation.database import web_host_seen
from annotation.mail.queries import LATE, late_letters
from paraanno.health import PartState, readiness_part
from paraanno.http.disk_probe import disk_is_full, says_full

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
