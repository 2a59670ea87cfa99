"""A graceful stop: what a worker does with work that would take too long to finish.

It gives its claims back itself. Those of a worker that was killed are released by `sweep.py`.
"""

from __future__ import annotations

from django.db.models import F

from annotation.services.transactions import short_write
from scoring.models import Resource, Run, RunChunk
from scoring.services.workers.heartbeats import worker_name
from scoring.services.workers.jobs import JOBS


def claims_give_back() -> int:
    """Put everything that this worker's processes have claimed back into the queue; how many.

    The attempt does not count: neither a text nor a file is to blame for a stop. Nobody may be at
    the work any more: its processes have ended.
    """
    mine = {"worker__startswith": f"{worker_name()}/"}
    once_less = {"attempts": F("attempts") - 1}
    with short_write():
        chunks = RunChunk.objects.filter(status=RunChunk.Status.RUNNING, **mine)
        back = chunks.update(status=RunChunk.Status.QUEUED, suspect=None, **once_less)
        preparing = Run.objects.filter(status=Run.Status.PREPARING, **mine)
        back += preparing.update(status=Run.Status.QUEUED, worker="")
        for model in JOBS:
            jobs = model._default_manager.filter(status="running", **mine)
            back += jobs.update(status="queued", worker="", **once_less)
        checking = Resource.objects.filter(status=Resource.Status.CHECKING, **mine)
        back += checking.update(worker="", **once_less)
    return back
