"""Is anybody working? What the banner, /healthz and the API say about workers."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from paraanno.data_dir import storage_id
from scoring.models import WorkerBeat
from scoring.queues import queue_name
from scoring.selectors.workers import worker_status
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


def test_a_worker_with_a_data_folder_of_its_own_is_told_of(client: Client) -> None:
    """Its exports would not be found here."""
    beat = {"pid": 1, "started_at": timezone.now(), "seen_at": timezone.now()}
    queues = [queue_name("")]
    same = storage_id()
    WorkerBeat.objects.create(name="same", host="here", queues=queues, storage=same, **beat)
    WorkerBeat.objects.create(name="old", host="old", queues=queues, **beat)  # Of an older version.
    assert worker_status().level == "ok"
    assert client.get("/readyz").json()["storage"]["ok"]
    WorkerBeat.objects.create(name="apart", host="far", queues=queues, storage="x", **beat)
    assert worker_status().level == "warning" and "on far keeps" in worker_status().message
    found = client.get("/readyz").json()
    assert found["status"] == "degraded" and found["reasons"] == [worker_status().message]


def test_only_a_worker_for_usual_work_counts_as_one() -> None:
    beat = {"host": "here", "pid": 1, "started_at": timezone.now(), "seen_at": timezone.now()}
    WorkerBeat.objects.create(name="heavy", queues=[queue_name("korean")], **beat)
    assert not worker_status().alive
    WorkerBeat.objects.create(name="usual", queues=[queue_name("")], **beat)
    assert worker_status().alive
