"""Sixteen threads at once on a real database: the rows, not the luck, keep the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from annotation.errors import StaleVersion
from annotation.models import Judgment, JudgmentVersion, Slot
from annotation.selectors.verify import verify
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, Saved, judgment_save
from tests.annotation.services.together import THREADS, together
from tests.factories import make_annotator, make_campaign, rate_all

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("order", ["breadth", "depth"])
def test_race_for_the_last_slots(order: str) -> None:
    """3 sheets x 2 places, 16 annotators: six claims, never three on a sheet."""
    campaign = make_campaign(items=3, k=2, cast=False, order=order)
    annotators = [make_annotator(campaign, f"racer{number}") for number in range(THREADS)]
    sheets = together([lambda a=a: claim_next(annotator=a) for a in annotators])
    assert [sheet for sheet in sheets if isinstance(sheet, Exception)] == []
    got = Counter(sheet.pk for sheet in sheets if sheet is not None)
    assert sum(got.values()) == 6
    assert set(got.values()) == {2}
    assert verify(campaign=campaign) == []


def test_one_annotator_in_sixteen_tabs_gets_one_sheet() -> None:
    campaign = make_campaign(items=6, k=2, cast=False)
    bob = make_annotator(campaign, "bob")
    sheets = together([lambda: claim_next(annotator=bob)] * THREADS)
    assert len({getattr(sheet, "pk", sheet) for sheet in sheets}) == 1
    assert Slot.objects.filter(annotator=bob).count() == 1


def test_sixteen_annotators_finish_a_campaign() -> None:
    """Every sheet ends with exactly k annotators, and every save is there once."""
    campaign = make_campaign(items=24, k=3, cast=False)
    annotators = [make_annotator(campaign, f"racer{number}") for number in range(THREADS)]
    sheets = together([lambda a=a: rate_all(a) for a in annotators])
    assert sum(sheets) == 24 * 3
    assert verify(campaign=campaign) == []
    per_sheet = Counter(Slot.objects.filter(state=Slot.State.DONE).values_list("sheet", flat=True))
    assert set(per_sheet.values()) == {3}
    substitutions = campaign.substitutions.count()
    assert Judgment.objects.filter(status=Judgment.Status.COUNTED).count() == substitutions * 3 * 2
    assert JudgmentVersion.objects.count() == substitutions * 3 * 2


def test_the_same_request_sixteen_times_is_stored_once() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    save = saver(bob, sheet, uuid4(), Answer(4))
    results = together([save] * THREADS)
    assert {type(result) for result in results} == {Saved}
    assert {(result.version, result.answer) for result in results} == {(1, Answer(4))}
    assert [result.repeated for result in results].count(False) == 1
    assert JudgmentVersion.objects.count() == 1


def test_sixteen_tabs_with_other_values_store_one_and_refuse_the_rest() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    work = [saver(bob, sheet, uuid4(), Answer(1 + number % 5)) for number in range(THREADS)]
    results = together(work)
    stored = [result for result in results if isinstance(result, Saved)]
    assert len(stored) == 1
    refused = [result for result in results if isinstance(result, StaleVersion)]
    assert len(refused) == THREADS - 1
    assert {error.data["stored"]["value"] for error in refused} == {stored[0].answer.value}
    assert JudgmentVersion.objects.count() == 1


def saver(annotator: Any, sheet: Any, request: Any, answer: Answer) -> Callable[[], Saved]:
    entry = sheet.entries.select_related("substitution").first()
    scale = annotator.campaign.scales.first()
    return lambda: judgment_save(
        annotator=annotator, sheet_key=sheet.key, substitution_key=entry.substitution.key,
        scale_key=scale.key, answer=answer, request_id=request, base_version=0,
    )  # fmt: skip
