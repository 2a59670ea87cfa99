"""Signs of life: which workers there are, and whose claims have no owner any more."""

from __future__ import annotations

import os
import secrets
import socket
from contextlib import suppress
from datetime import timedelta

import psutil
from django.db.models import Q
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from scoring.models import WorkerBeat
from scoring.services.bell import queue_name

BEAT_SECONDS = 10
# Two beats may be late before a worker counts as dead.
DEAD_AFTER = timedelta(seconds=25)
FORGET_AFTER = timedelta(days=7)

# Made in the main process of a worker and inherited by its children: they are one worker.
_MAIN_PID = os.getpid()
_TOKEN = secrets.token_hex(4)


def worker_name() -> str:
    """The name of this worker: host, main process, and a token that outlives no restart."""
    return f"{socket.gethostname()[:60]}:{_MAIN_PID}:{_TOKEN}"


def process_name() -> str:
    """What a claim is signed with: the worker and the very process."""
    return f"{worker_name()}/{os.getpid()}"


def pool_memory() -> list[dict[str, int | None]]:
    """What this process and its children hold, the main one first; see `WorkerBeat.memory`.

    The proportional set size counts a page that n processes share as 1/n page in each, so that a
    file that all of them map is counted once in their sum. Only Linux tells it.
    """
    found: list[dict[str, int | None]] = []
    main = psutil.Process(_MAIN_PID)
    for process in [main, *main.children()]:
        with suppress(psutil.Error):  # It has just ended, or is not ours.
            memory = process.memory_full_info()
            pss = getattr(memory, "pss", None)
            found.append({"pid": process.pid, "pss": pss, "rss": memory.rss})
    return found


def beat_start(*, queues: list[str], processes: int = 1) -> int:
    """First sign of life. Returns how many earlier workers of this host ended unexpectedly."""
    host, pid = socket.gethostname()[:100], os.getpid()
    lost = [
        beat.pk
        for beat in WorkerBeat.objects.filter(host=host, stopped_at=None, lost_at=None)
        if beat.name != worker_name() and (beat.pid == pid or not _is_running(beat.pid))
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
            },
            create_defaults={
                "host": host,
                "pid": pid,
                "queues": queues,
                "processes": processes,
                "started_at": Now(),
                "seen_at": Now(),
            },
        )
        WorkerBeat.objects.filter(seen_at__lt=Now() - FORGET_AFTER).delete()
    return ended


def beat(*, queues: list[str], processes: int = 1) -> None:
    """A sign of life; one whose row has gone (another database) starts anew."""
    memory = pool_memory()
    with short_write():
        seen = WorkerBeat.objects.filter(name=worker_name()).update(
            seen_at=Now(), lost_at=None, memory=memory
        )
    if not seen:
        beat_start(queues=queues, processes=processes)


def beat_stop() -> None:
    """The last sign of a worker that ends in order."""
    with short_write():
        WorkerBeat.objects.filter(name=worker_name()).update(stopped_at=Now(), lost_at=None)


def alive() -> Q:
    """The beats of workers that live, by the clock of the database."""
    return Q(stopped_at=None, lost_at=None, seen_at__gte=Now() - DEAD_AFTER)


def queues_taken() -> dict[str, int]:
    """How many processes of living workers take each queue, by the broker's name of it."""
    taken: dict[str, int] = {}
    for queues, processes in WorkerBeat.objects.filter(alive()).values_list("queues", "processes"):
        for queue in queues:
            taken[queue] = taken.get(queue, 0) + processes
    return taken


def processes_for(queue: str) -> int:
    """How many living processes take this queue of runs."""
    return queues_taken().get(queue_name(queue), 0)


class Owners:
    """Answers whether the process that signed a claim may still be at work; two queries."""

    def __init__(self) -> None:
        self._alive = set(WorkerBeat.objects.filter(alive()).values_list("name", flat=True))
        self._known = set(WorkerBeat.objects.values_list("name", flat=True))

    def is_gone(self, process: str, *, old: bool) -> bool:
        """`old`: the claim is older than DEAD_AFTER. A process without any beat (a command, a
        worker just starting) has that long."""
        worker, _, pid = process.rpartition("/")
        if worker == worker_name():
            return not (pid.isdigit() and _is_running(int(pid)))
        return worker not in self._alive and (old or worker in self._known)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # It is there, and someone else's.
        return True
    return True
