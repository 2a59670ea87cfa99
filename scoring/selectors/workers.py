"""The state of workers for the banner, /healthz and the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import Max, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from paraanno.data_dir import storage_id
from paraanno.jobs.process import DEAD_AFTER
from scoring.models import WorkerBeat
from scoring.queues import queue_name

TOLD_FOR = timedelta(seconds=60)


def alive() -> Q:
    """A filter for live workers, by the database clock."""
    return Q(stopped_at=None, lost_at=None, seen_at__gte=Now() - DEAD_AFTER)


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


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """`level` is ok, warning or error; `message` is empty for ok."""

    alive: bool
    seen_at: datetime | None
    restarted_at: datetime | None
    level: Literal["ok", "warning", "error"]
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
