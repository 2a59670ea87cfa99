"""Chunks that a worker has."""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now

from scoring.models import Run, RunChunk

ELSEWHERE = "elsewhere:1:abcd"


def at_work(run: Run, *, ago: timedelta = timedelta(0), worker: str = f"{ELSEWHERE}/7") -> RunChunk:
    run.chunks.update(status="running", worker=worker, claimed_at=Now() - ago, attempts=1)
    return run.chunks.get()
