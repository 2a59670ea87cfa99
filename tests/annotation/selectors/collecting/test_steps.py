"""Consent and questions come before the first sheet, and stop nothing that is under way."""

from __future__ import annotations

import pytest

from annotation.errors import Invalid
from annotation.models import Annotator, Consent
from annotation.selectors.collecting.steps import next_step
from annotation.services.collecting.claiming import StepWanted, claim_next
from annotation.services.people.background import Given, background_answer
from annotation.services.people.consent import TextChanged, consent_give, consent_text_add
from tests.annotation.selectors.collecting.steps import ask
from tests.clients import client_of
from tests.factories import make_annotator, make_campaign, make_user, rate_sheet

pytestmark = pytest.mark.django_db


def wanted(annotator: Annotator) -> tuple[str, str]:
    """The code and the address with which a claim is refused; empty where it is not."""
    try:
        claim_next(annotator=annotator)
    except StepWanted as refusal:
        return refusal.code, refusal.data["url"]
    return "", ""


def test_nothing_is_asked_where_nothing_was_set_up() -> None:
    campaign = make_campaign(items=1)
    assert next_step(annotator=make_annotator(campaign)) is None


def test_consent_then_questions_then_sheets() -> None:
    campaign = make_campaign(items=1)
    bob, alice = make_annotator(campaign), make_user("alice")
    consent_text_add(campaign=campaign, text="# You *judge*", actor=alice)
    question = ask(campaign, kind="number", required=True)
    assert wanted(bob) == ("consent", "/rate/camp/consent/")
    consent_give(annotator=bob, version=1)
    consent_give(annotator=bob, version=1)
    assert Consent.objects.count() == 1
    assert wanted(bob) == ("background", "/rate/camp/background/")
    with pytest.raises(Invalid) as refusal:
        background_answer(annotator=bob, answers={})
    assert list(refusal.value.data["fields"]) == [str(question.key)]
    background_answer(annotator=bob, answers={question.key: Given(declined=True)})
    assert wanted(bob) == ("", "")


def test_a_changed_text_stops_the_next_claim_and_nothing_under_way() -> None:
    campaign = make_campaign(items=2)
    bob, alice = make_annotator(campaign), make_user("alice")
    consent_text_add(campaign=campaign, text="One", actor=alice)
    consent_give(annotator=bob, version=1)
    sheet = claim_next(annotator=bob)
    consent_text_add(campaign=campaign, text="Two", actor=alice)
    assert consent_text_add(campaign=campaign, text=" Two ", actor=alice) is None
    assert claim_next(annotator=bob) == sheet
    rate_sheet(bob, sheet)
    assert bob.slots.get().state == "done"
    assert wanted(bob)[0] == "consent"
    with pytest.raises(TextChanged):
        consent_give(annotator=bob, version=1)
    consent_give(annotator=bob, version=2)
    assert wanted(bob) == ("", "")
    assert [one.text.version for one in Consent.objects.filter(annotator=bob)] == [1, 2]


def test_an_empty_text_asks_for_nothing() -> None:
    campaign = make_campaign(items=1)
    alice = make_user("alice")
    consent_text_add(campaign=campaign, text="One", actor=alice)
    consent_text_add(campaign=campaign, text=" ", actor=alice)
    assert wanted(make_annotator(campaign)) == ("", "")
    assert campaign.consent_texts.count() == 2


@pytest.mark.parametrize("origin", ["imported", "simulated", "anonymous"])
def test_annotators_that_are_nobodys_login_agree_to_nothing(origin: str) -> None:
    campaign = make_campaign(items=1)
    consent_text_add(campaign=campaign, text="One", actor=None)
    ask(campaign)
    annotator = Annotator.objects.create(campaign=campaign, code="V", origin=origin)
    assert next_step(annotator=annotator) is None


def test_the_api_names_the_step() -> None:
    campaign = make_campaign(items=1)
    consent_text_add(campaign=campaign, text="One", actor=None)
    answer = client_of("bob").post("/api/v1/campaigns/camp/claim").json()
    assert (answer["sheet"], answer["code"]) == (None, "consent")
    assert answer["url"] == "/rate/camp/consent/"
