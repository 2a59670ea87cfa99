"""Celery tasks: each takes an id and calls one service. The work itself is in the database."""

from __future__ import annotations

from functools import partial

from celery import shared_task

from paraanno.jobs.engine import job_work as _job_work
from scoring import worker  # noqa: F401  # Connects the timer to the start of a worker.
from scoring.demo import demo_runs_make as _demo_runs_make
from scoring.runs.work import run_work as _run_work
from scoring.work.lanes import BUILDS, CONVERSIONS, sweep


@shared_task
def job_work(kind: str, pk: int) -> None:
    """Carry out a job that waits, of any kind."""
    _job_work(kind, pk)


@shared_task
def run_work(run_pk: int) -> None:
    """Do the next step of a run."""
    _run_work(run_pk=run_pk)


@shared_task
def files_begin(resource_pk: int) -> None:
    """Start the process that reads the files that wait, unless one is running."""
    CONVERSIONS.begin(after_death=partial(sweep, idle=False, queues=()))


@shared_task
def builds_begin(build_pk: int) -> None:
    """Start the process that builds what waits, unless one is running."""
    BUILDS.begin(after_death=partial(sweep, idle=False, queues=()))


@shared_task
def demo_runs_make(campaign_pk: int) -> None:
    """Start the metric runs of the demo."""
    _demo_runs_make(campaign_pk=campaign_pk)
