"""What becomes of an answer that comes after the lease is over: nothing is thrown away."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.models import Annotator, Judgment, Sheet, Slot, SlotEvent
from annotation.selectors.verify import verify
from annotation.services.campaigns import campaign_close
from annotation.services.claiming import claim_next
from annotation.services.errors import NotFound, RevisionClosed
from annotation.services.exclusions import exclusion_add, exclusion_lift
from annotation.services.saving import Answer, Saved, judgment_save
from annotation.services.submitting import CampaignClosed, sheet_submit
from tests.factories import make_annotator, make_campaign, rate_all, rate_sheet

pytestmark = pytest.mark.django_db
NOW = timezone.now()
LATER = NOW + timedelta(hours=3)


def save(
    annotator: Annotator, sheet: Sheet, value: float | None, base: int = 0, now=LATER
) -> Saved:
    entry = sheet.entries.select_related("substitution").order_by("pk")[0]
    return judgment_save(
        annotator=annotator, sheet_key=sheet.key, substitution_key=entry.substitution.key,
        scale_key=annotator.campaign.scales.all()[0].key, answer=Answer(value),
        request_id=uuid4(), base_version=base, now=now,
    )  # fmt: skip


def claimed(k: int = 1) -> tuple[Annotator, Sheet]:
    campaign = make_campaign(items=1, k=k, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob, now=NOW)
    assert sheet is not None
    save(bob, sheet, 3, now=NOW)
    return bob, sheet


def test_the_own_slot_stays_as_long_as_nobody_took_it() -> None:
    bob, sheet = claimed()
    saved = save(bob, sheet, 4, base=1)
    assert (saved.sheet_state, saved.status) == ("claimed", "draft")
    assert Slot.objects.get(sheet=sheet).lease_expires_at > LATER


def test_own_slot_is_taken_back_where_it_is_free_again() -> None:
    bob, sheet = claimed()
    ben = make_annotator(bob.campaign, "ben")
    assert claim_next(annotator=ben, now=LATER) == sheet
    assert save(bob, sheet, 4, base=1, now=LATER).status == "surplus"
    much_later = LATER + timedelta(hours=3)
    saved = save(bob, sheet, 5, base=2, now=much_later)
    assert (saved.sheet_state, saved.status) == ("claimed", "draft")
    slot = Slot.objects.get(sheet=sheet)
    assert slot.annotator == bob
    kinds = list(slot.events.values_list("annotator__user__username", "kind"))
    assert kinds == [
        ("bob", "claimed"),
        ("bob", "lost"),
        ("ben", "claimed"),
        ("ben", "lost"),
        ("bob", "retaken"),
    ]
    assert verify(campaign=bob.campaign) == []


def test_another_free_slot_of_the_sheet_takes_it() -> None:
    bob, sheet = claimed(k=2)
    ben = make_annotator(bob.campaign, "ben")
    cleo = make_annotator(bob.campaign, "cleo")
    claim_next(annotator=ben, now=NOW)
    rate_sheet(ben, sheet)
    claim_next(annotator=cleo, now=LATER)
    rate_sheet(cleo, sheet)
    exclusion_add(target=ben, reason="test", actor=None)
    saved = save(bob, sheet, 4, base=1)
    assert (saved.sheet_state, saved.status) == ("claimed", "draft")
    assert Slot.objects.get(annotator=bob).number == 3
    assert verify(campaign=bob.campaign) == []


def test_no_place_left_keeps_everything_as_surplus() -> None:
    bob, sheet = claimed()
    ben = make_annotator(bob.campaign, "ben")
    claim_next(annotator=ben, now=LATER)
    rate_sheet(ben, sheet)
    assert save(bob, sheet, 4, base=1).status == "surplus"
    assert set(Judgment.objects.filter(annotator=bob).values_list("status", flat=True)) == {
        "surplus"
    }
    counted = Judgment.objects.filter(status="counted")
    assert set(counted.values_list("annotator", flat=True)) == {ben.pk}
    assert verify(campaign=bob.campaign) == []


def test_a_sheet_that_was_never_claimed_is_not_there() -> None:
    bob, sheet = claimed()
    stranger = make_annotator(bob.campaign, "charles")
    with pytest.raises(NotFound):
        save(stranger, sheet, 4)
    assert not Judgment.objects.filter(annotator=stranger).exists()


def test_clearing_a_required_answer_reopens_a_done_sheet() -> None:
    bob, sheet = claimed()
    rest = [
        (entry, scale)
        for entry in sheet.entries.select_related("substitution").order_by("pk")
        for scale in bob.campaign.scales.all()
    ][1:]
    for entry, scale in rest:
        judgment_save(
            annotator=bob, sheet_key=sheet.key, substitution_key=entry.substitution.key,
            scale_key=scale.key, answer=Answer(2), request_id=uuid4(), base_version=0,
        )  # fmt: skip
    assert sheet_submit(annotator=bob, sheet_key=sheet.key) == "done"
    assert save(bob, sheet, None, base=1).sheet_state == "claimed"
    assert claim_next(annotator=bob) == sheet
    assert not Judgment.objects.filter(status="counted").exists()
    assert verify(campaign=bob.campaign) == []
    assert save(bob, sheet, 5, base=2).status == "draft"
    assert sheet_submit(annotator=bob, sheet_key=sheet.key) == "done"
    kinds = list(SlotEvent.objects.values_list("kind", flat=True))
    assert kinds == ["claimed", "done", "reopened", "done"]


def test_after_closing_nothing_counts_and_nothing_is_lost() -> None:
    bob, sheet = claimed()
    campaign_close(campaign=bob.campaign, actor=None)
    bob.campaign.refresh_from_db()
    assert save(bob, sheet, 5, base=1).answer == Answer(5)
    with pytest.raises(CampaignClosed):
        sheet_submit(annotator=bob, sheet_key=sheet.key)
    assert Judgment.objects.get(annotator=bob).value == 5


def test_a_done_sheet_stays_as_it_is_after_closing() -> None:
    bob, sheet = claimed()
    Judgment.objects.all()
    rate_rest = sheet.entries.count() * 2
    assert rate_rest == 4
    for entry in sheet.entries.select_related("substitution"):
        for scale in bob.campaign.scales.all():
            stored = Judgment.objects.filter(
                annotator=bob, substitution=entry.substitution, scale=scale
            ).first()
            judgment_save(
                annotator=bob, sheet_key=sheet.key, substitution_key=entry.substitution.key,
                scale_key=scale.key, answer=Answer(4), request_id=uuid4(),
                base_version=stored.version if stored else 0,
            )  # fmt: skip
    sheet_submit(annotator=bob, sheet_key=sheet.key)
    campaign_close(campaign=bob.campaign, actor=None)
    bob.campaign.refresh_from_db()
    with pytest.raises(RevisionClosed) as refused:
        save(bob, sheet, 1, base=2)
    assert refused.value.data["stored"]["value"] == 4


def test_excluding_opens_a_place_and_lifting_takes_it_back() -> None:
    campaign = make_campaign(items=2, k=1, cast=False)
    bob = make_annotator(campaign, "bob")
    rate_all(bob)
    exclusion = exclusion_add(target=bob, reason="in a hurry", actor=None)
    assert set(Judgment.objects.values_list("status", flat=True)) == {"surplus"}
    assert Slot.objects.filter(state="free").count() == 2
    ben = make_annotator(campaign, "ben")
    first = claim_next(annotator=ben)
    rate_sheet(ben, first)
    exclusion_lift(exclusion=exclusion, actor=None)
    restored = Slot.objects.filter(annotator=bob, state="done")
    assert [slot.sheet_id != first.pk for slot in restored] == [True]
    counted = Judgment.objects.filter(annotator=bob, status="counted")
    assert counted.count() == 4
    assert verify(campaign=campaign) == []
