"""Chunks of runs, each claimed by one process by compare-and-set."""

from types import SimpleNamespace

import pytest

from scoring.metrics.overlap.simple import Pinc
from scoring.runs import store, work
from scoring.runs.start import run_start
from scoring.runs.store import Ready, chunks_claim, claim_give_back
from scoring.runs.work import run_work
from tests.factories import make_campaign
from tests.scoring.factories import finish, later, started, values
from tests.scoring.services.at_work import ELSEWHERE, at_work

pytestmark = pytest.mark.usefixtures("toy_metrics")


def test_runs_over_other_texts_or_of_another_queue_are_left_alone(campaign):
    first, korean = started(campaign, "pinc"), started(campaign, "toy-korean")
    phrase = run_start(campaign=campaign, spec="pinc", actor=None, scope="phrase")
    later(campaign)
    more = started(campaign, "pinc:max_n=2")
    for run in (first, phrase, korean, more):
        run_work(run_pk=run.pk)
    finish(first)
    for run in (phrase, korean, more):
        run.refresh_from_db()
        assert (run.status, run.done) == ("running", 0)


def test_a_chunk_that_was_tried_goes_alone(campaign):
    runs = [started(campaign, "pinc"), started(campaign, "pinc:max_n=2")]
    for run in runs:
        run_work(run_pk=run.pk)
        run.refresh_from_db()
    runs[0].chunks.update(attempts=1)
    assert [claim.run for claim in chunks_claim(work._ready(runs[0]))] == [runs[0]]
    ready = work._ready(runs[1])
    assert [one.run for one in ready] == runs[::-1]
    assert [claim.run for claim in chunks_claim(ready)] == [runs[1]]


def test_a_chunk_that_another_process_claims_after_the_look_is_theirs(run, monkeypatch):
    def another():  # Asked between the look for what waits and the claim.
        at_work(run)
        return 1

    monkeypatch.setattr(store, "os", SimpleNamespace(getpid=another))
    assert chunks_claim([Ready(run, metric=None)]) == []
    assert run.chunks.get().worker == f"{ELSEWHERE}/7"


def test_a_chunk_is_claimed_once_and_an_old_claim_changes_nothing(run):
    ready = Ready(run, metric=None)  # Nothing is scored here.
    [claim] = chunks_claim([ready])
    assert chunks_claim([ready]) == []
    assert claim.held.exists()
    at_work(run, worker=claim.chunk.worker)
    run.chunks.update(attempts=2)
    claim.put_back()
    claim_give_back(claim, ValueError("late"))
    chunk = run.chunks.get()
    assert (chunk.status, chunk.attempts, chunk.error) == ("running", 2, "")


# Scoring claimed chunks: read once, computed outside any transaction, stored together.


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
