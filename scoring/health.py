"""The parts of `/healthz`, `/readyz` and `/metrics` about runs, queues and workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db import DatabaseError
from django.db.models import Count, Max

from paraanno import clock
from paraanno.health import PartState, part, readiness_part
from paraanno.jobs.engine import KINDS
from paraanno.observability.counted import Gauge
from scoring.models import Run, RunChunk, WorkerBeat
from scoring.work.workers import apart_message, hosts_apart, queue_name, queues_taken, worker_status


@part("worker")
def worker() -> PartState:
    try:
        status = worker_status()
    except DatabaseError as error:
        return {"ok": False, "seen_at": None, "message": f"Unknown: {type(error).__name__}."}
    return {"ok": status.alive, "seen_at": status.seen_at, "message": status.message}


@readiness_part("storage")
def storage() -> PartState:
    """Whether live workers have the data folder of this web server."""
    try:
        hosts = hosts_apart()
    except DatabaseError as error:
        return {"ok": False, "message": f"Unknown: {type(error).__name__}."}
    return {"ok": not hosts, "message": apart_message(hosts) if hosts else ""}


DEFAULT = ""


def work() -> Iterable[Gauge]:
    """Runs by state; what waits, by queue (jobs wait in the usual one)."""
    states = dict(Run.objects.values_list("status").annotate(n=Count("*")).order_by())
    rows = [((str(one),), float(states.get(one, 0))) for one in Run.Status.values]
    yield Gauge("paraanno_runs", "Runs of metrics, by status.", rows, ("status",))
    waiting: Counter[str] = Counter({DEFAULT: 0})
    chunks = RunChunk.objects.filter(status=RunChunk.Status.QUEUED, run__status__in=Run.ACTIVE)
    for queue, number in chunks.values_list("run__queue").annotate(n=Count("*")).order_by():
        waiting[queue] += number
    jobs = [kind for kind in KINDS.values() if not kind.goes_on]
    waiting[DEFAULT] += sum(kind.waiting.count() for kind in jobs)
    yield Gauge(
        "paraanno_queue_length",
        "Pieces of work that wait, by queue.",
        [((queue_name(queue),), float(number)) for queue, number in sorted(waiting.items())],
        ("queue",),
    )


def workers() -> Iterable[Gauge]:
    """Processes by queue; for each host with a worker of the last week that was not stopped, how
    long ago it was seen."""
    taken = {queue_name(DEFAULT): 0, **queues_taken()}
    rows = [((queue,), float(number)) for queue, number in sorted(taken.items())]
    yield Gauge("paraanno_worker_processes", "Live processes, by queue.", rows, ("queue",))
    beats = WorkerBeat.objects.filter(stopped_at=None).values_list("host")
    now = clock.now()
    ages = [
        ((str(host),), (now - seen).total_seconds())
        for host, seen in beats.annotate(seen=Max("seen_at")).order_by("host")
    ]
    yield Gauge(
        "paraanno_worker_beat_age_seconds", "Since a worker was last seen.", ages, ("host",)
    )
