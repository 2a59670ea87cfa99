"""The part of `/healthz` about workers."""

from __future__ import annotations

from django.db import DatabaseError

from paraanno.health import PartState, part
from scoring.selectors.workers import worker_status


@part("worker")
def worker() -> PartState:
    try:
        status = worker_status()
    except DatabaseError as error:
        return {"ok": False, "seen_at": None, "message": f"Unknown: {type(error).__name__}."}
    return {"ok": status.alive, "seen_at": status.seen_at, "message": status.message}
