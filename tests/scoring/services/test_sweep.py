"""What a dead process left is put back once, by whoever sees it first; the living keep theirs."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from paraanno.jobs.engine import process_name, worker_name
from scoring.models import Report, Run
from scoring.work.lanes import sweep
from scoring.work.workers import Owners
from tests.factories import make_user
from tests.scoring.services.at_work import ELSEWHERE, at_work, beat

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("claim", "heard", "idle", "taken"),
    [
        pytest.param({}, {"ago": MINUTE}, False, 1, id="dead_worker"),
        pytest.param({}, {"stopped_at": Now()}, False, 1, id="stopped_is_dead_at_once"),
        pytest.param({}, {"lost_at": Now()}, False, 1, id="lost_is_dead_at_once"),
        pytest.param({"ago": 60 * MINUTE}, {}, True, 0, id="worker_that_lives_and_takes_long"),
        pytest.param({}, None, False, 0, id="never_gave_a_sign_and_has_some_time"),
        pytest.param({"ago": MINUTE}, None, False, 1, id="never_gave_a_sign_for_a_minute"),
        pytest.param({"worker": process_name()}, None, False, 0, id="its_own_while_busy"),
        pytest.param({"worker": process_name()}, None, True, 1, id="its_own_as_an_idle_worker"),
    ],
)
def test_chunks_of_the_dead_wait_again(run, claim, heard, idle, taken):
    at_work(run, **claim)
    if heard is not None:
        beat(**heard)
    assert sweep(idle=idle, queues=[]).taken_back == taken
    # Where the worker lives, no text is to blame.
    attempts = 0 if taken and "worker" in claim else 1
    chunk = run.chunks.get()
    assert (chunk.status, chunk.attempts) == ("queued" if taken else "running", attempts)
    assert sweep(idle=False, queues=[]).taken_back == 0


def meanwhile(monkeypatch, act):
    """Another worker acts between the look of the sweep and its write."""

    def gone(*_, **__):
        act()
        return True

    monkeypatch.setattr(Owners, "is_gone", gone)


@pytest.mark.parametrize(
    "claim",
    [{"worker": f"{worker_name()}/9", "attempts": 2}, {"token": "another"}],
    ids=["somebody", "another_claim_of_the_same_process"],
)
def test_a_chunk_that_was_taken_meanwhile_stays(run, claim, monkeypatch):
    at_work(run)
    meanwhile(monkeypatch, lambda: run.chunks.update(**claim))
    assert sweep(idle=False, queues=[]).taken_back == 0
    assert run.chunks.filter(status="running", **claim).exists()


@pytest.mark.parametrize("other", [False, True])
def test_a_run_under_preparation_is_put_back_once(run, other, monkeypatch):
    runs = Run.objects.all()
    runs.update(status="preparing", worker=f"{ELSEWHERE}/7", heartbeat=Now())
    beat(ago=MINUTE)
    if other:
        meanwhile(monkeypatch, lambda: runs.update(worker=process_name()))
    assert sweep(idle=False, queues=[]).taken_back == (not other)
    assert runs.get().status == ("preparing" if other else "queued")


@pytest.mark.parametrize("other", [False, True])
def test_a_report_is_made_again_and_not_for_ever(run, other, monkeypatch):
    reports = Report.objects.all()
    reports.create(
        campaign=run.campaign, kind="agreement", fingerprint="x", created_by=make_user("alice")
    )
    beat(ago=MINUTE)
    for attempt in (1, 2, 3):
        running = {"status": "running", "worker": f"{ELSEWHERE}/7", "started_at": Now()}
        reports.update(attempts=attempt, **running)
        if other:
            meanwhile(monkeypatch, lambda: reports.update(worker=process_name()))
        assert sweep(idle=False, queues=[]).taken_back == (attempt < 3 and not other)
    assert reports.get().status == ("running" if other else "failed")
