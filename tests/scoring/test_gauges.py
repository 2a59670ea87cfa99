"""Runs by state, what waits, and workers."""

from datetime import timedelta

import pytest

from paraanno import clock
from scoring.health import work, workers
from scoring.models import WorkerBeat
from tests.factories import make_campaign
from tests.scoring.factories import started

pytestmark = pytest.mark.django_db


def test_runs_by_state_and_what_waits_by_queue():
    run = started(make_campaign(items=2, open_it=False), "pinc")
    runs, queues = work()
    assert dict(runs.rows)[("queued",)] == 1 and dict(runs.rows)[("failed",)] == 0
    assert [labels for labels, _ in queues.rows] == [("paraanno",)]
    run.refresh_from_db()
    waiting = run.chunks.filter(status="queued").count()
    assert dict(queues.rows)[("paraanno",)] == waiting


def test_a_worker_that_went_away_ages_and_one_that_was_stopped_does_not():
    now = clock.now()
    for host, stopped in (("lost", None), ("stopped", now)):
        WorkerBeat.objects.create(
            name=host,
            host=host,
            pid=1,
            queues=["paraanno"],
            started_at=now,
            stopped_at=stopped,
            seen_at=now - timedelta(hours=1),
        )
    processes, ages = workers()
    assert processes.rows == [(("paraanno",), 0.0)]
    [(labels, age)] = ages.rows
    assert labels == ("lost",) and 3590 < age < 3700
