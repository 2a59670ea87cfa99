"""Background questions: what may change, and what answers are taken."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import Invalid
from annotation.models import BackgroundAnswer, BackgroundQuestion, Campaign
from annotation.services.collecting.claiming import claim_next
from annotation.services.people.background import (
    Given,
    Question,
    background_answer,
    question_add,
    question_change,
    question_hide,
    question_move_up,
    question_remove,
)
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_user

pytestmark = pytest.mark.django_db


def add(campaign: Campaign, wording: str = "How old are you?", **options: Any) -> Any:
    question = Question(wording, **options)
    return question_add(campaign=campaign, question=question, actor=make_user("alice"))


def stored(campaign: Campaign, question: BackgroundQuestion, *texts: str) -> Any:
    """What an answer of these texts is stored as."""
    bob = make_annotator(campaign)
    background_answer(annotator=bob, answers={question.key: Given(texts)})
    return BackgroundAnswer.objects.get(question=question).value


@pytest.mark.parametrize(
    ("options", "texts", "value"),
    [
        ({}, [" English "], "English"),
        ({}, [" "], None),
        ({"kind": "number"}, ["42"], 42),
        ({"kind": "number"}, ["1,5"], 1.5),
        ({"kind": "number"}, ["-3e400"], ValueError),
        ({"kind": "number"}, ["many"], ValueError),
        ({"kind": "choice", "options": ["a", "b"]}, ["b"], "b"),
        ({"kind": "choice", "options": ["a", "b"]}, ["c"], ValueError),
        ({"kind": "choices", "options": ["a", "b", "c"]}, ["c", "a"], ["a", "c"]),
        ({"kind": "choices", "options": ["a", "b"], "required": True}, [], ValueError),
        ({}, ["x" * 201], ValueError),
        ({}, ["a\0b"], ValueError),
    ],
)
def test_answers_of_every_kind(
    campaign: Campaign, options: dict[str, Any], texts: list[str], value: Any
) -> None:
    question = add(campaign, **options)
    if value is ValueError:
        with pytest.raises(Invalid) as refusal:
            stored(campaign, question, *texts)
        assert str(question.key) in refusal.value.data["fields"]
        assert not BackgroundAnswer.objects.exists()
    else:
        assert stored(campaign, question, *texts) == value


def test_all_or_none_and_once(campaign: Campaign) -> None:
    first, second = add(campaign), add(campaign, "And you?", required=True)
    bob = make_annotator(campaign)
    with pytest.raises(Invalid):
        background_answer(annotator=bob, answers={first.key: Given(["30"])})
    assert not BackgroundAnswer.objects.exists()
    answers = {first.key: Given(["30"]), second.key: Given(["typed"], declined=True)}
    background_answer(annotator=bob, answers=answers)
    background_answer(annotator=bob, answers={first.key: Given(["31"])})
    rows = BackgroundAnswer.objects.order_by("pk").values_list("value", "declined")
    assert list(rows) == [("30", False), (None, True)]


@pytest.mark.parametrize(
    "question",
    [
        Question(" "),
        Question("x" * 301),
        Question("Which?", kind="colour"),
        Question("Which?", kind="choice", options=["a", " a "]),
        Question("Which?", name="two words"),
    ],
)
def test_questions_that_cannot_be_asked(campaign: Campaign, question: Question) -> None:
    with pytest.raises(Invalid):
        question_add(campaign=campaign, question=question, actor=None)
    assert not BackgroundQuestion.objects.exists()


def test_names_are_free_and_once(campaign: Campaign) -> None:
    assert [add(campaign).name, add(campaign, name="age").name, add(campaign).name] == [
        "q1", "age", "q2",
    ]  # fmt: skip
    with pytest.raises(Invalid, match="short name"):
        add(campaign, name="age")


def test_an_answered_question_keeps_its_wording(campaign: Campaign) -> None:
    alice = make_user("alice")
    question = add(campaign)
    changed = question_change(row=question, question=Question("How young?"), actor=alice)
    assert changed.key != question.key and changed.name == "q1"
    # A form with the old wording answers nothing.
    bob = make_annotator(campaign)
    background_answer(annotator=bob, answers={question.key: Given(["30"])})
    assert BackgroundAnswer.objects.get().value is None
    for act in (
        lambda: question_change(row=changed, question=Question("How tall?"), actor=alice),
        lambda: question_remove(row=changed, actor=alice),
    ):
        with pytest.raises(Invalid, match="answered"):
            act()
    assert BackgroundQuestion.objects.get().wording == "How young?"


def test_a_new_question_is_asked_of_those_who_have_begun(campaign: Campaign) -> None:
    first = add(campaign)
    question_hide(row=first, hidden=True, actor=None)
    bob = make_annotator(campaign)
    assert claim_next(annotator=bob) is not None
    ben = make_annotator(campaign, "ben")
    question_hide(row=first, hidden=False, actor=None)
    page = client_of("ben").post("/rate/camp/", follow=True)
    assert "How old are you?" in text_of(page)
    background_answer(annotator=ben, answers={})
    assert claim_next(annotator=ben) is not None


def test_moving_keeps_all_in_order(campaign: Campaign) -> None:
    rows = [add(campaign) for _ in range(3)]
    question_move_up(row=rows[2], actor=None)
    question_move_up(row=rows[0], actor=None)
    names = [row.name for row in BackgroundQuestion.objects.all()]
    assert names == ["q1", "q3", "q2"]


def test_the_api_shows_answers_under_short_names(campaign: Campaign) -> None:
    question = add(campaign, name="age", kind="number")
    stored(campaign, question, "30")
    [row] = client_of("vera").get("/api/v1/campaigns/camp/annotators").json()["results"]
    assert row["background"] == {"age": 30} and row["consent_version"] is None
