"""Metric runs: starting, cancelling, trying again."""

from __future__ import annotations

import pytest

from annotation.errors import Invalid
from annotation.models import Exclusion
from annotation.services.campaigns.campaigns import campaign_create
from scoring.models import Run, RunChunk, Score
from scoring.services.runs.start import run_cancel, run_retry
from scoring.services.runs.work import run_work
from tests.factories import make_campaign
from tests.scoring.services.runs.started import finish, started

pytestmark = pytest.mark.django_db


def test_the_same_run_is_not_started_twice() -> None:
    campaign = make_campaign(items=2, open_it=False)
    assert started(campaign) == started(campaign)
    assert started(campaign, "bleu:lowercase=yes") != started(campaign)


def test_cancel_and_try_again() -> None:
    campaign = make_campaign(items=4, open_it=False)
    run = started(campaign)
    run_work(run_pk=run.pk)
    assert run_cancel(run=run, actor=None)
    run.refresh_from_db()
    assert run.status == Run.Status.CANCELLED
    run_work(run_pk=run.pk)
    assert not Score.objects.filter(run=run).exists()
    run_retry(run=run, actor=None)
    assert finish(run).status == Run.Status.DONE
    assert run.scores.count() == run.total


def test_wrong_metrics_and_empty_campaigns_are_refused() -> None:
    campaign = make_campaign(items=1, open_it=False)
    with pytest.raises(Invalid, match="nonsense"):
        started(campaign, "nonsense")
    with pytest.raises(Invalid):
        started(campaign, "bleu:colour=red")
    empty = campaign_create(actor=None, slug="empty")
    with pytest.raises(Invalid, match="import items"):
        started(empty)
    assert not Exclusion.objects.exists()
    assert not RunChunk.objects.filter(run__campaign=empty).exists()
