"""A whole sheet in one transaction, through the services of single saves."""

from functools import partial
from uuid import uuid4

import pytest

from annotation.collecting.saving import Answer, Saved
from annotation.collecting.sheet_saving import GivenAnswer, sheet_save
from annotation.errors import Invalid, StaleVersion
from annotation.models import Judgment, JudgmentVersion, Slot
from tests.annotation.services.collecting.claimed import holding
from tests.annotation.services.together import together, unforeseen

pytestmark = pytest.mark.django_db(transaction=True)


def given_for(annotator, sheet, value=4):
    """An answer to every question of the sheet."""
    return [
        GivenAnswer(uuid4(), entry.substitution.key, scale.key, 0, Answer(value))
        for entry in sheet.entries.select_related("substitution").order_by("pk")
        for scale in annotator.campaign.scales.all()
    ]


def test_more_than_five_hundred_answers_are_refused():
    bob, sheet = holding()
    many = given_for(bob, sheet)[:1] * 501
    with pytest.raises(Invalid):
        sheet_save(annotator=bob, sheet_key=sheet.key, answers=many, done=False)


def test_the_same_request_eight_times_at_once_is_stored_once():
    bob, sheet = holding()
    given = given_for(bob, sheet)
    save = partial(sheet_save, annotator=bob, sheet_key=sheet.key, answers=given, done=True)
    results = together([save] * 8)
    assert unforeseen(results) == []
    assert {one.state for one in results} == {"done"}
    assert all(isinstance(one, Saved) for result in results for one in result.answers)
    assert Judgment.objects.count() == JudgmentVersion.objects.count() == len(given)
    assert [one.kind for one in Slot.objects.get(annotator=bob).events.all()] == ["claimed", "done"]


def test_two_whole_requests_with_different_values_both_know_the_outcome():
    bob, sheet = holding()
    save = partial(sheet_save, annotator=bob, sheet_key=sheet.key, done=False)
    results = together([partial(save, answers=given_for(bob, sheet, value)) for value in (2, 5)])
    assert unforeseen(results) == []
    values = set(Judgment.objects.values_list("value", flat=True))
    assert len(values) == 1  # All of one request, since each is one transaction.
    won, lost = results if values == {2} else results[::-1]
    assert all(isinstance(one, Saved) for one in won.answers)
    assert all(isinstance(one, StaleVersion) for one in lost.answers)
