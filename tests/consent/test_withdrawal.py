"""Leaving a campaign: what goes to others, what is kept, what is erased, and coming back."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from annotation.models import (
    Annotator,
    AuditEntry,
    BackgroundAnswer,
    Campaign,
    Consent,
    Exclusion,
    Judgment,
    Membership,
    Slot,
    Withdrawal,
)
from annotation.selectors.verify import verify
from annotation.services.background import Given, Question, background_answer, question_add
from annotation.services.claiming import NotClaimable, claim_next
from annotation.services.consent import consent_give, consent_text_add
from annotation.services.errors import NotAllowed, RevisionClosed
from annotation.services.exclusions import exclusion_add, exclusion_lift
from annotation.services.people import invitation_accept, invitation_create, membership_set
from annotation.services.withdrawal import annotator_withdraw
from scoring.selectors.ratings import ratings_get
from tests.factories import make_annotator, make_campaign, make_user, rate_all, rate_sheet
from tests.pages.clients import client_of, messages_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=3, k=1)


def working(campaign: Campaign) -> Annotator:
    """Bob with one sheet done and one open, on which he has answered everything."""
    bob = make_annotator(campaign)
    assert rate_all(bob, at_most=1) == 1
    rate_sheet(bob, claim_next(annotator=bob), submit=False)
    return bob


def rated_by(campaign: Campaign) -> set[str]:
    """The codes whose judgments reach the statistics."""
    ratings = ratings_get(campaign=campaign)
    table = ratings.tables["MEANING"]
    return {ratings.annotators[at].code for at in set(table.annotator.tolist())}


def test_kept_judgments_count_and_open_sheets_go_to_others(campaign: Campaign) -> None:
    bob = working(campaign)
    answers = Judgment.objects.count()
    left = annotator_withdraw(annotator=bob)
    assert annotator_withdraw(annotator=bob) == left
    assert sorted(bob.slots.values_list("state", flat=True)) == ["done"]
    assert Judgment.objects.count() == answers and rated_by(campaign) == {bob.code}
    assert not Exclusion.objects.exists()
    assert not Membership.objects.filter(user=bob.user).exists()
    assert verify(campaign=campaign) == []
    with pytest.raises(NotClaimable, match="no longer take part"):
        claim_next(annotator=bob)
    assert rate_all(make_annotator(campaign, "ben")) == 2
    assert verify(campaign=campaign) == []


def test_removed_judgments_reach_no_statistic_and_are_judged_again(campaign: Campaign) -> None:
    bob = working(campaign)
    answers = Judgment.objects.count()
    annotator_withdraw(annotator=bob, judgments="remove")
    assert Judgment.objects.count() == answers
    assert rated_by(campaign) == set()
    assert rate_all(make_annotator(campaign, "ben")) == 3
    assert verify(campaign=campaign) == []
    with pytest.raises(NotAllowed, match="new invitation"):
        exclusion_lift(exclusion=Exclusion.objects.get(), actor=make_user("alice"))


def test_the_own_wish_takes_the_place_of_an_exclusion(campaign: Campaign) -> None:
    bob = working(campaign)
    exclusion_add(target=bob, reason="slow", actor=make_user("alice"), free_slots=False)
    annotator_withdraw(annotator=bob, judgments="remove")
    rows = Exclusion.objects.order_by("pk").values_list("kind", "ends_at")
    assert [(kind, end is None) for kind, end in rows] == [
        ("exclusion", False), ("withdrawal", True),
    ]  # fmt: skip
    assert verify(campaign=campaign) == []


def test_a_lifted_exclusion_gives_who_left_no_open_sheet(campaign: Campaign) -> None:
    bob, alice = working(campaign), make_user("alice")
    out = exclusion_add(target=bob, reason="careless", actor=alice, free_slots=True)
    annotator_withdraw(annotator=bob)
    exclusion_lift(exclusion=out, actor=alice)
    held = Slot.objects.filter(annotator=bob).values_list("state", flat=True)
    assert sorted(held) == ["done", "void"]
    assert Slot.objects.filter(state="free").count() == 2
    assert rated_by(campaign) == {bob.code}
    assert verify(campaign=campaign) == []


def test_nothing_that_is_done_is_changed_any_more(campaign: Campaign) -> None:
    dora = make_annotator(campaign, "dora")
    sheet = claim_next(annotator=dora)
    assert sheet is not None
    rate_sheet(dora, sheet)
    annotator_withdraw(annotator=dora)
    assert Membership.objects.get(user=dora.user).role == Membership.Role.RESEARCHER
    with pytest.raises(RevisionClosed):
        save(dora, sheet, 1)


def save(annotator: Annotator, sheet: Any, value: float) -> None:
    from uuid import uuid4

    from annotation.services.saving import Answer, judgment_save

    entry, scale = sheet.entries.first(), annotator.campaign.scales.first()
    assert scale is not None
    judgment_save(
        annotator=annotator, sheet_key=sheet.key, substitution_key=entry.substitution.key,
        scale_key=scale.key, answer=Answer(value), request_id=uuid4(), base_version=1,
    )  # fmt: skip


def test_erasing_leaves_nothing_that_names_the_user(campaign: Campaign) -> None:
    alice, user = make_user("alice"), make_user("zoe")
    _, token = invitation_create(campaign=campaign, actor=alice)
    invitation_accept(token=token, user=user)
    membership_set(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR, actor=alice)
    voice = make_annotator(campaign, "zoe")
    consent_text_add(campaign=campaign, text="Text", actor=alice)
    question = question_add(campaign=campaign, question=Question("Where from?"), actor=alice)
    consent_give(annotator=voice, version=1)
    background_answer(annotator=voice, answers={question.key: Given(["Ystad"])})
    rate_all(voice, at_most=1)
    annotator_withdraw(annotator=voice, judgments="remove")
    _, token = invitation_create(campaign=campaign, actor=alice)
    invitation_accept(token=token, user=user)
    voice = make_annotator(campaign, "zoe")
    annotator_withdraw(annotator=voice, judgments="remove", erase=True)
    voice.refresh_from_db()
    assert (voice.user, voice.invitation, voice.code) == (None, None, "A01")
    assert not BackgroundAnswer.objects.exists()
    assert Consent.objects.get().ended_at is not None
    for model in apps.get_models():
        for field in model._meta.fields:
            if field.related_model is User:
                assert not model._default_manager.filter(**{field.name: user}).exists(), field
    assert not AuditEntry.objects.filter(object_type="user", object_id=str(user.pk)).exists()
    assert verify(campaign=campaign) == []
    # A new invitation makes a new voice: nobody knows any more that there was another.
    assert make_annotator(campaign, "zoe").code == "A02"


def test_a_campaign_may_offer_less(campaign: Campaign) -> None:
    bob = make_annotator(campaign)
    Campaign.objects.update(allow_removal=False, allow_erasure=False)
    bob.campaign.refresh_from_db()
    for chosen in ({"judgments": "remove"}, {"erase": True}):
        with pytest.raises(NotAllowed):
            annotator_withdraw(annotator=bob, **chosen)
    assert not Withdrawal.objects.exists()
    page = client_of("bob").get("/rate/camp/withdraw/").content.decode()
    assert 'value="remove"' not in page and 'name="erase"' not in page


@pytest.mark.parametrize("judgments", ["keep", "remove"])
def test_coming_back_by_a_new_invitation_alone(campaign: Campaign, judgments: str) -> None:
    alice, user = make_user("alice"), make_user("bob")
    _, old = invitation_create(campaign=campaign, actor=alice, max_uses=9)
    consent_text_add(campaign=campaign, text="Text", actor=alice)
    bob = make_annotator(campaign)
    consent_give(annotator=bob, version=1)
    rate_all(bob, at_most=1)
    annotator_withdraw(annotator=bob, judgments=judgments)
    with pytest.raises(NotAllowed, match="new invitation"):
        invitation_accept(token=old, user=user)
    _, new = invitation_create(campaign=campaign, actor=alice)
    page = client_of("bob").get(f"/join/{new}/")
    assert "You withdrew from this campaign" in text_of(page)
    client_of("bob").post(f"/join/{new}/")
    assert Withdrawal.objects.get().ended_at is not None
    assert make_annotator(campaign) == bob and rated_by(campaign) == {bob.code}
    assert verify(campaign=campaign) == []
    # They agree again before they go on.
    with pytest.raises(NotClaimable) as refusal:
        claim_next(annotator=bob)
    assert refusal.value.code == "consent"
    consent_give(annotator=bob, version=1)
    assert rate_all(bob) == 2


def test_a_researcher_who_withdrew_comes_back_by_a_link_too(campaign: Campaign) -> None:
    dora = make_annotator(campaign, "dora")
    annotator_withdraw(annotator=dora)
    _, token = invitation_create(campaign=campaign, actor=make_user("alice"))
    member = invitation_accept(token=token, user=make_user("dora"))
    assert member.role == Membership.Role.RESEARCHER
    assert claim_next(annotator=dora) is not None


def test_the_page_asks_twice_and_says_what_happens(campaign: Campaign) -> None:
    bob = working(campaign)
    client = client_of("bob")
    assert "Withdraw from this campaign" in text_of(client.get("/rate/camp/own/"))
    page = client.post("/rate/camp/withdraw/", {"judgments": "remove"})
    assert page.status_code == 422 and "nothing has happened yet" in text_of(page)
    assert not Withdrawal.objects.exists()
    page = client.post(
        "/rate/camp/withdraw/", {"judgments": "remove", "sure": "1", "erase": "1"}, follow=True
    )
    assert messages_of(page) == ["You no longer take part in Camp."]
    assert "/rate/camp/" not in page.content.decode()
    assert client.get("/rate/camp/own/").status_code == 404
    dora = client_of("dora")
    people = text_of(dora.get("/c/camp/people/"))
    assert f"{bob.code} " in people and "out of every statistic erased" in people
    assert "Lift for" not in people
    assert "withdrawn out of statistics" in text_of(dora.get("/c/camp/"))
    assert Slot.objects.filter(annotator=bob, state="claimed").count() == 0


def test_whoever_has_not_begun_has_nothing_to_withdraw(campaign: Campaign) -> None:
    page = client_of("bob").post("/rate/camp/withdraw/", {"sure": "1"})
    assert "not begun" in text_of(page) and not Annotator.objects.exists()
