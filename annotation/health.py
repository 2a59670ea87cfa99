"""The part of `/readyz` about saving."""

from __future__ import annotations

from django.db import DatabaseError, InterfaceError

from annotation.services.web_hosts import web_host_seen
from paraanno.health import PartState, readiness_part


@readiness_part("saving")
def saving() -> PartState:
    """Write to the database: a full disk or a read-only copy of it accepts no answers."""
    try:
        web_host_seen()
    except (DatabaseError, InterfaceError) as error:
        return {"ok": False, "message": f"Nothing can be saved: {type(error).__name__}: {error}"}
    return {"ok": True, "message": ""}
