"""Broken runs, scores and reports are reported."""

import pytest

from annotation.verify import verify
from scoring.runs.start import run_cancel
from scoring.runs.work import run_work
from tests.annotation.selectors.verify.breaks import control, put, report_alone, text
from tests.factories import make_campaign
from tests.scoring.factories import started


def score(r):
    return r.run.scores.all()[0]


def chunk(r):
    return r.run.chunks.all()[0]


def mean(r):
    return r.run.system_scores.filter(kind="mean")[0]


def second_chunk(r):
    first = chunk(r)
    first.pk, first.number, first.done, first._state.adding = None, 99, 0, True
    first.save()


BREAKS = [
    ("A run scores", lambda r: put(score(r), substitution=r.other.substitutions.all()[0])),
    ("A run scores", lambda r: put(score(r), substitution=control(r))),
    ("A run scores", lambda r: put(score(r), substitution=text(r, "after the run"))),
    ("A run scores", lambda r: put(score(r), substitution_id=10**9)),
    (
        "A run scores",
        lambda r: put(mean(r), system=r.other.systems.all()[0], n=0, value=None, reason="none"),
    ),
    ("A run's counts", lambda r: put(chunk(r), done=99)),
    ("A run's counts", lambda r: put(chunk(r), failed=1)),
    ("The chunks", second_chunk),
    ("A run that is done", lambda r: score(r).delete()),
    ("A run that is done", lambda r: put(r.run, total=99)),
    ("A run that is done", lambda r: put(r.run, reused=1)),
    ("A run that is done", lambda r: put(chunk(r), status="failed")),
    ("A system's", lambda r: put(mean(r), n=99)),
    ("A system's", lambda r: put(mean(r), n=0)),
    ("A run is signed", lambda r: put(r.run, signature="")),
    ("A run is signed", lambda r: put(r.run, options={})),
    ("A run is signed", lambda r: put(r.run, state={"n": 1})),
    ("A report's", lambda r: put(r.report, options={"surplus": True})),
    ("A report's", lambda r: put(r.report, fingerprint="none")),
]


@pytest.mark.slow
def test_each_rule_is_reported_alone_when_it_is_broken():
    report_alone(BREAKS)


# Rules about runs hold at every moment of a run, and chunks share no item.


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
