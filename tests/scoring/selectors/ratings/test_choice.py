"""Choosing judgments and texts for a report."""

from datetime import UTC, datetime

import pytest

from annotation.errors import Invalid
from annotation.models import Judgment
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get, systems_get
from tests.factories import add_items
from tests.scoring.selectors.ratings.hand import MEANING, hand_campaign, meaning


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"annotators": ["b"]}, {t: {"b": row["b"]} for t, row in MEANING.items() if "b" in row}),
        ({"systems": ["S1"]}, {t: MEANING[t] for t in ("t0", "t2")}),
        ({"controls": True}, {"control": {"a": 1}}),
    ],
)
def test_of_some_annotators_of_some_systems_and_of_controls(chosen, expected):
    assert meaning(hand_campaign(), **chosen) == expected


def ratings_of(campaign, **chosen):
    """The ratings under a choice, and the number of items of systems."""
    choice = Choice.from_json(chosen)
    ratings = ratings_get(campaign=campaign, choice=choice)
    return ratings, systems_get(campaign=campaign, ratings=ratings, choice=choice).n_items


def test_of_one_phrase_and_of_none(hand):
    for phrase in hand.phrases.all():
        ratings, n_items = ratings_of(hand, phrases=[phrase.text])
        assert set(ratings.phrase.tolist()) == {phrase.pk}
        assert n_items == phrase.items.count()
    assert ratings_of(hand, phrases=["not there"])[0].units.size == 0


def test_of_an_import(hand):
    row = {"phrase": "late", "sentence": "It came late.", "paraphrase": "x", "system": "S0"}
    add_items(hand, [row])
    for batch, size in zip(hand.batches.filter(what="items").order_by("pk"), (3, 1), strict=True):
        assert ratings_of(hand, batches=[str(batch.pk)])[0].units.size == size


@pytest.mark.parametrize("value", ["news", 7, 1.5, "x=y"])
@pytest.mark.parametrize("level", ["item", "phrase", "substitution"])
def test_of_an_attribute(level, value, hand):
    text = hand.substitutions.filter(role="output").first()
    row = {"item": text.item, "phrase": text.item.phrase, "substitution": text}[level]
    name = "a topic__in"  # No name may be taken for a look-up.
    row.attributes = {name: value, "other": "news"}
    row.save()
    ratings, n_items = ratings_of(hand, attribute=f"{level}.{name}={value}")
    assert text.pk in ratings.units
    assert set(getattr(ratings, level, ratings.units).tolist()) == {row.pk}
    assert n_items >= 1
    assert ratings_of(hand, attribute=f"{level}.{name}=else")[0].units.size == 0


def test_of_some_days_both_included(hand):
    rows = Judgment.objects.filter(scale__name="MEANING", substitution__role="output", value__gt=0)
    moments = [datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)]
    for number, row in enumerate(rows):
        Judgment.objects.filter(pk=row.pk).update(recorded_at=moments[number % 2])

    def many(**chosen):
        return sum(map(len, meaning(hand, **chosen).values()))

    assert many(until="2026-03-01") == 4
    assert many(since="2026-03-02") == 3
    assert many(since="2026-03-01", until="2026-03-02") == 7


@pytest.mark.parametrize(
    "wrong",
    [
        {"since": "yesterday"},
        {"until": "2026-13-01"},
        {"attribute": "topic=news"},
        {"attribute": "system.topic=news"},
        {"attribute": "item.topic"},
        {"batches": ["one"]},
        {"occasion": 0},
    ],
)
def test_what_no_choice_can_mean_is_refused(wrong):
    with pytest.raises(Invalid):
        Choice.from_json(wrong)


def test_equal_choices_have_one_report():
    first = Choice.from_json({"annotators": ["b", "a", "a"], "systems": []})
    second = Choice.from_json({"annotators": ["a", "b"]})
    assert first.digest() == second.digest() != Choice().digest()
    assert Choice.from_json(first.as_json()) == first
