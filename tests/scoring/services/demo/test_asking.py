"""Runs of the demo that are asked for: shown as under way, and handed to a worker by a sweep."""

import pytest

from scoring.demo import demo_runs_ask
from scoring.runs.queries import UnderWay, runs_under_way
from scoring.work import lanes
from scoring.work.lanes import sweep
from scoring.work.workers import DEMO_RUNS_MAKE, queue_name
from tests.factories import make_campaign


@pytest.mark.once  # No statement of its own: the mark is a file.
def test_an_idle_worker_of_the_usual_queue_is_told(data_dir, campaign, monkeypatch):
    sent = []
    monkeypatch.setattr(lanes, "notify_workers", lambda *given, **_: sent.append(given))
    sweep(idle=True, queues=[queue_name("")])
    assert runs_under_way(campaign=campaign) is None
    demo_runs_ask(campaign=campaign)
    sweep(idle=False, queues=[queue_name("")])
    sweep(idle=True, queues=[queue_name("neural")])
    assert sent == []
    sweep(idle=True, queues=[queue_name("")])
    assert sent == [(DEMO_RUNS_MAKE, campaign.pk)]
    assert runs_under_way(campaign=campaign) == UnderWay(0, 0)
    assert runs_under_way(campaign=make_campaign("other", open_it=False)) is None
