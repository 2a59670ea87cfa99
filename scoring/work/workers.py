"""The queues of workers, their heartbeats, and whether the process that owns a claim is still
alive."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

import psutil
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.entity import Exchange, Queue
from kombu.exceptions import OperationalError

from annotation.database import short_write
from annotation.models import PausedWork
from paraanno.broker import Breaker
from paraanno.env import storage_id
from paraanno.jobs.engine import DEAD_AFTER, MAIN_PID, is_running, worker_name
from paraanno.running.supervision import HEAVY_QUEUES, SUPERVISED, prepared_file, wanted_file
from scoring.models import Run, WorkerBeat

# Taken by processes that the other workers start when something waits (scoring/work/lanes.py).
BUILD, FILES = "build", "files"


def queue_name(queue: str) -> str:
    """Return the broker's name of a queue of runs; "" is the queue of all other work."""
    usual = str(settings.CELERY_TASK_DEFAULT_QUEUE)
    return f"{usual}.{queue}" if queue else usual


def starts_on_demand(queue: str) -> bool:
    """Return whether a worker of this queue of runs starts by itself when there is work for it."""
    return SUPERVISED in os.environ and queue in HEAVY_QUEUES


# The state of workers for the banner, /healthz and the API.


TOLD_FOR = timedelta(seconds=60)
# Workers start once the web server answers, and load for some seconds.
STARTING_SECONDS = 20
LOADED = time.time()


def alive() -> Q:
    """A filter for live workers, by the database clock. After that was set back, a heartbeat that
    is ahead says nothing: a live worker soon sends another."""
    seen = (Now() - DEAD_AFTER, Now() + DEAD_AFTER)
    return Q(stopped_at=None, lost_at=None, seen_at__range=seen)


def queues_taken() -> dict[str, int]:
    """Number of processes of live workers by queue, with the broker's name of the queue."""
    taken: dict[str, int] = {}
    for queues, processes in WorkerBeat.objects.filter(alive()).values_list("queues", "processes"):
        for queue in queues:
            taken[queue] = taken.get(queue, 0) + processes
    return taken


def processes_for(queue: str) -> int:
    """Number of live processes that consume this queue of runs."""
    return queues_taken().get(queue_name(queue), 0)


def is_alive() -> bool:
    """Whether a worker for the default queue runs; one query."""
    return processes_for("") > 0


def is_starting() -> bool:
    """Whether the site has just started: this process was loaded, or the site prepared, a moment
    ago."""
    try:
        prepared = prepared_file(settings.DATA_DIR).stat().st_mtime
    except OSError:  # Only `make run` leaves this file.
        prepared = 0.0
    return 0 <= time.time() - max(LOADED, prepared) < STARTING_SECONDS


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """`level` is ok, starting, warning or error; `message` is empty for ok."""

    alive: bool
    seen_at: datetime | None
    restarted_at: datetime | None
    level: Literal["ok", "starting", "warning", "error"]
    message: str


def hosts_apart() -> list[str]:
    """Hosts of live workers whose data folder is not this one: files do not reach from one to the
    other; one query."""
    beats = WorkerBeat.objects.filter(alive()).exclude(storage__in=["", storage_id()])
    return sorted(set(beats.values_list("host", flat=True)))


def apart_message(hosts: list[str]) -> str:
    """What that means, and what to do."""
    return _(
        "The worker on %(hosts)s keeps its files in a folder of its own: what it exports cannot be "
        "downloaded here. Give all hosts the same data folder (PARAANNO_DATA_DIR)."
    ) % {"hosts": ", ".join(hosts)}


def worker_status() -> WorkerStatus:
    """Whether a worker for the default queue is alive, and whether one died within a minute.

    Four short queries; times are compared by the database clock. The last heartbeat of a live
    worker is at most 25 seconds old.
    """
    seen = WorkerBeat.objects.aggregate(seen=Max("seen_at"))["seen"]
    if not is_alive():
        if is_starting():
            return WorkerStatus(False, seen, None, "starting", _("Workers are starting."))
        return WorkerStatus(
            False,
            seen,
            None,
            "error",
            _("No worker is running: scores and reports wait until one is started."),
        )
    if hosts := hosts_apart():
        return WorkerStatus(True, seen, None, "warning", apart_message(hosts))
    lost = WorkerBeat.objects.filter(lost_at__gte=Now() - TOLD_FOR).aggregate(at=Max("lost_at"))
    restarted = lost["at"]
    if restarted is None:
        return WorkerStatus(True, seen, None, "ok", "")
    at = timezone.localtime(restarted).strftime("%H:%M:%S")
    return WorkerStatus(
        True,
        seen,
        restarted,
        "warning",
        _(
            "A worker ended unexpectedly and was restarted at %(at)s; unfinished work resumes "
            "automatically."
        )
        % {"at": at},
    )


