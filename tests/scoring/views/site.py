"""A run that is done, and reports as they are stored."""

from contextlib import contextmanager

from annotation.models import Substitution
from scoring.models import Report, Run, Score
from scoring.runs.start import run_start
from tests.clients import client_of as login

__all__ = ["PAGES", "done_run", "login", "stored"]

PAGES = ["agreement", "results", "gold", "runs", "runs/list", "correlation", "exports"]


def done_run(campaign, values, **fields):
    """A finished run with scores by text, as a worker leaves it."""
    run = run_start(campaign=campaign, spec=fields.pop("spec", "bleu"), actor=None)
    for text, value in values.items():
        Score.objects.create(
            run=run,
            substitution=Substitution.objects.get(campaign=campaign, text=text),
            value=value,
        )
    Run.objects.filter(pk=run.pk).update(
        status="done",
        done=len(values),
        started_at=run.created_at,
        finished_at=run.created_at,
        **fields,
    )
    run.refresh_from_db()
    return run


@contextmanager
def stored(kind):
    """What the report of this kind holds, to be changed to what an earlier version stored."""
    report = Report.objects.get(kind=kind)
    yield report.result
    report.save(update_fields=["result"])
