"""A whole sheet in one transaction, through the services of single saves."""

from __future__ import annotations

from uuid import uuid4

import pytest

from annotation.errors import Invalid, NotFound, StaleVersion
from annotation.models import Judgment, JudgmentVersion, Slot
from annotation.selectors.verify import verify
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, Saved
from annotation.services.collecting.written import GivenAnswer
from annotation.services.sheet_saving import sheet_save
from tests.annotation.services.together import together, unforeseen
from tests.factories import make_annotator, make_campaign

pytestmark = pytest.mark.django_db(transaction=True)


def given_for(annotator, sheet, value: float = 4) -> list[GivenAnswer]:
    """An answer to every question of the sheet."""
    return [
        GivenAnswer(uuid4(), entry.substitution.key, scale.key, 0, Answer(value))
        for entry in sheet.entries.select_related("substitution").order_by("pk")
        for scale in annotator.campaign.scales.all()
    ]


def test_a_sheet_that_somebody_never_held_is_not_there() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    sheet = claim_next(annotator=bob)
    with pytest.raises(NotFound):
        sheet_save(annotator=ben, sheet_key=sheet.key, answers=given_for(ben, sheet), done=True)
    with pytest.raises(NotFound):
        sheet_save(annotator=ben, sheet_key=uuid4(), answers=[], done=False)
    assert not Judgment.objects.exists()


def test_more_than_five_hundred_answers_are_refused() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    many = given_for(bob, sheet)[:1] * 501
    with pytest.raises(Invalid):
        sheet_save(annotator=bob, sheet_key=sheet.key, answers=many, done=False)


def test_the_same_request_eight_times_at_once_is_stored_once() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    given = given_for(bob, sheet)
    results = together(
        [lambda: sheet_save(annotator=bob, sheet_key=sheet.key, answers=given, done=True)] * 8
    )
    assert unforeseen(results) == []
    assert {one.state for one in results} == {"done"}
    assert all(isinstance(one, Saved) for result in results for one in result.answers)
    assert Judgment.objects.count() == JudgmentVersion.objects.count() == len(given)
    assert [one.kind for one in Slot.objects.get(annotator=bob).events.all()] == ["claimed", "done"]
    assert verify(campaign=campaign) == []


def test_two_whole_requests_with_different_values_both_know_the_outcome() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    first, second = given_for(bob, sheet, 2), given_for(bob, sheet, 5)
    results = together(
        [
            lambda: sheet_save(annotator=bob, sheet_key=sheet.key, answers=first, done=False),
            lambda: sheet_save(annotator=bob, sheet_key=sheet.key, answers=second, done=False),
        ]
    )
    assert unforeseen(results) == []
    values = set(Judgment.objects.values_list("value", flat=True))
    assert len(values) == 1  # All of one request, since each is one transaction.
    won, lost = results if values == {2} else results[::-1]
    assert all(isinstance(one, Saved) for one in won.answers)
    assert all(isinstance(one, StaleVersion) for one in lost.answers)
