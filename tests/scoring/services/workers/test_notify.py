"""Telling workers that there is something to do."""

from datetime import timedelta

import pytest

from scoring.runs.work import run_work
from scoring.work.lanes import sweep
from scoring.work.workers import queue_name
from tests.scoring.factories import started
from tests.scoring.services.at_work import at_work

pytestmark = pytest.mark.usefixtures("toy_metrics")


@pytest.fixture
def rung(monkeypatch):
    """Which runs were rung for, and in which queue."""
    bells = []
    monkeypatch.setattr(
        "scoring.work.workers._send",
        lambda _task, about, queue, _times: bells.append((*about, queue)),
    )
    monkeypatch.setattr("scoring.work.workers.transaction.on_commit", lambda call: call())
    return bells


def test_an_idle_worker_rings_for_its_own_queues_alone(campaign, rung):
    usual, korean = started(campaign, "pinc"), started(campaign, "toy-korean")
    assert rung == [(usual.pk, ""), (korean.pk, "korean")]
    rung.clear()
    sweep(idle=True, queues=[queue_name("")])
    assert rung == [(usual.pk, "")]
    rung.clear()
    sweep(idle=True, queues=[queue_name("korean"), queue_name("neural")])
    assert rung == [(korean.pk, "korean")]
    # What a dead process left is put back by any worker, for the workers of its queue.
    run_work(run_pk=korean.pk)
    at_work(korean, ago=timedelta(days=1))
    rung.clear()
    sweep(idle=False, queues=[queue_name("")])
    assert rung == [(korean.pk, "korean")]
