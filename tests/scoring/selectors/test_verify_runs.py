"""Rules about runs hold at every moment of a run, and chunks share no item."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotation.models import Campaign
from annotation.selectors.verify import verify
from scoring.models import Run, RunChunk
from scoring.services.runs.start import run_start
from scoring.services.runs.work import run_work
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=4, systems=2, open_it=False)


def broken(campaign: Campaign) -> list[str]:
    return [str(one) for one in verify(campaign=campaign)]


def test_the_rules_hold_from_the_start_of_a_run_to_its_end(campaign: Campaign) -> None:
    run = run_start(campaign=campaign, spec="pinc", actor=None)
    states = []
    for _ in range(4):
        run.refresh_from_db()
        states.append(run.status)
        assert broken(campaign) == []
        run_work(run_pk=run.pk)
    assert states[0] == "queued" and states[-1] == "done"


def test_a_run_that_ended_early_may_be_incomplete(campaign: Campaign) -> None:
    run = run_start(campaign=campaign, spec="pinc", actor=None)
    run_work(run_pk=run.pk)
    Run.objects.filter(pk=run.pk).update(status="cancelled", finished_at=timezone.now())
    assert broken(campaign) == []


def test_chunks_may_be_neighbours_but_share_no_item(campaign: Campaign) -> None:
    run = run_start(campaign=campaign, spec="pinc", actor=None)
    run_work(run_pk=run.pk)
    chunk = RunChunk.objects.filter(run=run).order_by("first_item")[0]
    end = chunk.last_item
    other = RunChunk.objects.create(
        run=run, number=99, first_item=end + 1, last_item=end + 5, total=0
    )
    assert broken(campaign) == []
    other.first_item = end
    other.save()
    [told] = broken(campaign)
    assert f"run chunk {other.pk}" in told and "no item in common" in told
