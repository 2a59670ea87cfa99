"""Steps tick themselves when they are really done, and say what is missing and why."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.campaigns.pilots import pilot_start
from annotation.campaigns.scales import scale_remove
from annotation.campaigns.services import (
    campaign_create,
    guideline_add,
    preview_approve,
    threshold_set,
)
from annotation.campaigns.setup import preview_now, setup_of
from annotation.models import PracticeRule
from annotation.people.background import consent_give, consent_text_add
from annotation.people.membership import invitation_create
from annotation.quality.expected import Band, text_add
from annotation.quality.practice import practice_set
from annotation.quality.rules import copies_make
from tests.factories import make_annotator, make_campaign, rate_all


@pytest.fixture
def draft():
    return make_campaign(open_it=False, k=1)


def setup(campaign):
    campaign.refresh_from_db()
    return setup_of(campaign=campaign)


def states(campaign):
    return {step.key: step.state for step in setup(campaign).steps}


def why(campaign, key):
    return next(step.why for step in setup(campaign).steps if step.key == key)


def add_practice(campaign, *scales):
    text_add(
        campaign=campaign,
        role="practice",
        sentence="Learn this.",
        phrase="this",
        paraphrase="that",
        bands={name: Band(1, 2) for name in scales},
        actor=None,
    )


def approve(campaign):
    preview_approve(campaign=campaign, seen=preview_now(campaign=campaign), actor=None)


def test_a_new_campaign_misses_its_texts():
    campaign = campaign_create(actor=None, slug="new")
    assert states(campaign) == {
        "texts": "missing",
        "questions": "done",
        "guidelines": "done",
        "practice": "advised",
        "consent": "advised",
        "checks": "advised",
        "people": "advised",
        "preview": "advised",
        "pilot": "advised",
    }
    assert not setup(campaign).may_open
    empty = campaign_create(actor=None, slug="empty", template="empty")
    assert [step.key for step in setup(empty).missing] == ["texts", "questions"]


def test_every_step_can_be_ticked(draft):
    add_practice(draft, "MEANING", "GRAMMAR")
    consent_text_add(campaign=draft, text="Agree?", actor=None)
    copies_make(campaign=draft, items=1, seed=1, actor=None)
    approve(draft)
    bob = make_annotator(pilot_start(campaign=draft, texts=1, people=[], actor=None))
    consent_give(annotator=bob, version=1)
    rate_all(bob)
    assert set(states(draft).values()) == {"done"}
    assert setup(draft).may_open


def test_questions_and_guidelines_that_say_too_little(draft):
    guideline_add(campaign=draft, text="MEANING only.", actor=None)
    assert why(draft, "guidelines") == "They do not mention GRAMMAR."
    guideline_add(campaign=draft, text="", actor=None)
    assert states(draft)["guidelines"] == "missing"
    draft.scales.get(name="GRAMMAR").points.all().delete()
    assert why(draft, "questions").startswith("GRAMMAR: no point has a label")
    draft.scales.update(question="")
    assert why(draft, "questions") == "MEANING, GRAMMAR: no question is written."


def test_practice_that_nobody_could_do(draft):
    practice_set(campaign=draft, required=True, share=1, tries=1, tolerance={}, actor=None)
    assert states(draft)["practice"] == "missing"
    add_practice(draft, "MEANING")
    assert why(draft, "practice") == "Text 1 has no right answer for GRAMMAR."
    assert PracticeRule.objects.get().required


def test_people_are_enough_for_the_places_or_invited():
    campaign = make_campaign(open_it=False, k=2, cast=False)
    assert why(campaign, "people") == "Nobody can judge yet."
    make_annotator(campaign)
    assert why(campaign, "people").startswith("Every sheet has 2 assignments")
    invitation_create(campaign=campaign, actor=None)
    assert states(campaign)["people"] == "done"


def test_a_change_of_what_it_shows_unticks_the_preview(draft):
    approve(draft)
    threshold_set(scale=draft.scales.get(name="MEANING"), threshold=2, actor=None)
    assert states(draft)["preview"] == "done"
    scale_remove(scale=draft.scales.get(name="GRAMMAR"), actor=None)
    assert why(draft, "preview").endswith("changed since you looked.")


def test_the_number_of_queries_does_not_grow():
    counts = []
    for slug, items in (("one", 2), ("two", 9)):
        campaign = make_campaign(slug, items=items, open_it=False)
        with CaptureQueriesContext(connection) as queries:
            setup_of(campaign=campaign)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 25
