"""Choosing judgments and texts for a report."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from annotation.errors import Invalid
from annotation.models import Judgment, Phrase, Substitution
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.ratings.tables import ratings_get, systems_get
from tests.factories import add_items
from tests.scoring.selectors.ratings.hand import MEANING, by_text, hand_campaign

pytestmark = pytest.mark.django_db


def texts(**chosen: Any) -> dict[str, Any]:
    """MEANING of the hand-made campaign under a choice."""
    campaign = hand_campaign()
    choice = Choice.from_json(chosen)
    return by_text(ratings_get(campaign=campaign, choice=choice), "MEANING")


def test_of_some_annotators() -> None:
    assert texts(annotators=["b"]) == {
        text: {"b": row["b"]} for text, row in MEANING.items() if "b" in row
    }


def test_of_one_phrase_and_of_none() -> None:
    campaign = hand_campaign()
    phrases = Phrase.objects.filter(campaign=campaign)
    for phrase in phrases:
        choice = Choice.from_json({"phrases": [phrase.text]})
        ratings = ratings_get(campaign=campaign, choice=choice)
        assert set(ratings.phrase.tolist()) == {phrase.pk}
        systems = systems_get(campaign=campaign, ratings=ratings, choice=choice)
        assert systems.n_items == phrase.items.count()
    nothing = ratings_get(campaign=campaign, choice=Choice(phrases=("not there",)))
    assert nothing.units.size == 0


def test_of_an_import() -> None:
    campaign = hand_campaign()
    before = ratings_get(campaign=campaign).units.size
    add_items(
        campaign,
        [{"phrase": "late", "sentence": "It came late.", "paraphrase": "x", "system": "S0"}],
    )
    first, second = (
        campaign.batches.filter(what="items").order_by("pk").values_list("pk", flat=True)
    )
    for batch, size in ((first, before), (second, 1)):
        ratings = ratings_get(campaign=campaign, choice=Choice(batches=(str(batch),)))
        assert ratings.units.size == size


@pytest.mark.parametrize("value", ["news", 7, 1.5, "x=y"])
@pytest.mark.parametrize("level", ["item", "phrase", "substitution"])
def test_of_an_attribute(level: str, value: object) -> None:
    campaign = hand_campaign()
    text = Substitution.objects.filter(campaign=campaign, role="output").first()
    assert text is not None
    row = {"item": text.item, "phrase": text.item.phrase, "substitution": text}[level]
    name = "a topic__in"  # No name may be taken for a look-up.
    row.attributes = {name: value, "other": "news"}
    row.save()
    choice = Choice.from_json({"attribute": f"{level}.{name}={value}"})
    found = ratings_get(campaign=campaign, choice=choice)
    assert text.pk in found.units
    assert set(getattr(found, level, found.units).tolist()) == {row.pk}
    assert systems_get(campaign=campaign, ratings=found, choice=choice).n_items >= 1
    other = Choice.from_json({"attribute": f"{level}.{name}=else"})
    assert ratings_get(campaign=campaign, choice=other).units.size == 0


def test_of_some_days_both_included() -> None:
    campaign = hand_campaign()
    asked = Judgment.objects.filter(scale__name="MEANING", substitution__role="output")
    rows = list(asked.exclude(value=None).order_by("pk"))
    moments = [datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)]
    for number, row in enumerate(rows):
        Judgment.objects.filter(pk=row.pk).update(recorded_at=moments[number % 2])

    def many(**chosen: str) -> int:
        choice = Choice.from_json(chosen)
        return ratings_get(campaign=campaign, choice=choice).tables["MEANING"].n_ratings

    early = (len(rows) + 1) // 2
    assert many(until="2026-03-01") == early
    assert many(since="2026-03-02") == len(rows) - early
    assert many(since="2026-03-01", until="2026-03-02") == len(rows)


def test_of_controls() -> None:
    campaign = hand_campaign()
    control = Substitution.objects.get(campaign=campaign, role="control")
    ratings = ratings_get(campaign=campaign, choice=Choice(controls=True))
    assert ratings.units.tolist() == [control.pk]
    assert by_text(ratings, "MEANING") == {"control": {"a": 1}}
    assert control.pk not in ratings_get(campaign=campaign).units


@pytest.mark.parametrize(
    "wrong",
    [
        {"since": "yesterday"}, {"until": "2026-13-01"}, {"attribute": "topic=news"},
        {"attribute": "system.topic=news"}, {"attribute": "item.topic"}, {"batches": ["one"]},
        {"occasion": 0},
    ],
)  # fmt: skip
def test_what_no_choice_can_mean_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        Choice.from_json(wrong)


def test_equal_choices_have_one_report() -> None:
    first = Choice.from_json({"annotators": ["b", "a", "a"], "systems": []})
    second = Choice.from_json({"annotators": ["a", "b"]})
    assert first.digest() == second.digest() != Choice().digest()
    assert Choice.from_json(first.as_json()) == first
