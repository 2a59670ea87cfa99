"""Steps tick themselves when they are really done; previews and pilots of a draft."""

from uuid import uuid4

import pytest

from annotation.campaigns.pilots import pilot_end, pilot_start
from annotation.campaigns.queries import (
    annotators_to_pilot,
    people_to_pilot,
    pilots_of,
    source_to_change,
)
from annotation.campaigns.scales import scale_remove
from annotation.campaigns.services import (
    preview_approve,
    threshold_set,
)
from annotation.campaigns.setup import (
    OwnText,
    item_to_preview,
    items_to_preview,
    nobody,
    preview_now,
    preview_of_item,
    preview_of_own,
    setup_of,
)
from annotation.collecting.sheets import sheet_view
from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.models import Annotator, PracticeRule
from annotation.people.membership import invitation_create
from annotation.quality.expected import Band, text_add
from tests.annotation.school import ask_practice
from tests.clients import captured
from tests.factories import (
    add_copies,
    add_guideline,
    agree,
    ask_consent,
    make_annotator,
    make_campaign,
    make_user,
    new_campaign,
    rate_all,
)


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
    campaign = new_campaign("new")
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
    empty = new_campaign("empty", template="empty")
    assert [step.key for step in setup(empty).missing] == ["texts", "questions"]


def test_every_step_can_be_ticked(draft):
    add_practice(draft, "MEANING", "GRAMMAR")
    ask_consent(draft, "Agree?")
    add_copies(draft, 1)
    approve(draft)
    bob = make_annotator(pilot_start(campaign=draft, texts=1, people=[], actor=None))
    agree(bob)
    rate_all(bob)
    assert set(states(draft).values()) == {"done"}
    assert setup(draft).may_open


def test_questions_and_guidelines_that_say_too_little(draft):
    add_guideline(draft, "MEANING only.")
    assert why(draft, "guidelines") == "They do not mention GRAMMAR."
    add_guideline(draft, "")
    assert states(draft)["guidelines"] == "missing"
    draft.scales.get(name="GRAMMAR").points.all().delete()
    assert why(draft, "questions").startswith("GRAMMAR: no point has a label")
    draft.scales.update(question="")
    assert why(draft, "questions") == "MEANING, GRAMMAR: no question is written."


def test_practice_that_nobody_could_do(draft):
    ask_practice(draft)
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
        with captured() as queries:
            setup_of(campaign=campaign)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 25


def test_it_shows_what_an_annotator_sees(place):
    bob, sheet = place
    real = sheet_view(annotator=bob, sheet=sheet)
    item = items_to_preview(campaign=bob.campaign).get()
    shown = preview_of_item(campaign=bob.campaign, item=item)
    for name in ("phrase", "before", "after", "whole_sentence", "language", "scales", "remark"):
        assert getattr(shown, name) == getattr(real, name), name
    assert {one.text: one for one in shown.substitutions} == {
        one.text: one for one in real.substitutions
    }
    assert shown.state == real.state == "claimed"


def test_a_draft_is_shown_cut_as_its_sheets_will_be_and_without_checks():
    campaign = make_campaign(items=1, systems=3, open_it=False, max_per_sheet=2)
    add_copies(campaign, 1)
    item = item_to_preview(campaign=campaign, key=None)
    shown = preview_of_item(campaign=campaign, item=item)
    assert len(shown.substitutions) == 2
    assert not {one.text for one in shown.substitutions} & {item.phrase.text}
    assert not Annotator.objects.exists() and not campaign.sheets.exists()


def test_a_typed_text():
    campaign = new_campaign("new", template="phrase-ko")
    shown = preview_of_own(campaign=campaign, own=OwnText("A b c.", "b", "x"))
    [text] = shown.substitutions
    assert (shown.before, shown.phrase, shown.after) == ("A ", "b", " c.")
    assert (text.before, text.text, text.after) == ("A ", "x", " c.")
    assert shown.language == "ko" and not shown.whole_sentence
    assert preview_of_own(campaign=campaign, own=OwnText("A b.", "", "x")).whole_sentence
    for own in (OwnText("A b.", "z", "x"), OwnText("", "", "x")):
        with pytest.raises(Invalid, match="must be in the sentence"):
            preview_of_own(campaign=campaign, own=own)


def test_items_are_those_of_the_campaign():
    campaign, other = make_campaign(items=2), make_campaign("other", items=1)
    item = other.items.get()
    for key in (item.key, uuid4()):
        with pytest.raises(NotFound):
            item_to_preview(campaign=campaign, key=key)
    assert item_to_preview(campaign=other, key=item.key) == item
    assert nobody(campaign).pk is None
    assert item_to_preview(campaign=new_campaign("new"), key=None) is None


def test_numbers_of_a_pilot():
    campaign = make_campaign(items=4, open_it=False)
    [member] = annotators_to_pilot(campaign=campaign)
    assert member.user.username == "bob"
    first = pilot_start(campaign=campaign, texts=2, people=[member.user_id], actor=None)
    [empty] = pilots_of(campaign=campaign)
    assert (empty.people, empty.sheets_done, empty.sheets, empty.seconds) == (0, 0, 2, None)
    rate_all(make_annotator(first))
    pilot_end(pilot=first, actor=make_user("alice"))
    second = pilot_start(campaign=campaign, texts=1, people=[], actor=None)
    newest, done = pilots_of(campaign=campaign)
    assert (newest.campaign, done.campaign) == (second, first)
    assert (done.people, done.sheets_done, done.sheets, done.cannot) == (1, 2, 2, 0)
    assert done.answers == first.judgments.count()
    assert (done.counts, done.why_not, done.twice) == (None, "", 0)
    assert newest.why_not == "The pilot is under way: end it first."
    assert people_to_pilot(campaign=campaign, names=None) == [member.user_id]
    with pytest.raises(Invalid, match="zoe is no annotator"):
        people_to_pilot(campaign=campaign, names=["bob", "zoe"])


def test_the_right_in_the_campaign_is_needed_too():
    campaign = make_campaign(open_it=False)
    pilot = pilot_start(campaign=campaign, texts=1, people=[], actor=None)
    assert source_to_change(user=make_user("alice"), pilot=pilot) == campaign
    with pytest.raises(NotAllowed):
        source_to_change(user=make_user("vera"), pilot=pilot)
    campaign.memberships.filter(user__username="dora").delete()
    with pytest.raises(NotFound):
        source_to_change(user=make_user("dora"), pilot=pilot)
    with pytest.raises(Invalid, match="no pilot"):
        source_to_change(user=make_user("alice"), pilot=campaign)
