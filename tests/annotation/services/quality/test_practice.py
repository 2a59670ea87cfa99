"""Practice and test: explained answers, a rule that passes, the way into the campaign."""

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import PracticeAnswer
from annotation.quality.overview import attempt_texts, standing
from annotation.quality.practice import attempt_start, practice_answer, practice_grant
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.quality.school import go_through, school
from tests.factories import make_user


def where(annotator):
    return standing(campaign=annotator.campaign, annotator=annotator)


def test_tries_run_out_and_a_researcher_helps():
    _, bob = school(practice=0, tries=2)
    for left in (1, 0):
        go_through(bob, "test", 1, 1)
        assert where(bob).tries_left == left
    assert where(bob).stuck and where(bob).explains_test
    with pytest.raises(Conflict, match="no try left"):
        attempt_start(annotator=bob, part="test")
    practice_grant(annotator=bob, kind="try", actor=make_user("alice"))
    assert where(bob).tries_left == 1 and not where(bob).explains_test
    go_through(bob, "test", 1, 1)
    practice_grant(annotator=bob, kind="pass", actor=make_user("alice"))
    assert where(bob).passed and offer(bob) is not None
    with pytest.raises(Invalid):
        practice_grant(annotator=bob, kind="gift", actor=None)


def test_an_attempt_goes_on_where_it_was_left():
    _, bob = school(practice=0)
    attempt = attempt_start(annotator=bob, part="test")
    text, other = attempt_texts(attempt=attempt)
    for value in (5, 1):
        values = {one.scale.pk: value for one in text.questions}
        practice_answer(attempt=attempt, text=text, values=values)
    assert set(PracticeAnswer.objects.values_list("value", flat=True)) == {5}, "the first stays"
    assert attempt_start(annotator=bob, part="test") == attempt
    assert [one.answered for one in attempt_texts(attempt=attempt)] == [True, False]
    other.substitution.expected.all().delete()
    attempt_start(annotator=bob, part="test")
    attempt.refresh_from_db()
    assert attempt.passed and attempt.asked == 2
    with pytest.raises(Conflict):
        practice_answer(attempt=attempt, text=text, values={})


@pytest.mark.parametrize("wrong", [{"share": 0}, {"share": 1.2}, {"tries": 0}, {"tolerance": 9}])
def test_a_rule_must_make_sense(wrong):
    with pytest.raises(Invalid):
        school(**wrong)