BEAT_SECONDS = 10
FORGET_AFTER = timedelta(days=7)


def pool_memory() -> list[dict[str, int | None]]:
    """Memory of the main process and its children, in that order; see `WorkerBeat.memory`.

    The proportional set size (PSS) counts a page shared by n processes as 1/n page in each, so a
    file that all of them map counts once in their sum. Only Linux reports it.
    """
    processes: list[dict[str, int | None]] = []
    main = psutil.Process(MAIN_PID)
    for process in [main, *main.children()]:
        with suppress(psutil.Error):  # It has just ended, or belongs to another user.
            memory = process.memory_full_info()
            pss = getattr(memory, "pss", None)
            processes.append({"pid": process.pid, "pss": pss, "rss": memory.rss})
    return processes


def beat_start(*, queues: list[str], processes: int = 1) -> int:
    """Record the first heartbeat; return how many earlier workers of this host died."""
    host, pid = socket.gethostname()[:100], os.getpid()
    lost = [
        beat.pk
        for beat in WorkerBeat.objects.filter(host=host, stopped_at=None, lost_at=None)
        if beat.name != worker_name() and (beat.pid == pid or not is_running(beat.pid))
    ]
    with short_write():
        ended = WorkerBeat.objects.filter(pk__in=lost, lost_at=None).update(lost_at=Now())
        WorkerBeat.objects.update_or_create(
            name=worker_name(),
            defaults={
                "seen_at": Now(),
                "stopped_at": None,
                "lost_at": None,
                "queues": queues,
                "processes": processes,
                "storage": storage_id(),
            },
            create_defaults={
                "host": host,
                "pid": pid,
                "queues": queues,
                "processes": processes,
                "storage": storage_id(),
                "started_at": Now(),
                "seen_at": Now(),
            },
        )
        WorkerBeat.objects.filter(seen_at__lt=Now() - FORGET_AFTER).delete()
    return ended


def beat(*, queues: list[str], processes: int = 1) -> None:
    """Record a heartbeat; if the row is gone (another database), register anew."""
    if not beat_again():
        beat_start(queues=queues, processes=processes)


def beat_again() -> bool:
    """Record a heartbeat of a worker that is registered; return whether it is."""
    memory = pool_memory()
    with short_write():
        seen = WorkerBeat.objects.filter(name=worker_name()).update(
            seen_at=Now(), lost_at=None, memory=memory
        )
    return bool(seen)


def beat_stop() -> None:
    """Record that this worker stopped normally."""
    with short_write():
        WorkerBeat.objects.filter(name=worker_name()).update(stopped_at=Now(), lost_at=None)


def beat_lost(*, pid: int) -> None:
    """Record that the worker of this host with that process id has died, if there is one."""
    with short_write():
        WorkerBeat.objects.filter(
            host=socket.gethostname()[:100], pid=pid, stopped_at=None, lost_at=None
        ).update(lost_at=Now())


class Owners:
    """Whether the process that signed a claim may still be working on it; two queries, when
    first asked."""

    @cached_property
    def _alive(self) -> set[str]:
        return set(WorkerBeat.objects.filter(alive()).values_list("name", flat=True))

    @cached_property
    def _beating(self) -> set[str]:
        return set(WorkerBeat.objects.values_list("name", flat=True))

    def is_gone(self, process: str, *, old: bool) -> bool:
        """Whether the process has died.

        `old`: the claim is older than DEAD_AFTER. A process that never sent a heartbeat (a
        command, a worker just starting) keeps its claim for that long.
        """
        worker, _, pid = process.rpartition("/")
        if worker == worker_name():
            return not (pid.isdigit() and is_running(int(pid)))
        return worker not in self._alive and (old or worker in self._beating)


