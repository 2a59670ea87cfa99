"""Leaving, agreeing and asking while other requests of the same moment are under way."""

import pytest

from annotation.collecting.claiming import NotClaimable
from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, BackgroundAnswer, BackgroundQuestion, Slot, Withdrawal
from annotation.people.background import (
    Given,
    Question,
    question_change,
)
from annotation.people.exclusions import annotator_withdraw
from tests.annotation.claimed import holding, offer
from tests.annotation.together import together
from tests.factories import ask_question, give_answers, hand_in, make_annotator, rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("judgments", ["keep", "remove"])
def test_who_leaves_while_claiming_and_submitting_holds_nothing(judgments):
    bob, sheet = holding(items=6, k=1)
    rate_sheet(bob, sheet, submit=False)

    def again():
        return Annotator.objects.select_related("campaign", "user").get(pk=bob.pk)

    found = together(
        [
            *[lambda: offer(again())] * 4,
            lambda: hand_in(again(), sheet),
            *[lambda: annotator_withdraw(annotator=again(), judgments=judgments)] * 2,
        ]
    )
    failed = [one for one in found if isinstance(one, Exception)]
    assert all(isinstance(one, NotClaimable) for one in failed)
    assert Withdrawal.objects.count() == 1
    assert not Slot.objects.filter(annotator=bob, state="claimed").exists()


def test_a_question_is_changed_while_it_is_answered(campaign):
    for number in range(5):
        asked = ask_question(campaign, f"Old {number}?")
        bob = make_annotator(campaign, f"racer{number}")
        new = Question(f"New {number}?")
        found = together(
            [
                lambda bob=bob, asked=asked: give_answers(bob, {asked.key: Given(["old"])}),
                lambda asked=asked, new=new: question_change(row=asked, question=new, actor=None),
            ]
        )
        assert all(
            not isinstance(one, Exception) or isinstance(one, Conflict | Invalid) for one in found
        )
    for answer in BackgroundAnswer.objects.filter(value="old").select_related("question"):
        assert answer.question.wording.startswith("Old")
    assert BackgroundQuestion.objects.count() == 5
