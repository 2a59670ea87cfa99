"""Putting back what a dead process left, and ringing for what waits without a message.

Every worker does it on its timer, and any number may at once: each change is a compare-and-set.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass

from django.db import models
from django.db.models import F
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from scoring.models import ExportFile, Report, Resource, Run, RunChunk
from scoring.services.bell import RUN_WORK, queue_name, ring
from scoring.services.resources_convert import TASK as RESOURCE_CONVERT
from scoring.services.resources_convert import forget_source
from scoring.services.workers import DEAD_AFTER, Owners, worker_name

logger = logging.getLogger(__name__)

# Work that is one row: the task that does it, and how often it may end with its process.
JOBS: dict[type[models.Model], str] = {
    Report: "scoring.tasks.report_make",
    ExportFile: "scoring.tasks.export_make",
}
JOB_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Swept:
    """How many claims were taken back, and for how many runs and jobs a bell was rung."""

    taken_back: int
    rung: int


def sweep(*, idle: bool, queues: Collection[str], bells: int = 1) -> Swept:
    """One round of a worker that takes `queues`. `idle`: it has neither work nor messages.

    Its queues are then empty, so whatever waits in the database for one of them has lost its
    message, and whatever its own processes still claim they have given up (a database that was
    away when they wrote). A worker that is busy rings only for what it takes back, and none rings
    for queues that it does not take, about which it knows nothing: messages never pile up.
    """
    owners = Owners()
    taken = _take_back_chunks(owners, idle) + _take_back_preparing(owners, idle)
    for model, task in JOBS.items():
        taken += _take_back_jobs(model, task, owners, idle)
    taken += _take_back_resources(owners, idle)
    if taken:
        logger.warning("Took back %s pieces of work from processes that ended", taken)
    return Swept(taken, _ring_for_waiting(queues, bells) if idle else 0)


def _gone(owners: Owners, idle: bool, process: str, old: bool) -> bool:
    if idle and process.rpartition("/")[0] == worker_name():
        return True
    return owners.is_gone(process, old=old)


def _take_back_chunks(owners: Owners, idle: bool) -> int:
    taken = 0
    running = RunChunk.objects.filter(status=RunChunk.Status.RUNNING)
    columns = ("pk", "run", "run__queue", "worker", "attempts")
    for pk, run, queue, process, attempts in running.values_list(*columns):
        old = _is_old(running, pk, "claimed_at")
        if not _gone(owners, idle, process, old):
            continue
        # A process that lives has met a database that was away: then no text is to blame.
        blameless = not owners.is_gone(process, old=old)
        with short_write():
            back = running.filter(pk=pk, worker=process, attempts=attempts).update(
                status=RunChunk.Status.QUEUED,
                attempts=attempts - blameless,
                suspect=None if blameless else F("suspect"),
            )
            if back:
                ring(RUN_WORK, run, queue=queue)
        taken += back
    return taken


def _take_back_preparing(owners: Owners, idle: bool) -> int:
    taken = 0
    preparing = Run.objects.filter(status=Run.Status.PREPARING)
    for pk, queue, process in preparing.values_list("pk", "queue", "worker"):
        if not _gone(owners, idle, process, _is_old(preparing, pk, "heartbeat")):
            continue
        with short_write():
            back = preparing.filter(pk=pk, worker=process).update(
                status=Run.Status.QUEUED, worker=""
            )
            if back:
                ring(RUN_WORK, pk, queue=queue)
        taken += back
    return taken


def _take_back_jobs(model: type[models.Model], task: str, owners: Owners, idle: bool) -> int:
    """Jobs with `status`, `worker`, `attempts` and `started_at`; one that ended several processes
    fails instead of ending more."""
    taken = 0
    running = model._default_manager.filter(status="running")
    for pk, process, attempts in running.values_list("pk", "worker", "attempts"):
        if not _gone(owners, idle, process, _is_old(running, pk, "started_at")):
            continue
        mine = running.filter(pk=pk, worker=process)
        with short_write():
            if attempts >= JOB_ATTEMPTS:
                mine.update(
                    status="failed",
                    finished_at=Now(),
                    error=f"The worker process ended {attempts} times while doing this: it needs "
                    "more memory than there is, or a crash is repeated. See the worker's log.",
                )
            elif mine.update(status="queued", worker=""):
                ring(task, pk)
                taken += 1
    return taken


def _take_back_resources(owners: Owners, idle: bool) -> int:
    """Files under conversion; one that ended several processes is refused."""
    taken = 0
    checking = Resource.objects.filter(status=Resource.Status.CHECKING)
    for resource in checking.exclude(worker=""):
        process = resource.worker
        if not _gone(owners, idle, process, _is_old(checking, resource.pk, "heartbeat")):
            continue
        mine = checking.filter(pk=resource.pk, worker=process)
        refused = 0
        with short_write():
            if resource.attempts >= JOB_ATTEMPTS:
                refused = mine.update(
                    status=Resource.Status.REFUSED,
                    worker="",
                    source="",
                    error=f"The worker process ended {resource.attempts} times while reading this "
                    "file: it needs more memory than there is. Give a smaller one.",
                )
            elif mine.update(worker=""):
                ring(RESOURCE_CONVERT, resource.pk)
                taken += 1
        if refused:
            forget_source(resource)
    return taken


def _is_old(rows: models.QuerySet, pk: int, column: str) -> bool:
    """By the clock of the database, which all hosts share."""
    return rows.filter(pk=pk, **{f"{column}__lt": Now() - DEAD_AFTER}).exists()


def _ring_for_waiting(queues: Collection[str], bells: int) -> int:
    rung = 0
    for pk, queue, status in Run.objects.filter(
        status__in=[Run.Status.QUEUED, Run.Status.RUNNING]
    ).values_list("pk", "queue", "status"):
        if queue_name(queue) not in queues:
            continue
        chunks = RunChunk.objects.filter(run_id=pk)
        waiting = chunks.filter(status=RunChunk.Status.QUEUED).count()
        busy = chunks.filter(status=RunChunk.Status.RUNNING).exists()
        if status == Run.Status.RUNNING and busy and not waiting:
            continue  # Its last chunks are at work elsewhere; they finish it.
        ring(RUN_WORK, pk, queue=queue, times=min(max(waiting, 1), bells))
        rung += 1
    if queue_name("") not in queues:
        return rung
    for model, task in JOBS.items():
        for pk in model._default_manager.filter(status="queued").values_list("pk", flat=True):
            ring(task, pk)
            rung += 1
    waiting_files = Resource.objects.filter(status=Resource.Status.CHECKING, worker="")
    for pk in waiting_files.values_list("pk", flat=True):
        ring(RESOURCE_CONVERT, pk)
        rung += 1
    return rung
