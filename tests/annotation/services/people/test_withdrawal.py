"""Leaving a campaign, and being left out: what is kept, what goes to others, and coming back."""

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from annotation.collecting.claiming import NotClaimable
from annotation.collecting.sheets import sheet_skip
from annotation.errors import NotAllowed, RevisionClosed
from annotation.models import (
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
from annotation.people.background import (
    Given,
    Question,
    consent_text_add,
    question_add,
)
from annotation.people.exclusions import annotator_withdraw
from annotation.people.membership import invitation_create, membership_set
from annotation.verify import verify
from scoring.ratings.tables import ratings_get
from tests.annotation.claimed import LATER, NOW, claimed, offer, rate_rest, save, working
from tests.clients import client_of, text_of
from tests.factories import (
    agree,
    ask_consent,
    exclude,
    give_answers,
    hand_in,
    join,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
    take_in,
)


@pytest.fixture
def bob(begun_campaign):
    """With one sheet done and one open."""
    return working(begun_campaign)


def rated_by(campaign):
    """The codes whose judgments reach the statistics."""
    ratings = ratings_get(campaign=campaign)
    table = ratings.tables["MEANING"]
    return {ratings.annotators[at].code for at in set(table.annotator.tolist())}


def invited(campaign, **options):
    """The token of a link."""
    return invitation_create(campaign=campaign, actor=None, **options)[1]


def test_kept_judgments_count_and_open_sheets_go_to_others(bob):
    answers = Judgment.objects.count()
    left = annotator_withdraw(annotator=bob)
    assert annotator_withdraw(annotator=bob) == left
    assert [slot.state for slot in bob.slots.all()] == ["done"]
    assert Judgment.objects.count() == answers and rated_by(bob.campaign) == {bob.code}
    assert not Exclusion.objects.exists()
    assert not Membership.objects.filter(user=bob.user).exists()
    with pytest.raises(NotClaimable, match="no longer take part"):
        offer(bob)
    assert rate_all(make_annotator(bob.campaign, "ben")) == 2


def test_removed_judgments_reach_no_statistic_and_are_judged_again(bob):
    answers = Judgment.objects.count()
    annotator_withdraw(annotator=bob, judgments="remove")
    assert Judgment.objects.count() == answers
    assert rated_by(bob.campaign) == set()
    assert rate_all(make_annotator(bob.campaign, "ben")) == 3
    with pytest.raises(NotAllowed, match="new invitation"):
        take_in(Exclusion.objects.get())


def test_a_lifted_exclusion_gives_who_left_no_open_sheet(bob):
    out = exclude(bob)
    annotator_withdraw(annotator=bob)
    take_in(out)
    assert sorted(slot.state for slot in bob.slots.all()) == ["done", "void"]
    assert Slot.objects.filter(state="free").count() == 2
    assert rated_by(bob.campaign) == {bob.code}


@pytest.mark.parametrize("judgments", ["keep", "remove"])
def test_who_withdrew_gets_no_place_back_by_a_late_save(bob, judgments):
    sheet = bob.slots.get(state="claimed").sheet
    annotator_withdraw(annotator=bob, judgments=judgments)
    save(bob, sheet, 1, base=1)
    assert hand_in(bob, sheet) == "surplus"
    assert sheet.slots.get(state="free").annotator is None
    on_sheet = Judgment.objects.filter(substitution__entries__sheet=sheet)
    assert set(on_sheet.values_list("status", flat=True)) == {"surplus"}


def test_erasing_leaves_nothing_that_names_the_user(begun_campaign):
    alice, user = make_user("alice"), make_user("zoe")
    join(invited(begun_campaign), user)
    membership_set(campaign=begun_campaign, user=user, role=Membership.Role.ANNOTATOR, actor=alice)
    voice = make_annotator(begun_campaign, "zoe")
    consent_text_add(campaign=begun_campaign, text="Text", actor=alice)
    question = question_add(campaign=begun_campaign, question=Question("Where from?"), actor=alice)
    agree(voice)
    give_answers(voice, {question.key: Given(["Ystad"])})
    rate_all(voice, at_most=1)
    annotator_withdraw(annotator=voice, judgments="remove")
    join(invited(begun_campaign), user)
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
    assert verify(campaign=begun_campaign) == []
    # A new invitation makes a new annotator: nobody knows any more that there was another.
    assert make_annotator(begun_campaign, "zoe").code == "A02"


def test_a_campaign_may_offer_less(begun_campaign):
    bob = make_annotator(begun_campaign)
    Campaign.objects.update(allow_removal=False, allow_erasure=False)
    bob.campaign.refresh_from_db()
    for chosen in ({"judgments": "remove"}, {"erase": True}):
        with pytest.raises(NotAllowed):
            annotator_withdraw(annotator=bob, **chosen)
    assert not Withdrawal.objects.exists()
    page = client_of("bob").get("/rate/camp/withdraw/").content.decode()
    assert 'value="remove"' not in page and 'name="erase"' not in page


@pytest.mark.parametrize("judgments", ["keep", "remove"])
def test_coming_back_by_a_new_invitation_alone(begun_campaign, judgments):
    old = invited(begun_campaign, max_uses=9)
    ask_consent(begun_campaign, "Text")
    bob = make_annotator(begun_campaign)
    agree(bob)
    rate_all(bob, at_most=1)
    annotator_withdraw(annotator=bob, judgments=judgments)
    with pytest.raises(NotAllowed, match="new invitation"):
        join(old, make_user("bob"))
    client, link = client_of("bob"), f"/join/{invited(begun_campaign)}/"
    assert "You withdrew from this campaign" in text_of(client.get(link))
    client.post(link)
    assert Withdrawal.objects.get().ended_at is not None
    assert make_annotator(begun_campaign) == bob and rated_by(begun_campaign) == {bob.code}
    assert verify(campaign=begun_campaign) == []
    # They agree again before they go on.
    with pytest.raises(NotClaimable) as refusal:
        offer(bob)
    assert refusal.value.code == "consent"
    agree(bob)
    assert rate_all(bob) == 2


def test_nothing_that_is_done_is_changed_by_a_researcher_who_comes_back_by_a_link(
    begun_campaign,
):
    dora = make_annotator(begun_campaign, "dora")
    sheet = offer(dora)
    rate_all(dora, at_most=1)
    annotator_withdraw(annotator=dora)
    member = Membership.objects.get(user=dora.user)
    assert member.role == Membership.Role.RESEARCHER
    with pytest.raises(RevisionClosed):
        save(dora, sheet, 1, base=1)
    assert join(invited(begun_campaign), dora.user) == member
    assert offer(dora) is not None


@pytest.mark.parametrize("skipped", [False, True])
def test_who_was_excluded_after_the_claim_takes_no_place_back(skipped):
    """Neither the place that their exclusion opened for others, nor the one they gave back."""
    bob, sheet = claimed()
    if skipped:
        sheet_skip(annotator=bob, sheet_key=sheet.key, reason="too hard", now=NOW)
    exclude(bob)
    assert save(bob, sheet, 4, base=1).status == "surplus"
    assert sheet.slots.get(state="free").annotator is None
    rate_rest(bob, sheet)
    assert hand_in(bob, sheet, now=LATER) == "surplus"
    assert set(Judgment.objects.values_list("status", flat=True)) == {"surplus"}
    assert Judgment.objects.filter(value=4).count() == 1
    assert sheet.slots.get(state="free").annotator is None


def test_excluding_opens_a_place_and_lifting_takes_it_back():
    campaign = make_campaign(items=2, k=1, cast=False)
    bob = make_annotator(campaign)
    rate_all(bob)
    exclusion = exclude(bob)
    assert set(Judgment.objects.values_list("status", flat=True)) == {"surplus"}
    assert Slot.objects.filter(state="free").count() == 2
    ben = make_annotator(campaign, "ben")
    rate_all(ben, at_most=1)
    take_in(exclusion)
    [restored] = bob.slots.filter(state="done")
    assert restored.sheet != ben.slots.get().sheet
    assert bob.judgments.filter(status="counted").count() == 4
