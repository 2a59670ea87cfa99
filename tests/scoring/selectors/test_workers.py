"""Is anybody working? What the banner, /healthz and the API say about workers."""

from __future__ import annotations

import pytest
from django.utils import timezone

from scoring.models import WorkerBeat
from scoring.queues import queue_name
from tests.clients import text_of
from tests.factories import make_campaign
from tests.scoring.management.commands.metric_runs import run_metric

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_metrics")]


def test_the_page_says_which_queue_has_no_worker() -> None:
    from tests.scoring.views.site import login

    campaign = make_campaign(items=1, open_it=False)
    run_metric("--metric", "pinc", "--metric", "toy-korean")
    beat = {"host": "here", "pid": 1, "started_at": timezone.now(), "seen_at": timezone.now()}
    WorkerBeat.objects.create(name="usual", queues=[queue_name("")], **beat)
    address = f"/c/{campaign.slug}/runs/"
    words = "no worker consumes the queue"
    page = text_of(login("alice").get(address))
    assert page.count(words) == page.count(f"{words} korean") == 1
    WorkerBeat.objects.create(name="heavy", queues=[queue_name("korean")], **beat)
    assert words not in text_of(login("alice").get(address))


def test_only_a_worker_for_usual_work_counts_as_one() -> None:
    from scoring.selectors.workers import worker_status

    beat = {"host": "here", "pid": 1, "started_at": timezone.now(), "seen_at": timezone.now()}
    WorkerBeat.objects.create(name="heavy", queues=[queue_name("korean")], **beat)
    assert not worker_status().alive
    WorkerBeat.objects.create(name="usual", queues=[queue_name("")], **beat)
    assert worker_status().alive
