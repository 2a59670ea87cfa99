"""manage.py run_metric: runs from the shell, worked by the command where no worker does."""

import pytest
from django.core.management import CommandError

from scoring.models import Run
from tests.factories import make_campaign
from tests.scoring.factories import later
from tests.scoring.management.commands.metric_runs import run_metric

pytestmark = pytest.mark.usefixtures("toy_metrics")


@pytest.fixture(autouse=True)
def camp():
    return make_campaign(items=3, open_it=False)


def test_runs_are_started_and_left_to_workers():
    out, warned = run_metric("--metric", "bleu", "--metric", "pinc:max_n=2", "--scope", "phrase")
    runs = list(Run.objects.order_by("pk"))
    assert [(run.label, run.scope, run.status) for run in runs] == [
        ("bleu", "phrase", "queued"),
        ("pinc:max_n=2", "phrase", "queued"),
    ]
    assert [line.split()[0] for line in out.splitlines()] == [str(run.key) for run in runs]
    assert warned == ""


def test_wait_works_itself_and_tells_how_far_it_is():
    _, progress = run_metric("--metric", "bleu", "--metric", "pinc", "--wait")
    for run in Run.objects.all():
        assert (run.status, run.done) == ("done", run.total)
        assert f"{run.label}: Done, {run.total} of {run.total}" in progress


def test_update_scores_what_came_later_or_starts_the_first_run(camp):
    run_metric("--metric", "pinc", "--wait", "--update")
    later(camp)
    run_metric("--metric", "pinc:as=other name", "--wait", "--update")
    run = Run.objects.get()
    assert (run.done, run.resumed_done) == (run.total, 1)
    with pytest.raises(CommandError, match="No text was added after this run: there") as refused:
        run_metric("--metric", "pinc", "--update")
    assert refused.value.returncode == 2


def test_a_run_that_fails_is_told_by_the_exit_status(monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("no such luck")

    monkeypatch.setattr("scoring.metrics.overlap.simple.Pinc.load", broken)
    with pytest.raises(CommandError, match="Not all") as refused:
        run_metric("--metric", "pinc", "--wait")
    assert refused.value.returncode == 1
