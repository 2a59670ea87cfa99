"""Heartbeats of workers, and whether the process that owns a claim is still alive."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from datetime import timedelta

import psutil
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from paraanno.data_dir import storage_id
from paraanno.jobs.process import MAIN_PID, is_running, worker_name
from scoring.models import WorkerBeat
from scoring.selectors.workers import alive

BEAT_SECONDS = 10
FORGET_AFTER = timedelta(days=7)


def pool_memory() -> list[dict[str, int | None]]:
    """Memory of the main process and its children, in that order; see `WorkerBeat.memory`.

    The proportional set size (PSS) counts a page shared by n processes as 1/n page in each, so a
    file that all of them map counts once in their sum. Only Linux reports it.
    """
    found: list[dict[str, int | None]] = []
    main = psutil.Process(MAIN_PID)
    for process in [main, *main.children()]:
        with suppress(psutil.Error):  # It has just ended, or belongs to another user.
            memory = process.memory_full_info()
            pss = getattr(memory, "pss", None)
            found.append({"pid": process.pid, "pss": pss, "rss": memory.rss})
    return found


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
    """Whether the process that signed a claim may still be working on it; two queries."""

    def __init__(self) -> None:
        self._alive = set(WorkerBeat.objects.filter(alive()).values_list("name", flat=True))
        self._known = set(WorkerBeat.objects.values_list("name", flat=True))

    def is_gone(self, process: str, *, old: bool) -> bool:
        """Whether the process has died.

        `old`: the claim is older than DEAD_AFTER. A process that never sent a heartbeat (a
        command, a worker just starting) keeps its claim for that long.
        """
        worker, _, pid = process.rpartition("/")
        if worker == worker_name():
            return not (pid.isdigit() and is_running(int(pid)))
        return worker not in self._alive and (old or worker in self._known)
