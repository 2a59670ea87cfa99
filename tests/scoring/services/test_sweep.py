"""What a dead process left is put back once, by whoever sees it first; the living keep theirs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from scoring.models import Report, Run, WorkerBeat
from scoring.services import sweep as module
from scoring.services.sweep import sweep
from scoring.services.workers.heartbeats import process_name, worker_name
from tests.factories import make_user
from tests.scoring.services.at_work import ELSEWHERE, at_work

pytestmark = pytest.mark.django_db


MINUTE = timedelta(minutes=1)


def beat(*, ago: timedelta = timedelta(0), **fields: Any) -> None:
    WorkerBeat.objects.create(
        name=ELSEWHERE, host="elsewhere", pid=1, started_at=Now(), seen_at=Now() - ago, **fields
    )


def test_a_chunk_of_a_dead_worker_waits_again(run: Run) -> None:
    at_work(run)
    beat(ago=MINUTE)
    assert sweep(idle=False, queues=[]).taken_back == 1
    assert (run.chunks.get().status, run.chunks.get().attempts) == ("queued", 1)
    assert sweep(idle=False, queues=[]).taken_back == 0


@pytest.mark.parametrize("gone", [{"stopped_at": Now()}, {"lost_at": Now()}])
def test_a_worker_that_stopped_or_was_lost_is_dead_at_once(run: Run, gone: Any) -> None:
    at_work(run)
    beat(**gone)
    assert sweep(idle=False, queues=[]).taken_back == 1


def test_a_chunk_of_a_worker_that_lives_is_its_own_however_long_it_takes(run: Run) -> None:
    at_work(run, ago=60 * MINUTE)
    beat()
    assert sweep(idle=True, queues=[]).taken_back == 0
    assert run.chunks.get().status == "running"


def test_a_process_that_never_gave_a_sign_has_some_time(run: Run) -> None:
    at_work(run)
    assert sweep(idle=False, queues=[]).taken_back == 0
    at_work(run, ago=MINUTE)
    assert sweep(idle=False, queues=[]).taken_back == 1


def test_what_its_own_processes_claim_is_taken_back_by_an_idle_worker_alone(run: Run) -> None:
    at_work(run, worker=process_name())
    assert sweep(idle=False, queues=[]).taken_back == 0
    assert sweep(idle=True, queues=[]).taken_back == 1
    # The worker lives, so that no text is to blame.
    assert run.chunks.get().attempts == 0


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Another worker acts between the look of the sweep and its write."""

    def gone(*_: object) -> bool:
        act()
        return True

    monkeypatch.setattr(module, "_gone", gone)


def test_a_chunk_that_somebody_took_meanwhile_is_theirs(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work(run)
    again = {"worker": f"{worker_name()}/9", "attempts": 2}
    meanwhile(monkeypatch, lambda: run.chunks.update(**again))
    assert sweep(idle=False, queues=[]).taken_back == 0
    assert run.chunks.filter(status="running", **again).exists()


def test_a_chunk_that_was_taken_again_by_the_same_process_is_another_claim(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work(run)
    meanwhile(monkeypatch, lambda: run.chunks.update(attempts=2))
    assert sweep(idle=False, queues=[]).taken_back == 0
    assert run.chunks.get().attempts == 2


@pytest.mark.parametrize("other", [False, True])
def test_a_run_under_preparation_is_put_back_once(
    run: Run, other: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Run.objects.filter(pk=run.pk)
    runs.update(status="preparing", worker=f"{ELSEWHERE}/7", heartbeat=Now())
    beat(ago=MINUTE)
    if other:
        meanwhile(monkeypatch, lambda: runs.update(worker=process_name()))
    assert sweep(idle=False, queues=[]).taken_back == (0 if other else 1)
    assert runs.get().status == ("preparing" if other else "queued")


@pytest.mark.parametrize("other", [False, True])
def test_a_report_is_made_again_and_not_for_ever(
    run: Run, other: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = Report.objects.create(
        campaign=run.campaign, kind="agreement", fingerprint="x", created_by=make_user("alice")
    )
    reports = Report.objects.filter(pk=report.pk)
    beat(ago=MINUTE)
    for attempt in (1, 2, 3):
        running = {"status": "running", "worker": f"{ELSEWHERE}/7", "started_at": Now()}
        reports.update(attempts=attempt, **running)
        if other:
            meanwhile(monkeypatch, lambda: reports.update(worker=process_name()))
        assert sweep(idle=False, queues=[]).taken_back == (attempt < 3 and not other)
    assert reports.get().status == ("running" if other else "failed")
