"""Telling workers that there is something to do."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.models import Campaign
from scoring.queues import queue_name
from scoring.services.runs.work import run_work
from scoring.services.sweep import sweep
from tests.scoring.services.at_work import at_work
from tests.scoring.services.runs.started import started

pytestmark = pytest.mark.usefixtures("toy_metrics")


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Which runs were rung for, and in which queue."""
    bells: list[tuple[int, str]] = []
    monkeypatch.setattr(
        "scoring.services.workers.notify._send",
        lambda _task, pk, queue, _times: bells.append((pk, queue)),
    )
    monkeypatch.setattr(
        "scoring.services.workers.notify.transaction.on_commit", lambda call: call()
    )
    return bells


@pytest.mark.django_db
def test_an_idle_worker_rings_for_its_own_queues_alone(
    campaign: Campaign, rung: list[tuple[int, str]]
) -> None:
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
