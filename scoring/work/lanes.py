"""Lanes: work of one sort, done by a process of its own that a worker starts when something waits;
and the command that such a process runs.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar, NoReturn

import psutil
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, InterfaceError, connection
from filelock import FileLock, Timeout

from annotation.people.background import TASK as REMINDERS_SEND
from annotation.people.background import rules_due
from paraanno.common.lazy_import import late
from paraanno.common.places import own_environment, own_program
from paraanno.jobs.engine import KINDS, Kind, paused, take_back, wake_due, wake_waiting
from paraanno.running.supervision import die_with_parent, watch_parent
from scoring.jobs import RUN
from scoring.models import Run, RunChunk
from scoring.work.workers import (
    BEAT_SECONDS,
    BUILD,
    DEMO_RUNS_MAKE,
    FILES,
    RUN_WORK,
    Owners,
    beat_again,
    beat_lost,
    beat_start,
    beat_stop,
    demo_pending,
    notify_workers,
    queue_name,
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lane:
    """`work` does what waits and returns how much; `command` of manage.py calls `run` in a process
    of its own; `queue` is what its heartbeats name. One process of a data folder does it."""

    queue: str
    command: str
    work: Callable[[], int]
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)  # By this process.

    def lock(self) -> FileLock:
        """Held by the one process that does this work."""
        return FileLock(Path(settings.DATA_DIR) / f"{self.queue}.lock")

    def begin(
        self, after_death: Callable[[], object] = lambda: None
    ) -> subprocess.Popen[bytes] | None:
        """Start the process, unless one is there; it ends with the process that calls this.

        If it dies, its worker is marked as lost at once, not when heartbeats have been missed, and
        `after_death` is called, in a thread.
        """
        if self._started and self._started[-1].poll() is None:
            return None  # It takes a second before it holds the lock.
        try:
            with self.lock().acquire(blocking=False):
                pass
        except Timeout:
            return None
        process = subprocess.Popen(  # noqa: S603 our own program
            own_program("django", self.command, "--parent", str(os.getpid())),
            cwd=settings.DATA_DIR,
            env=own_environment(),
        )
        self._started[:] = [process]
        # Waited for, so that an ended one does not look as if it were running.
        threading.Thread(
            target=_wait, args=(self, process, after_death), name=f"wait-{self.queue}", daemon=True
        ).start()
        return process

    def run(self) -> int:
        """Do the work, as a worker with heartbeats, until nothing waits; 0 if another does it."""
        try:
            with self.lock().acquire(blocking=False):
                beat_start(queues=[queue_name(self.queue)])
                try:
                    return self.work()
                finally:
                    beat_stop()
        except Timeout:
            return 0


BUILDS = Lane(BUILD, "work_builds", late("scoring.builds.work:builds_work"))
CONVERSIONS = Lane(FILES, "work_files", late("scoring.resources.convert:files_work"))


def _wait(lane: Lane, process: subprocess.Popen[bytes], after_death: Callable[[], object]) -> None:
    if process.wait() == 0:
        return
    logger.warning("The process for %s ended with %s", lane.queue, process.returncode)
    try:
        beat_lost(pid=process.pid)
        after_death()
    except (DatabaseError, InterfaceError) as error:
        # The sweep finds out by the heartbeats that are missing.
        logger.warning("Its work is taken back later, for the database says %s", error)
    finally:
        connection.close()


@contextmanager
def beats_apart() -> Iterator[None]:
    """Let a child send this process's heartbeats, by which others know that its claims hold.

    A step of a library that keeps Python's lock for minutes (training an aligner) would silence a
    thread. Call it before the database is connected: a connection must not be shared.
    """
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _beat_for(parent)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _beat_for(parent: int) -> NoReturn:
    """The child: it ends with its parent, and says nothing for one that is stopped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this.
    die_with_parent(parent)
    while os.getppid() == parent:
        time.sleep(BEAT_SECONDS)
        try:
            if psutil.Process(parent).status() != psutil.STATUS_STOPPED:
                beat_again()
        except psutil.Error:
            break
        except (DatabaseError, InterfaceError) as error:
            logger.warning("No heartbeat: the database says %s", error)
        finally:
            connection.close()
    os._exit(0)


# Sweep: return claims of dead processes to the queue, and notify workers of forgotten work.
#
# This is how work resumes after its worker was killed: the claim of a process that has stopped
# sending heartbeats is released, and another process claims the work. Every worker sweeps on its
# timer.


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
    kinds = unfinished_kinds()
    owners = Owners()
    taken = sum(take_back(kind, owners, idle=idle) for kind in kinds)
    if taken:
        logger.warning("Took back %s pieces of work from processes that ended", taken)
    wake_due(kinds)
    usual = queue_name("") in queues
    if usual:
        for rule in rules_due():
            notify_workers(REMINDERS_SEND, rule)
    notified = 0
    if idle:
        if any(kind.model is Run for kind in kinds):
            notified = _notify_runs(queues, messages)
        if usual:
            notified += wake_waiting(kinds)
            if (demo := demo_pending()) is not None:
                notify_workers(DEMO_RUNS_MAKE, demo)
                notified += 1
    return Swept(taken, notified)


def unfinished_kinds() -> list[Kind]:
    """The kinds with a job that waits, is at work or was cancelled at work; one statement.

    Most sweeps of most sites find nothing to do: they ask once, not twice for each kind.
    """
    kinds = list(KINDS.values())
    statement, parameters = _unfinished_statement()
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(compress(kinds, cursor.fetchone()))


@cache
def _unfinished_statement() -> tuple[str, list[Any]]:
    """Compiled once a process: that takes longer than the database with an answer."""
    compiled = [kind.unfinished.values("pk").query.sql_with_params() for kind in KINDS.values()]
    exists = ", ".join(f"EXISTS ({sql})" for sql, _ in compiled)
    return f"SELECT {exists}", [value for _, values in compiled for value in values]


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


# The command of such a process.


_give_up = late("scoring.tasks:give_up")


class LaneCommand(BaseCommand):
    """Does what waits in its lane, then ends."""

    lane: ClassVar[Lane]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--parent", type=int, default=0, help="end when this process ends")

    def handle(self, *args: Any, **options: Any) -> None:
        with beats_apart():
            # Also where all processes of a service are told to stop at the same time.
            signal.signal(signal.SIGTERM, lambda *_: Thread(target=_give_up, daemon=True).start())
            if options["parent"]:
                watch_parent(options["parent"], end=_give_up)
            n = self.lane.run()
        self.stdout.write(f"{n} of {self.lane.queue}")
