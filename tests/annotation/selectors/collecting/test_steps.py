"""Consent and questions come before the first sheet, and stop nothing that is under way."""

import pytest

from annotation.collecting.claiming import StepWanted, claim_next
from annotation.errors import Invalid
from annotation.models import Annotator, Consent
from annotation.people.background import (
    Given,
    TextChanged,
    consent_give,
)
from annotation.quality.practice import next_step
from tests.annotation.selectors.collecting.steps import ask
from tests.factories import agree, ask_consent, give_answers, make_annotator, rate_sheet


def wanted(annotator):
    """The code and the address with which a claim is refused; empty where it is not."""
    try:
        claim_next(annotator=annotator)
    except StepWanted as refusal:
        return refusal.code, refusal.data["url"]
    return "", ""


@pytest.fixture
def bob(campaign):
    return make_annotator(campaign)


def add_text(annotator, text):
    return ask_consent(annotator.campaign, text)


def test_consent_then_questions_then_sheets(bob):
    assert next_step(annotator=bob) is None
    add_text(bob, "# You *judge*")
    question = ask(bob.campaign, kind="number", required=True)
    assert wanted(bob) == ("consent", "/rate/camp/consent/")
    for _ in range(2):
        agree(bob)
    assert Consent.objects.count() == 1
    assert wanted(bob) == ("background", "/rate/camp/background/")
    with pytest.raises(Invalid) as refusal:
        give_answers(bob, {})
    assert list(refusal.value.data["fields"]) == [str(question.key)]
    give_answers(bob, {question.key: Given(declined=True)})
    assert wanted(bob) == ("", "")


def test_a_changed_text_stops_the_next_claim_and_nothing_under_way(bob):
    add_text(bob, "One")
    agree(bob)
    sheet = claim_next(annotator=bob)
    add_text(bob, "Two")
    assert add_text(bob, " Two ") is None
    assert claim_next(annotator=bob) == sheet
    rate_sheet(bob, sheet)
    assert bob.slots.get().state == "done"
    assert wanted(bob)[0] == "consent"
    with pytest.raises(TextChanged):
        agree(bob)
    consent_give(annotator=bob, version=2)
    assert wanted(bob) == ("", "")
    assert [one.text.version for one in Consent.objects.filter(annotator=bob)] == [1, 2]


def test_an_empty_text_asks_for_nothing(bob):
    for text in ("One", " "):
        add_text(bob, text)
    assert wanted(bob) == ("", "")
    assert bob.campaign.consent_texts.count() == 2


@pytest.mark.parametrize("origin", ["imported", "simulated", "anonymous"])
def test_annotators_that_are_nobodys_login_agree_to_nothing(bob, origin):
    add_text(bob, "One")
    ask(bob.campaign)
    annotator = Annotator.objects.create(campaign=bob.campaign, code="V", origin=origin)
    assert next_step(annotator=annotator) is None
