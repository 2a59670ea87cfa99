"""Scoring claimed chunks: read once, computed outside any transaction, stored together."""

import pytest

from scoring.metrics.overlap.simple import Pinc
from scoring.runs import work
from scoring.runs.work import run_work
from tests.factories import make_campaign
from tests.scoring.services.runs.parts import values
from tests.scoring.services.runs.started import finish, started

pytestmark = pytest.mark.usefixtures("toy_metrics")


@pytest.mark.slow
def test_runs_started_together_read_the_texts_once(monkeypatch):
    campaign = make_campaign(items=9, open_it=False)
    monkeypatch.setattr(Pinc, "chunk_size", 4)
    runs = [
        started(campaign, spec)
        for spec in ("pinc", "pinc:lowercase=yes", "pinc:max_n=2", "pinc:max_n=3")
    ]
    read = []
    whole = work.read_texts

    def reading(**given):
        found = whole(**given)
        read.append(len(found.ids))
        return found

    def scores(run):
        return sorted(value for value, _ in values(run).values() if value is not None)

    monkeypatch.setattr(work, "read_texts", reading)
    for run in runs:
        run_work(run_pk=run.pk)  # All are prepared.
    finish(runs[0])
    assert sum(read) == runs[0].total
    for run in runs:
        run.refresh_from_db()
        assert (run.status, run.done) == ("done", run.total)
        alone = finish(started(make_campaign(f"alone-{run.pk}", items=9, open_it=False), run.label))
        assert scores(run) == scores(alone)


def test_one_run_that_breaks_does_not_hold_up_the_others(campaign):
    good, bad = started(campaign, "pinc"), started(campaign, "toy-untellable")
    campaign.substitutions.filter(pk=campaign.substitutions.first().pk).update(text="poison")
    for run in (good, bad):
        run_work(run_pk=run.pk)
    finish(good)
    assert good.status == "done" and good.failed == 0
    bad = finish(bad)
    assert (bad.status, bad.failed) == ("done", 1)
    assert "not JSON compliant" in bad.error
    assert bad.scores.filter(value=1).count() == bad.total - 1
