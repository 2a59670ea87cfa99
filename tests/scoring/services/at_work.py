"""Workers, and chunks that they have."""

from datetime import timedelta

from django.db.models.functions import Now

from scoring.models import WorkerBeat

ELSEWHERE = "elsewhere:1:abcd"


def at_work(run, *, ago=timedelta(0), worker=f"{ELSEWHERE}/7"):
    run.chunks.update(
        status="running", worker=worker, started_at=Now() - ago, attempts=1, token="t"
    )
    return run.chunks.get()


def beat(name=ELSEWHERE, *, ago=timedelta(0), **fields):
    """A worker whose last heartbeat was some time ago."""
    about = {"host": "elsewhere", "pid": 1, **fields}
    return WorkerBeat.objects.create(name=name, started_at=Now(), seen_at=Now() - ago, **about)
