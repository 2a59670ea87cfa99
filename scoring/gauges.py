"""Figures of runs, queues and workers for `/metrics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db.models import Count, Max

from paraanno import clock
from paraanno.jobs.engine import KINDS
from paraanno.observability.counted import Gauge
from scoring.models import Run, RunChunk, WorkerBeat
from scoring.queues import queue_name
from scoring.work.workers import queues_taken

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
