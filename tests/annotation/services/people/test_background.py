"""Background questions: what may change, and what answers are taken."""

import pytest

from annotation.collecting.claiming import StepWanted
from annotation.errors import Invalid
from annotation.models import BackgroundAnswer, BackgroundQuestion
from annotation.people.background import (
    Given,
    Question,
    question_add,
    question_change,
    question_hide,
    question_remove,
)
from tests.annotation.claimed import offer
from tests.factories import ask_question, give_answers, make_annotator


def add(campaign, wording="How old are you?", **options):
    return ask_question(campaign, wording, **options)


def stored(campaign, question, *texts, of=None):
    """What Bob's answer of these texts is stored as."""
    bob = make_annotator(campaign)
    give_answers(bob, {question.key: Given(texts)})
    return BackgroundAnswer.objects.get(question=of or question).value


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
def test_answers_of_every_kind(campaign, options, texts, value):
    question = add(campaign, **options)
    if value is ValueError:
        with pytest.raises(Invalid) as refusal:
            stored(campaign, question, *texts)
        assert str(question.key) in refusal.value.data["fields"]
        assert not BackgroundAnswer.objects.exists()
    else:
        assert stored(campaign, question, *texts) == value


def test_all_or_none_and_once(campaign):
    first, second = add(campaign), add(campaign, "And you?", required=True)
    bob = make_annotator(campaign)
    with pytest.raises(Invalid):
        give_answers(bob, {first.key: Given(["30"])})
    assert not BackgroundAnswer.objects.exists()
    answers = {first.key: Given(["30"]), second.key: Given(["typed"], declined=True)}
    give_answers(bob, answers)
    give_answers(bob, {first.key: Given(["31"])})
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
def test_questions_that_cannot_be_asked(campaign, question):
    with pytest.raises(Invalid):
        question_add(campaign=campaign, question=question, actor=None)
    assert not BackgroundQuestion.objects.exists()


def test_names_are_free_and_once(campaign):
    names = [add(campaign, name=name).name for name in ("", "age", "")]
    assert names == ["q1", "age", "q2"]
    with pytest.raises(Invalid, match="short name"):
        add(campaign, name="age")


def test_an_answered_question_keeps_its_wording(campaign):
    question = add(campaign)
    changed = question_change(row=question, question=Question("How young?"), actor=None)
    assert changed.key != question.key and changed.name == "q1"
    # A form with the old wording answers nothing.
    assert stored(campaign, question, "30", of=changed) is None
    with pytest.raises(Invalid, match="answered"):
        question_change(row=changed, question=Question("How tall?"), actor=None)
    with pytest.raises(Invalid, match="answered"):
        question_remove(row=changed, actor=None)
    assert BackgroundQuestion.objects.get().wording == "How young?"


def test_a_new_question_is_asked_of_those_who_have_begun(campaign):
    question = add(campaign)
    question_hide(row=question, hidden=True, actor=None)
    assert offer(make_annotator(campaign)) is not None
    ben = make_annotator(campaign, "ben")
    question_hide(row=question, hidden=False, actor=None)
    with pytest.raises(StepWanted):
        offer(ben)
    give_answers(ben, {})
    assert offer(ben) is not None
