"""Workers, and chunks that they have."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models.functions import Now

from scoring.models import Run, RunChunk, WorkerBeat

ELSEWHERE = "elsewhere:1:abcd"


def at_work(run: Run, *, ago: timedelta = timedelta(0), worker: str = f"{ELSEWHERE}/7") -> RunChunk:
    run.chunks.update(status="running", worker=worker, claimed_at=Now() - ago, attempts=1)
    return run.chunks.get()


def beat(name: str = ELSEWHERE, *, ago: timedelta = timedelta(0), **fields: Any) -> WorkerBeat:
    """A worker whose last heartbeat was some time ago."""
    about = {"host": "elsewhere", "pid": 1, **fields}
    return WorkerBeat.objects.create(name=name, started_at=Now(), seen_at=Now() - ago, **about)
