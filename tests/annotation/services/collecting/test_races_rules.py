"""Researchers change the rules while sixteen threads annotate."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.models import Campaign, Exclusion, Judgment, Sheet, Slot
from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import annotators_per_sheet_set, campaign_close
from annotation.services.collecting.claiming import NotClaimable, claim_next
from annotation.services.collecting.opening import sheets_make
from annotation.services.collecting.saving import Answer, judgment_save
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from annotation.services.submitting import CampaignClosed, sheet_submit
from tests.annotation.services.together import THREADS, together, unforeseen
from tests.factories import add_items, item_rows, make_annotator, make_campaign, rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


def test_sixteen_annotators_come_to_the_first_shared_sheet() -> None:
    campaign = make_campaign(items=2, k=1, cast=False, shared_share=1.0)
    annotators = [make_annotator(campaign, f"racer{number}") for number in range(THREADS)]
    sheets = together([lambda a=a: claim_next(annotator=a) for a in annotators])
    assert unforeseen(sheets) == []
    assert {getattr(sheet, "pk", sheet) for sheet in sheets} == {
        Sheet.objects.order_by("pk").values_list("pk", flat=True)[0]
    }
    assert Slot.objects.filter(state="claimed").count() == THREADS
    assert verify(campaign=campaign) == []


def test_excluded_while_claiming_and_while_k_changes() -> None:
    campaign = make_campaign(items=6, k=2, cast=False)
    annotators = [make_annotator(campaign, f"racer{number}") for number in range(5)]
    for annotator in annotators:
        sheet = claim_next(annotator=annotator)
        rate_sheet(annotator, sheet)
    work = [lambda a=a: claim_next(annotator=a) for a in annotators for _ in range(2)]
    work += [lambda a=a: exclusion_add(target=a, reason="race", actor=None) for a in annotators]
    work += [lambda: annotators_per_sheet_set(campaign=campaign, wanted=3, actor=None)]
    assert unforeseen(together(work)) == []
    assert Exclusion.objects.count() == 5
    assert not Slot.objects.filter(state__in=["claimed", "done"]).exists()
    assert verify(campaign=campaign) == []
    lifts = [lambda e=e: exclusion_lift(exclusion=e, actor=None) for e in Exclusion.objects.all()]
    assert unforeseen(together(lifts)) == []
    assert verify(campaign=campaign) == []


def test_nothing_is_submitted_after_the_close() -> None:
    campaign = make_campaign(items=16, k=1, cast=False)
    annotators = [make_annotator(campaign, f"racer{number}") for number in range(THREADS - 1)]
    sheets = [claim_next(annotator=one) for one in annotators]
    for one, sheet in zip(annotators, sheets, strict=True):
        rate_sheet(one, sheet, submit=False)
    work = [
        lambda a=a, s=s: sheet_submit(annotator=a, sheet_key=s.key)
        for a, s in zip(annotators, sheets, strict=True)
    ]
    results = together([*work, lambda: campaign_close(campaign=campaign, actor=None)])
    assert unforeseen(results) == []
    closed = Campaign.objects.get(pk=campaign.pk).closed_at
    assert not Slot.objects.filter(done_at__gt=closed).exists()
    assert verify(campaign=campaign) == []


def test_late_saves_race_for_one_place() -> None:
    """Fifteen lost their lease; one place is free again."""
    campaign = make_campaign(items=1, k=1, cast=False)
    now = timezone.now()
    racers = [make_annotator(campaign, f"racer{number}") for number in range(THREADS)]
    sheet = None
    for number, racer in enumerate(racers):
        sheet = claim_next(annotator=racer, now=now + timedelta(hours=3 * number))
    assert sheet is not None
    entry = sheet.entries.select_related("substitution").first()
    scale = campaign.scales.first()
    work = [
        lambda a=a: judgment_save(
            annotator=a, sheet_key=sheet.key, substitution_key=entry.substitution.key,
            scale_key=scale.key, answer=Answer(2.0), request_id=uuid4(), base_version=0,
            now=now + timedelta(hours=3 * THREADS + 3),
        )
        for a in racers
    ]  # fmt: skip
    results = together(work)
    assert unforeseen(results) == []
    assert Counter(one.status for one in results) == {"surplus": THREADS - 1, "draft": 1}
    assert Judgment.objects.count() == THREADS
    assert verify(campaign=campaign) == []


def test_two_imports_make_sheets_at_once() -> None:
    campaign = make_campaign(items=2, k=2, cast=False)
    add_items(campaign, item_rows(40, 3))
    results = together([lambda: sheets_make(campaign=campaign)] * 6)
    assert unforeseen(results) == []
    assert verify(campaign=campaign) == []


__all__ = ["CampaignClosed", "NotClaimable"]
