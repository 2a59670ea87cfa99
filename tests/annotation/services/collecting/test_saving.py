"""What becomes of an answer that comes after the lease is over: nothing is thrown away."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from annotation.errors import NotFound, RevisionClosed
from annotation.models import Judgment, Slot, SlotEvent
from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import campaign_close
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, judgment_save
from annotation.services.collecting.skipping import sheet_skip
from annotation.services.people.exclusions import exclusion_add
from annotation.services.submitting import CampaignClosed, sheet_submit
from tests.annotation.services.collecting.claimed import LATER, NOW, claimed, rate_rest, save
from tests.factories import make_annotator, make_campaign, rate_sheet

pytestmark = pytest.mark.django_db


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


def test_nobody_takes_a_place_back_after_the_close() -> None:
    bob, sheet = claimed()
    sheet_skip(annotator=bob, sheet_key=sheet.key, reason="too hard", now=NOW)
    campaign_close(campaign=bob.campaign, actor=None)
    bob.campaign.refresh_from_db()
    assert save(bob, sheet, 4, base=1).status == "surplus"
    assert sheet.slots.get(state="free").annotator is None


def test_a_sheet_submitted_again_is_done_once() -> None:
    campaign = make_campaign(items=1, k=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    rate_sheet(bob, sheet)
    assert sheet_submit(annotator=bob, sheet_key=sheet.key) == "done"
    assert list(SlotEvent.objects.values_list("kind", flat=True)) == ["claimed", "done"]


def test_every_version_keeps_the_status_that_it_had() -> None:
    bob, sheet = claimed()
    ben = make_annotator(bob.campaign, "ben")
    claim_next(annotator=ben, now=LATER)
    save(bob, sheet, 4, base=1)
    [judgment] = Judgment.objects.filter(annotator=bob)
    kept = judgment.versions.order_by("version").values_list("value", "status")
    assert list(kept) == [(3, "draft"), (4, "surplus")]


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


def test_a_done_sheet_changes_only_where_revision_is_allowed() -> None:
    bob, sheet = claimed()
    rate_rest(bob, sheet)
    sheet_submit(annotator=bob, sheet_key=sheet.key, now=LATER)
    bob.campaign.allow_revision = False
    with pytest.raises(RevisionClosed):
        save(bob, sheet, 5, base=1)
    assert not Judgment.objects.filter(value=5).exists()
    bob.campaign.allow_revision = True
    assert save(bob, sheet, 5, base=1).status == "counted"


def test_nobody_takes_a_place_back_beyond_their_own_limit() -> None:
    campaign = make_campaign(items=2, systems=1, k=1, cast=False)
    bob = make_annotator(campaign, "bob")
    left = claim_next(annotator=bob, now=NOW)
    assert left is not None
    sheet_skip(annotator=bob, sheet_key=left.key, reason="too hard", now=NOW)
    assert claim_next(annotator=bob, now=NOW) is not None
    campaign.annotators.update(sheets_at_most=1)
    assert save(bob, left, 4).status == "surplus"
    assert left.slots.get().annotator is None
    campaign.annotators.update(sheets_at_most=2)
    assert save(bob, left, 5, base=1).status == "draft"
    assert left.slots.get().annotator == bob
