"""The texts of a campaign as segments, for the folder of mt-metrics-eval.

Callers have checked the user's access to the campaign (annotation/selectors/access.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.models import (
    Campaign,
    Item,
    Output,
    Phrase,
    Reference,
    Substitution,
    language_of,
)
from scoring.paper import Segments
from scoring.selectors.gold.outcomes import gold_columns
from scoring.selectors.ratings.tables import FloatArray, Ratings, systems_get

MOST_REFERENCES = 26  # refA to refZ.


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """Segments without metrics, and what their scores are looked up by.

    units        system -> the unit of each segment, None for a missing text
    references   name -> the id of the reference of each segment, None for a missing one
    whole        whether the phrase is the whole sentence, for each segment
    own_context  units shown in a sentence of their own, which no reference is of
    """

    segments: Segments
    units: Mapping[str, Sequence[int | None]]
    references: Mapping[str, Sequence[int | None]]
    whole: Sequence[bool]
    own_context: frozenset[int]

    def of_units(self, values: FloatArray) -> dict[str, list[float | None]]:
        """Values by unit as values by system and segment."""
        return {
            label: [None if unit is None else _number(values[unit]) for unit in column]
            for label, column in self.units.items()
        }


def segments_get(*, campaign: Campaign, ratings: Ratings) -> SegmentTexts:
    """Every item as a segment, phrase by phrase; a constant number of queries.

    Of several texts of a system for an item the one with the best rank is used: the format has room
    for one. Excluded systems, items and texts are not there.
    """
    order = {pk: place for place, pk in enumerate(ratings.phrase.tolist())}
    kept = set(ratings.item.tolist())
    items = sorted(
        (item for item in Item.objects.filter(campaign=campaign) if item.pk in kept),
        key=lambda item: (order[item.phrase_id], item.position),
    )
    place = {item.pk: at for at, item in enumerate(items)}
    phrases = dict(Phrase.objects.filter(campaign=campaign).values_list("pk", "text"))
    units = {pk: code for code, pk in enumerate(ratings.units.tolist())}
    labels = systems_get(campaign=campaign, ratings=ratings).labels
    made = _made(campaign, place, labels, units)
    texts = {
        units[one.pk]: one
        for one in Substitution.objects.filter(campaign=campaign).select_related("item")
        if one.pk in units
    }
    columns = gold_columns(campaign=campaign, ratings=ratings)
    references = _references(campaign, place)
    found = SegmentTexts(
        Segments(
            documents=[phrases[item.phrase_id] for item in items],
            sources=[item.sentence for item in items],
            references={
                name: [None if one is None else one.text for one in column]
                for name, column in references.items()
            },
            outputs={
                label: [None if unit is None else texts[unit].sentence() for unit in column]
                for label, column in made.items()
            },
            human={},
            languages=[language_of(item, campaign) for item in items],
            lower=tuple(name for name, one in columns.items() if not one.higher_is_better),
        ),
        made,
        {
            name: [None if one is None else one.pk for one in column]
            for name, column in references.items()
        },
        [not item.before and not item.after for item in items],
        frozenset(unit for unit, one in texts.items() if one.own_sentence is not None),
    )
    human = {name: found.of_units(column.mean) for name, column in columns.items()}
    return replace(found, segments=replace(found.segments, human=human))


def _made(
    campaign: Campaign, place: Mapping[int, int], labels: Sequence[str], units: Mapping[int, int]
) -> dict[str, list[int | None]]:
    """The unit of the best-ranked text of each system for every item, by the item's index."""
    made: dict[str, list[int | None]] = {label: [None] * len(place) for label in labels}
    rows = Output.objects.filter(system__campaign=campaign, substitution__isnull=False)
    found = rows.order_by("-rank", "-pk")  # The best rank is written last.
    for label, item, text in found.values_list("system__label", "item_id", "substitution_id"):
        if item in place and label in made and text in units:
            made[label][place[item]] = units[text]
    return made


def _references(campaign: Campaign, place: Mapping[int, int]) -> dict[str, list[Reference | None]]:
    """refA, refB, ...: the first, second, ... reference of every item, None where it has fewer."""
    cited: dict[int, list[Reference]] = {pk: [] for pk in place}
    for one in Reference.objects.filter(item__campaign=campaign).order_by("position"):
        if one.item_id in cited:
            cited[one.item_id].append(one)
    most = min(max((len(texts) for texts in cited.values()), default=0), MOST_REFERENCES)
    return {
        f"ref{chr(ord('A') + at)}": [cited[pk][at] if at < len(cited[pk]) else None for pk in place]
        for at in range(most)
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
