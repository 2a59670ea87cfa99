"""Sweep: return claims of dead processes to the queue, and notify workers of forgotten work.

This is how work resumes after its worker was killed: the claim of a process that has stopped
sending heartbeats is released, and another process claims the work. Every worker sweeps on its
timer.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass

from annotation.services.people.reminders import TASK as REMINDERS_SEND
from annotation.services.people.reminders import rules_due
from paraanno.jobs.engine import paused
from paraanno.jobs.kinds import KINDS
from paraanno.jobs.sweep import take_back, wake_due, wake_waiting
from scoring.jobs import RUN
from scoring.models import Run, RunChunk
from scoring.queues import queue_name
from scoring.selectors.demo import demo_pending
from scoring.services.demo.runs import TASK as DEMO_RUNS_MAKE
from scoring.services.workers.heartbeats import Owners
from scoring.services.workers.notify import RUN_WORK, notify_workers

logger = logging.getLogger(__name__)


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
    taken = sum(take_back(kind, owners, idle=idle) for kind in KINDS.values())
    if taken:
        logger.warning("Took back %s pieces of work from processes that ended", taken)
    wake_due()
    usual = queue_name("") in queues
    if usual:
        for rule in rules_due():
            notify_workers(REMINDERS_SEND, rule)
    notified = 0
    if idle:
        notified = _notify_runs(queues, messages)
        if usual:
            notified += wake_waiting()
            if (demo := demo_pending()) is not None:
                notify_workers(DEMO_RUNS_MAKE, demo)
                notified += 1
    return Swept(taken, notified)


def _notify_runs(queues: Collection[str], messages: int) -> int:
    if paused(RUN):
        return 0
    notified = 0
    active = [Run.Status.QUEUED, Run.Status.RUNNING]
    runs = Run.objects.filter(status__in=active, not_before=None)
    for pk, queue, status in runs.values_list("pk", "queue", "status"):
        if queue_name(queue) not in queues:
            continue
        chunks = RunChunk.objects.filter(run_id=pk)
        waiting = chunks.filter(status=RunChunk.Status.QUEUED).count()
        busy = chunks.filter(status=RunChunk.Status.RUNNING).exists()
        if status == Run.Status.RUNNING and busy and not waiting:
            continue  # Other processes are scoring its last chunks and will finish it.
        notify_workers(RUN_WORK, pk, queue=queue, times=min(max(waiting, 1), messages))
        notified += 1
    return notified
