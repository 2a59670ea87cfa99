"""Sweep: return claims of dead processes to the queue, and notify workers of forgotten work.

This is how a run, report, export or conversion resumes after its worker was killed: the claim of
a process that has stopped sending heartbeats is released, and another process claims the work.
Every worker sweeps on its timer. Sweeps may run at the same time: each change is a compare-and-set.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass

from django.db import models
from django.db.models import F
from django.db.models.functions import Now

from annotation.services.people.reminders import TASK as REMINDERS_SEND
from annotation.services.people.reminders import rules_due
from annotation.services.transactions import short_write
from paraanno.plain.sentence import say
from paraanno.plain.sentence_columns import columns
from scoring.models import Resource, Run, RunChunk
from scoring.queues import queue_name
from scoring.selectors.demo import demo_pending
from scoring.selectors.workers import DEAD_AFTER
from scoring.services.demo.runs import TASK as DEMO_RUNS_MAKE
from scoring.services.resources.convert import TASK as RESOURCE_CONVERT
from scoring.services.resources.convert import forget_source
from scoring.services.workers.heartbeats import Owners, worker_name
from scoring.services.workers.jobs import JOBS
from scoring.services.workers.notify import RUN_WORK, notify_workers

logger = logging.getLogger(__name__)

JOB_ATTEMPTS = 3  # processes that one job may take down


@dataclass(frozen=True, slots=True)
class Swept:
    """How many claims were released, and for how many runs and jobs workers were notified."""

    taken_back: int
    notified: int


def sweep(*, idle: bool, queues: Collection[str], messages: int = 1) -> Swept:
    """One sweep by a worker that consumes `queues`; `messages` is the most to send for one run.

    `idle`: the worker has neither work nor messages. Its queues are then empty, so anything that
    waits in the database for one of them has lost its message, and its own processes have given
    up any claim they still hold (the database was unavailable when they wrote). A busy worker
    notifies only for claims that it releases. No worker notifies for queues that it does not
    consume: it cannot know whether they are empty. So messages never pile up.
    """
    owners = Owners()
    taken = _take_back_chunks(owners, idle) + _take_back_preparing(owners, idle)
    for model, task in JOBS.items():
        taken += _take_back_jobs(model, task, owners, idle)
    taken += _take_back_resources(owners, idle)
    if taken:
        logger.warning("Took back %s pieces of work from processes that ended", taken)
    if queue_name("") in queues:
        for rule in rules_due():
            notify_workers(REMINDERS_SEND, rule)
    return Swept(taken, _notify_waiting(queues, messages) if idle else 0)


def _gone(owners: Owners, idle: bool, process: str, old: bool) -> bool:
    if idle and process.rpartition("/")[0] == worker_name():
        return True
    return owners.is_gone(process, old=old)


def _take_back_chunks(owners: Owners, idle: bool) -> int:
    taken = 0
    running = RunChunk.objects.filter(status=RunChunk.Status.RUNNING)
    read = ("pk", "run", "run__queue", "worker", "attempts")
    for pk, run, queue, process, attempts in running.values_list(*read):
        old = _is_old(running, pk, "claimed_at")
        if not _gone(owners, idle, process, old):
            continue
        # The process is alive, so the database was unavailable: no text is to blame.
        blameless = not owners.is_gone(process, old=old)
        with short_write():
            back = running.filter(pk=pk, worker=process, attempts=attempts).update(
                status=RunChunk.Status.QUEUED,
                attempts=attempts - blameless,
                suspect=None if blameless else F("suspect"),
            )
            if back:
                notify_workers(RUN_WORK, run, queue=queue)
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
                notify_workers(RUN_WORK, pk, queue=queue)
        taken += back
    return taken


def _take_back_jobs(model: type[models.Model], task: str, owners: Owners, idle: bool) -> int:
    """Requeue jobs with `status`, `worker`, `attempts` and `started_at`.

    A job that has ended JOB_ATTEMPTS processes fails, so that it ends no more of them.
    """
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
                    **columns("error", _ended(attempts)),
                )
            elif mine.update(status="queued", worker=""):
                notify_workers(task, pk)
                taken += 1
    return taken


def _take_back_resources(owners: Owners, idle: bool) -> int:
    """Requeue files under conversion; refuse one that has ended JOB_ATTEMPTS processes."""
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
                    **columns("error", _ended_reading(resource.attempts)),
                )
            elif mine.update(worker=""):
                notify_workers(RESOURCE_CONVERT, resource.pk)
                taken += 1
        if refused:
            forget_source(resource)
    return taken


def _ended(times: int) -> str:
    return say(
        "The worker process ended %(n)s times while doing this: it ran out of memory, or it "
        "crashes each time. See the worker's log.",
        n=times,
    )


def _ended_reading(times: int) -> str:
    return say(
        "The worker process ended %(n)s times while reading this file: it ran out of memory. "
        "Add a smaller file.",
        n=times,
    )


def _is_old(rows: models.QuerySet, pk: int, column: str) -> bool:
    """Whether the claim is older than DEAD_AFTER, by the database clock, which all hosts share."""
    return rows.filter(pk=pk, **{f"{column}__lt": Now() - DEAD_AFTER}).exists()


def _notify_waiting(queues: Collection[str], messages: int) -> int:
    notified = 0
    for pk, queue, status in Run.objects.filter(
        status__in=[Run.Status.QUEUED, Run.Status.RUNNING]
    ).values_list("pk", "queue", "status"):
        if queue_name(queue) not in queues:
            continue
        chunks = RunChunk.objects.filter(run_id=pk)
        waiting = chunks.filter(status=RunChunk.Status.QUEUED).count()
        busy = chunks.filter(status=RunChunk.Status.RUNNING).exists()
        if status == Run.Status.RUNNING and busy and not waiting:
            continue  # Other processes are scoring its last chunks and will finish it.
        notify_workers(RUN_WORK, pk, queue=queue, times=min(max(waiting, 1), messages))
        notified += 1
    if queue_name("") not in queues:
        return notified
    for model, task in JOBS.items():
        for pk in model._default_manager.filter(status="queued").values_list("pk", flat=True):
            notify_workers(task, pk)
            notified += 1
    waiting_files = Resource.objects.filter(status=Resource.Status.CHECKING, worker="")
    for pk in waiting_files.values_list("pk", flat=True):
        notify_workers(RESOURCE_CONVERT, pk)
        notified += 1
    if (demo := demo_pending()) is not None:
        notify_workers(DEMO_RUNS_MAKE, demo)
        notified += 1
    return notified
