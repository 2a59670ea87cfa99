"""Rules about runs hold at every moment of a run, and chunks share no item."""

import pytest

from annotation.verify import verify
from scoring.runs.start import run_cancel
from scoring.runs.work import run_work
from tests.factories import make_campaign
from tests.scoring.services.runs.started import started


@pytest.fixture
def run():
    return started(make_campaign(open_it=False), "pinc")


def broken(run):
    return [str(one) for one in verify(campaign=run.campaign)]


def test_the_rules_hold_from_the_start_of_a_run_to_its_end(run):
    states = []
    for _ in range(4):
        run.refresh_from_db()
        states.append(run.status)
        assert broken(run) == []
        run_work(run_pk=run.pk)
    assert states[0] == "queued" and states[-1] == "done"


def test_a_run_that_ended_early_may_be_incomplete(run):
    run_work(run_pk=run.pk)
    run_cancel(run=run, actor=None)
    assert broken(run) == []


def test_chunks_may_be_neighbours_but_share_no_item(run):
    run_work(run_pk=run.pk)
    end = run.chunks.order_by("first_item")[0].last_item
    other = run.chunks.create(number=99, first_item=end + 1, last_item=end + 5, total=0)
    assert broken(run) == []
    other.first_item = end
    other.save()
    [rule] = broken(run)
    assert f"run chunk {other.pk}" in rule and "no item in common" in rule
