"""Runs that are started and carried to their end."""

from scoring.models import Run
from scoring.runs.start import run_start
from scoring.runs.work import run_work
from tests.factories import make_user


def finish(run, steps=100):
    """Take steps until the run is over."""
    for _ in range(steps):
        run_work(run_pk=run.pk)
        run.refresh_from_db()
        if run.status not in Run.ACTIVE:
            return run
    raise AssertionError(f"{run} is not over after {steps} steps")


def started(campaign, spec="bleu"):
    return run_start(campaign=campaign, spec=spec, actor=make_user("alice"))
