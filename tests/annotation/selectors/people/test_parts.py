"""Ways back are filled in safely, and outcomes follow from what happened."""

import pytest
from django.utils import timezone

from annotation.collecting.claiming import PartOver
from annotation.errors import NotFound
from annotation.models import Panel
from annotation.panels.queries import completion_of, outcome_found, panel_by_token, return_address
from annotation.people.background import Given, Question, background_answer, question_add
from annotation.people.participation import part_of, reached, sheets_of
from annotation.quality.expected import Band, text_add
from annotation.quality.overview import attempt_texts
from annotation.quality.practice import attempt_start, practice_answer, practice_set
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.people.test_entering import enter, make_panel
from tests.factories import make_annotator, rate_sheet

HOME = "https://example.org/"


@pytest.mark.parametrize(
    ("address", "code", "found"),
    [
        ("", "C", None),
        (HOME, None, HOME),
        (HOME + "?cc={code}", "C1 K&x=/", HOME + "?cc=C1%20K%26x%3D%2F"),
        (HOME + "?cc={code}", None, None),
        (HOME + "{code}/{id}", "{id}", HOME + "%7Bid%7D/a%2Fb"),
    ],
)
def test_the_way_back_is_quoted(address, code, found):
    panel = Panel(return_url=address)
    assert return_address(panel, code=code, own_id="a/b") == found


def test_a_part_is_complete_with_its_last_sheet_handed_in():
    panel = make_panel(codes={"complete": "C"})
    part = enter(panel)
    rate_sheet(part.annotator, offer(part.annotator))
    last = offer(part.annotator)
    assert (sheets_of(part), reached(part)) == (1, False)
    assert offer(part.annotator, last) is None
    rate_sheet(part.annotator, last)
    assert (sheets_of(part), reached(part)) == (2, True)
    assert outcome_found(part=part, code="consent") == "complete"
    with pytest.raises(PartOver) as over:
        offer(part.annotator)
    assert over.value.data["completion"] == {"code": "C", "url": None}


def test_other_annotators_have_no_part_and_other_links_no_panel():
    panel = make_panel()
    assert part_of(annotator=make_annotator(panel.campaign)) is None
    with pytest.raises(NotFound):
        panel_by_token(token="x" + panel.token)


def test_a_background_answer_can_screen_out():
    panel = make_panel(codes={"screened_out": "S"})
    question = question_add(
        campaign=panel.campaign,
        actor=None,
        question=Question("Native in Danish?", "choice", ["yes", "no"], accepted=["yes"]),
    )
    codes = {}
    for name, said in (("one", ["no"]), ("two", ["yes"]), ("three", [])):
        part = enter(panel, name)
        answers = {question.key: Given(said, declined=not said)}
        background_answer(annotator=part.annotator, answers=answers)
        try:
            offer(part.annotator)
        except PartOver as refusal:
            codes[name] = (refusal.code, refusal.data["completion"]["code"])
    assert codes == {"one": ("screened_out", "S"), "three": ("screened_out", "S")}


def test_practice_without_a_try_left_ends_the_part():
    panel = make_panel()
    [scale, *_] = panel.campaign.scales.all()
    text_add(
        campaign=panel.campaign,
        role="practice",
        sentence="Learn this.",
        phrase="this",
        paraphrase="that",
        bands={scale.name: Band(1, 1)},
        actor=None,
        part="test",
    )
    practice_set(campaign=panel.campaign, required=True, share=1, tries=1, tolerance={}, actor=None)
    part = enter(panel)
    attempt = attempt_start(annotator=part.annotator, part="test")
    [text] = attempt_texts(attempt=attempt)
    practice_answer(attempt=attempt, text=text, values={scale.pk: 5}, now=timezone.now())
    with pytest.raises(PartOver) as over:
        offer(part.annotator)
    assert over.value.code == "failed_practice"
    part.refresh_from_db()
    assert completion_of(part) == {"code": None, "url": None}
