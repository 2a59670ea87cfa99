"""Reports that take longer than a page waits are left to a worker, if there is one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from scoring.models import Report, WorkerBeat
from scoring.selectors.cost import SECONDS, estimated_seconds
from scoring.services.reports.compute import report_get
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import done_run

pytestmark = pytest.mark.django_db


def test_a_page_waits_for_nothing_that_takes_long() -> None:
    campaign = hand_campaign()
    first = report_get(campaign=campaign, kind="influence", actor=None)
    assert first.fresh and first.report is not None
    slow = timezone.now() - timedelta(seconds=2 * SECONDS)
    Report.objects.update(started_at=slow, finished_at=timezone.now(), fingerprint="older")
    alone = report_get(campaign=campaign, kind="influence", actor=None)
    assert alone.fresh, "no worker could make it"
    Report.objects.filter(fingerprint=alone.report.fingerprint).delete()
    WorkerBeat.objects.create(
        name="here:1:a", host="here", pid=1, queues=["paraanno"], started_at=Now(), seen_at=Now()
    )
    waits = report_get(campaign=campaign, kind="influence", actor=None)
    assert not waits.fresh and waits.waiting is not None and waits.report == first.report
    assert waits.waiting.status == "queued"
    assert report_get(campaign=campaign, kind="gold", actor=None).fresh


@pytest.mark.once  # Counts what the test before writes.
def test_the_estimate_grows_with_judgments_annotators_and_runs() -> None:
    campaign: Any = hand_campaign()
    people = campaign.annotators.count()
    some = estimated_seconds(campaign=campaign, kind="influence", judgments=100)
    assert estimated_seconds(campaign=campaign, kind="influence", judgments=200) == 2 * some > 0
    campaign.annotators.create(code="new")
    assert estimated_seconds(campaign=campaign, kind="influence", judgments=100) == pytest.approx(
        some * (people + 1) / people
    )
    assert estimated_seconds(campaign=campaign, kind="correlation", judgments=9000) == 0
    done_run(campaign, {"one": 0.9})
    one = estimated_seconds(campaign=campaign, kind="mixes", judgments=9000)
    done_run(campaign, {"one": 0.9}, spec="pinc")
    assert estimated_seconds(campaign=campaign, kind="mixes", judgments=9000) == 2 * one > 0
