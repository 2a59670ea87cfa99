"""The parts of `/healthz` and `/readyz` about workers."""

from __future__ import annotations

from django.db import DatabaseError

from paraanno.health import PartState, part, readiness_part
from scoring.work.workers import apart_message, hosts_apart, worker_status


@part("worker")
def worker() -> PartState:
    try:
        status = worker_status()
    except DatabaseError as error:
        return {"ok": False, "seen_at": None, "message": f"Unknown: {type(error).__name__}."}
    return {"ok": status.alive, "seen_at": status.seen_at, "message": status.message}


@readiness_part("storage")
def storage() -> PartState:
    """Whether live workers have the data folder of this web server."""
    try:
        hosts = hosts_apart()
    except DatabaseError as error:
        return {"ok": False, "message": f"Unknown: {type(error).__name__}."}
    return {"ok": not hosts, "message": apart_message(hosts) if hosts else ""}