# Workers that run only while there is work for them: with `make run`, the one of heavy metrics.
#
# Its supervisor keeps a small process in its place, which becomes the worker as soon as a file in
# the data folder asks for it (paraanno/running/wait_until.py). Elsewhere workers run all the time.


logger = logging.getLogger(__name__)

IDLE_SECONDS = 300


def ask_for_worker(queue: str) -> None:
    """Have the worker of this queue started; nothing happens where workers run all the time."""
    if not starts_on_demand(queue):
        return
    try:
        wanted_file(settings.DATA_DIR).touch()
    except OSError as error:
        # The timer of the other worker asks again.
        logger.warning("The worker for %s cannot be asked for: %s", queue, error)


def ask_for_waiting(queues: Collection[str]) -> None:
    """Ask again for what waits in a queue that this worker, of `queues`, does not take."""
    for queue in HEAVY_QUEUES:
        if starts_on_demand(queue) and queue_name(queue) not in queues and _active([queue]):
            ask_for_worker(queue)


def is_needless(queues: Collection[str], idle_seconds: float) -> bool:
    """Return whether a worker of these queues should end itself, having been idle for so long.

    What asks for it from now on starts the next one.
    """
    startable = [one for one in HEAVY_QUEUES if queue_name(one) in queues and starts_on_demand(one)]
    if idle_seconds < IDLE_SECONDS or len(startable) < len(queues):
        return False
    wanted_file(settings.DATA_DIR).unlink(missing_ok=True)
    return not _active(startable)


REST_SECONDS = 120
GROWN = 64 * 2**20  # Bytes that a process of the pool shares with no other.


def renew_pool(submit: Callable[[Callable[[], None]], object]) -> int:
    """Replace the processes of an idle worker's pool that have grown; return how many.

    What a task loads (vectors, an encoder) stays for the next one, and would stay for weeks: a
    site at rest kept 1 GB for what its first hour had needed. `submit` gives the pool a job: a
    process that is told to end by a signal may hold the lock of the queue that all read.
    """
    children = psutil.Process(MAIN_PID).children()
    if not any(_own_memory(child) > GROWN for child in children):
        return 0
    for _child in children:
        submit(leave)
    return len(children)


def leave() -> None:
    """End the process of a pool that carries this out; another takes its place."""
    raise SystemExit


def _own_memory(process: psutil.Process) -> int:
    with suppress(psutil.Error):  # It has just ended.
        return int(process.memory_full_info().uss)
    return 0


def _active(queues: list[str]) -> bool:
    return Run.objects.filter(queue__in=queues, status__in=Run.ACTIVE).exists()


# Notify workers that there is work.
#
# A message only means "look in the database". If one is lost, or cannot be sent because the broker
# is unavailable, the work waits until the next sweep of an idle worker (`sweep` in lanes.py).


RUN_WORK = "scoring.tasks.run_work"
broker = Breaker("The broker", instead="work waits for the next sweep of an idle worker.")


def notify_workers(task: str, *about: str | int, queue: str = "", times: int = 1) -> None:
    """Send a task after the current transaction commits; at once outside of one."""
    transaction.on_commit(partial(_send, task, about, queue, times))


def _send(task: str, about: tuple[str | int, ...], queue: str, times: int) -> None:
    ask_for_worker(queue)
    if not broker.allows():
        return
    name = queue_name(queue)
    # A Queue, not its name: Celery would make this process consume from an unknown name.
    way = {"queue": Queue(name, Exchange(name), routing_key=name)} if queue else {}
    try:
        for _ in range(times):
            current_app.send_task(task, args=list(about), **way)
    except (OperationalError, OSError) as error:
        broker.failed(error)
    else:
        broker.worked()


DEMO_RUNS_MAKE = "scoring.tasks.demo_runs_make"


def demo_mark() -> Path:
    """The file that asks for these runs: it holds the id of the campaign until they are started."""
    return Path(settings.DATA_DIR) / "demo_runs_pending"


def demo_pending() -> int | None:
    """The id of the campaign whose runs are asked for; None if there is none."""
    try:
        return int(demo_mark().read_text(encoding="ascii"))
    except FileNotFoundError:
        return None


def paused_kinds() -> set[str]:
    """The kinds of work that workers leave alone for now."""
    return set(PausedWork.objects.values_list("name", flat=True))
