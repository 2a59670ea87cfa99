"""Judgments in the database as rating tables for the statistics, in a constant number of queries.

Units are substitutions of role output; no other role enters a statistic. Callers have checked the
user's access to the campaign (annotation/access.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import OuterRef, Q, QuerySet, Subquery
from numpy.typing import NDArray

from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Item,
    Judgment,
    JudgmentVersion,
    Output,
    Scale,
    SheetEntry,
    Slot,
    SlotEvent,
    Substitution,
    System,
    ThresholdChange,
)
from annotation.models.people import TARGETS
from scoring.ratings.choice import Choice
from scoring.stats import RatingTable, SystemTexts, Threshold
from scoring.stats.table import combine

# Ratings as of a past time, reconstructed from the append-only history.
#
# Every save has a version, every submission an event, every exclusion a start and an end, every
# threshold a date. What was excluded or void at that time counts as excluded, even if it was
# restored since. Erasing a person does not change this: their code and values are kept.


CHUNK = 20_000
VALUE = Q(value__isnull=False)
CANNOT = Q(value=None) & ~Q(reason="")  # "cannot judge"; neither is an answer that was cleared.
Answer = tuple[int, int, int, float]


def exclusions_at(rows: QuerySet[Exclusion], moment: datetime) -> QuerySet[Exclusion]:
    """The exclusions in force at that time."""
    return rows.filter(Q(ends_at=None) | Q(ends_at__gt=moment), starts_at__lte=moment)


def thresholds_at(scales: list[Scale], moment: datetime) -> None:
    """Set each scale, in memory, to the threshold that it had at that time; one query."""
    changes = ThresholdChange.objects.filter(scale__in=scales, changed_at__lte=moment)
    # Of several changes of a scale the last one stands.
    thresholds = dict(changes.order_by("pk").values_list("scale_id", "threshold"))
    for one in scales:
        one.threshold = thresholds.get(one.pk)


def with_value(row: tuple[int, int, int, float | None]) -> Answer:
    """(annotator, substitution, scale, value), NaN for no value."""
    annotator, text, scale, value = row
    return annotator, text, scale, math.nan if value is None else value


def answers_at(
    *, campaign: Campaign, choice: Choice, moment: datetime, given: Q = VALUE
) -> Iterator[Answer]:
    """(annotator, substitution, scale, value) of every judgment that counted at that time; three
    queries.

    A judgment counted if its newest version was `given` (a value, or "cannot judge") and its
    annotator had submitted the sheet without reopening it; imported judgments counted at once.
    """
    done, claimed = _submissions(campaign, moment)
    sheets: dict[tuple[int, int | None], int] = {
        (substitution, annotator): sheet
        for substitution, annotator, sheet in SheetEntry.objects.filter(
            sheet__item__campaign=campaign, occasion=choice.occasion
        )
        .values_list("substitution_id", "for_annotator_id", "sheet_id")
        .iterator(CHUNK)
    }
    newest = JudgmentVersion.objects.filter(
        judgment=OuterRef("judgment"), recorded_at__lte=moment
    ).order_by("-version")
    rows = JudgmentVersion.objects.filter(
        given,
        judgment__campaign=campaign,
        judgment__kind=Judgment.Kind.RATING,
        judgment__occasion=choice.occasion,
        recorded_at__lte=moment,
        pk=Subquery(newest.values("pk")[:1]),
    ).order_by()
    columns = ("annotator_id", "substitution_id", "scale_id")
    for annotator, text, scale, value, status in (
        choice.judgments(rows, "judgment__")
        .values_list(*(f"judgment__{name}" for name in columns), "value", "status")
        .iterator(CHUNK)
    ):
        sheet = sheets.get((text, None)) or sheets.get((text, annotator))
        place = (annotator, sheet)
        by_import = status == Judgment.Status.COUNTED and place not in claimed
        surplus = choice.surplus and status == Judgment.Status.SURPLUS
        if place in done or by_import or surplus:
            yield with_value((annotator, text, scale, value))


def _submissions(
    campaign: Campaign, moment: datetime
) -> tuple[set[tuple[int, int | None]], set[tuple[int, int | None]]]:
    """(annotator, sheet) submitted at that time, and all that had been claimed until then."""
    last: dict[tuple[int, int | None], str] = {}
    claimed: set[tuple[int, int | None]] = set()
    events = SlotEvent.objects.filter(
        slot__in=Slot.objects.filter(sheet__item__campaign=campaign),
        annotator__isnull=False,
        at__lte=moment,
    )
    for annotator, sheet, kind in (
        events.order_by("pk").values_list("annotator_id", "slot__sheet_id", "kind").iterator(CHUNK)
    ):
        place = (annotator, sheet)
        claimed.add(place)
        if kind in (SlotEvent.Kind.DONE, SlotEvent.Kind.REOPENED):
            last[place] = kind
    return {place for place, kind in last.items() if kind == SlotEvent.Kind.DONE}, claimed


# One answer of each person: who judged a text in a pilot, whose judgments count, and then in the
# campaign is two annotators there.


def one_answer_each(rows: Any, annotators: Sequence[Annotator]) -> Any:
    """Return the rows without those of pilots where the same person judged the same text on the
    same scale in the campaign, or in an earlier pilot: one person is not two judges.

    `annotator` of the rows is a place in `annotators`. One query where there are pilots.
    """
    pilots = {one.from_pilot_id for one in annotators if one.from_pilot_id is not None}
    if not pilots or not rows.size:
        return rows
    users = dict(Annotator.objects.filter(pk__in=pilots).values_list("pk", "user_id"))
    user_ids = [users.get(one.from_pilot_id or one.pk) or one.user_id for one in annotators]
    # Each anonymous annotator counts as a person.
    person = np.array(
        [user or -one.pk for user, one in zip(user_ids, annotators, strict=True)], dtype=np.int64
    )
    voice = np.array([one.from_pilot_id is not None for one in annotators])
    at = rows["annotator"]
    # Their own first, then pilots in their order; the first of each person, text and scale stays.
    order = np.lexsort((at, voice[at], rows["scale"], rows["unit"], person[at]))
    same = np.ones(order.size, dtype=bool)
    same[0] = False
    for key in (person[at], rows["unit"], rows["scale"]):
        inside = key[order]
        same[1:] &= inside[1:] == inside[:-1]
    ordered = at[order]
    first = ordered[~same][np.cumsum(~same) - 1]  # Whose answer stays, for each row.
    retained = np.ones(rows.size, dtype=bool)
    retained[order[voice[ordered] & (ordered != first)]] = (
        False  # Repeats of one voice stay together.
    )
    return rows[retained]


IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Items = QuerySet[Item] | Sequence[int]
ROW = [("annotator", np.int64), ("unit", np.int64), ("scale", np.int64), ("value", np.float64)]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Units (substitutions of role output, in order of id) and one table per scale on them.

    Unit code i of every table is the substitution `units[i]` of `item[i]` and `phrase[i]`.
    """

    units: IntArray
    item: IntArray
    phrase: IntArray
    scales: list[Scale]
    annotators: list[Annotator]
    tables: dict[str, RatingTable] = field(default_factory=dict)

    @property
    def thresholds(self) -> dict[str, Threshold]:
        """The thresholds of the scales that have one."""
        return {
            scale.name: Threshold(scale.threshold, scale.higher_is_better)
            for scale in self.scales
            if scale.threshold is not None
        }

    def levels(self, *, at_most: int = 1000) -> dict[str, FloatArray]:
        """The values of the scales with a fixed list of values."""
        by_scale = {scale.name: scale.levels(at_most=at_most) for scale in self.scales}
        return {name: np.array(values) for name, values in by_scale.items() if values}

    def position(self, substitutions: IntArray) -> IntArray:
        """Unit codes of substitution ids; -1 for those that are not units."""
        at = np.searchsorted(self.units, substitutions)
        safe = np.minimum(at, max(len(self.units) - 1, 0))
        hit = self.units[safe] == substitutions if len(self.units) else np.zeros(len(at), bool)
        return np.where(hit, safe, -1).astype(np.int64)

    def columns(self) -> dict[str, RatingTable]:
        """The tables of ordered scales and, last, their sum within each annotator.

        There is no sum if larger is better on one scale and worse on another.
        """
        names = column_names(self.scales)
        tables = {name: self.tables[name] for name in names if name in self.tables}
        if len(names) == len(tables):
            return tables
        return {**tables, names[-1]: combine(list(tables.values()), "sum")}


def column_names(scales: Sequence[Scale]) -> list[str]:
    """The ordered scales and, last, their sum: see `Ratings.columns`."""
    ordered = [scale for scale in scales if scale.level != Scale.Level.NOMINAL]
    names = [scale.name for scale in ordered]
    if len(names) < 2 or len({scale.higher_is_better for scale in ordered}) > 1:
        return names
    return [*names, " + ".join(names)]


def human_names(*, campaign: Campaign) -> list[str]:
    """The columns that people's judgments of a campaign have, without reading them; one query."""
    return column_names(list(campaign.scales.order_by("position")))


def ratings_get(
    *,
    campaign: Campaign,
    choice: Choice = Choice(),
    items: Items | None = None,
) -> Ratings:
    """The judgments that count; five queries for any size, and one where pilots count too.

    Only substitutions of role output are units. Cleared answers and "cannot judge" are missing
    ratings. `items` limits the units to those of these items of the campaign.
    """
    scales = list(Scale.objects.filter(campaign=campaign).order_by("position"))
    if choice.moment is not None:
        thresholds_at(scales, choice.moment)
    out = {} if choice.excluded else exclusions_in_force(campaign=campaign, at=choice.moment)
    units = _units(campaign, choice, out, items)
    annotators = [
        one
        for one in Annotator.objects.filter(campaign=campaign).order_by("pk")
        if one.pk not in out.get("annotator", ())
    ]
    ratings = Ratings(units["id"], units["item"], units["phrase"], scales, annotators)
    rows = _answers(campaign, choice, items, VALUE)
    rows["unit"] = ratings.position(rows["unit"])
    annotator_ids = np.array([one.pk for one in annotators], dtype=np.int64)
    rows = rows[(rows["unit"] >= 0) & np.isin(rows["annotator"], annotator_ids)]
    rows["annotator"] = np.searchsorted(annotator_ids, rows["annotator"])
    rows = one_answer_each(rows, annotators)
    for scale in scales:
        ratings.tables[scale.name] = _table(rows[rows["scale"] == scale.pk], scale, ratings)
    return ratings


def counted_among(*, campaign: Campaign, judgments: Sequence[Judgment]) -> set[int]:
    """Return the ids of those that are among the ratings of `ratings_get`, with its queries.

    judgments  with their substitution
    """
    if not judgments:
        return set()
    items = sorted({one.substitution.item_id for one in judgments})
    ratings = ratings_get(campaign=campaign, items=items)
    behind: set[tuple[int, int, int]] = set()
    for scale in ratings.scales:
        unit, who, _values = ratings.tables[scale.name].by_unit
        for code, person in zip(unit.tolist(), who.tolist(), strict=True):
            behind.add((int(ratings.units[code]), ratings.annotators[person].pk, scale.pk))
    return {
        one.pk
        for one in judgments
        if one.kind == Judgment.Kind.RATING
        and one.occasion == 1
        and (one.substitution_id, one.annotator_id, one.scale_id) in behind
    }


def cannot_judge(
    *, campaign: Campaign, ratings: Ratings, choice: Choice = Choice()
) -> dict[str, int]:
    """Count the answers "cannot judge" that would have been ratings, by scale; one query.

    They are of the units and the annotators of `ratings`, which the choice gave: what is excluded,
    of another role or a repeat counts nowhere.
    """
    rows = _answers(campaign, choice, None, CANNOT)
    rows = rows[
        (ratings.position(rows["unit"]) >= 0)
        & np.isin(rows["annotator"], [one.pk for one in ratings.annotators])
    ]
    return {scale.name: int((rows["scale"] == scale.pk).sum()) for scale in ratings.scales}


def exclusions_in_force(*, campaign: Campaign, at: datetime | None = None) -> dict[str, set[int]]:
    """Ids excluded now, or at a past time, by kind of target; one query."""
    out: dict[str, set[int]] = {}
    rows = Exclusion.objects.filter(campaign=campaign)
    rows = rows.filter(ends_at=None) if at is None else exclusions_at(rows, at)
    for row in rows.values_list(*(f"{name}_id" for name in TARGETS)):
        for name, pk in zip(TARGETS, row, strict=True):
            if pk is not None:
                out.setdefault(name, set()).add(pk)
    return out


def units_in_force(
    *, campaign: Campaign, choice: Choice, out: Mapping[str, set[int]]
) -> QuerySet[Substitution]:
    """The texts that enter statistics: role output, and not excluded by `out`.

    If a system is excluded, a text stays if another system produced it too, or if none did.
    """
    return _of_role_output(Q(campaign=campaign), campaign, choice, out)


def _of_role_output(
    inside: Q, campaign: Campaign, choice: Choice, out: Mapping[str, set[int]]
) -> QuerySet[Substitution]:
    rows = choice.units(Substitution.objects.filter(inside))
    made = Output.objects.filter(system__campaign=campaign, substitution__isnull=False)
    included = made.exclude(system__in=out.get("system", ()))
    if choice.systems:
        included = included.filter(system__label__in=choice.systems)
        rows = rows.filter(pk__in=included.values("substitution"))
    elif out.get("system"):
        lost = made.filter(system__in=out["system"]).values("substitution")
        rows = rows.filter(~Q(pk__in=lost) | Q(pk__in=included.values("substitution")))
    for name, column in (("phrase", "item__phrase"), ("item", "item"), ("substitution", "pk")):
        if out.get(name):
            rows = rows.exclude(**{f"{column}__in": out[name]})
    return rows


def _units(
    campaign: Campaign,
    choice: Choice,
    out: Mapping[str, set[int]],
    items: Items | None,
) -> Any:
    # With items given, the database uses their index, not that of the campaign.
    inside = Q(campaign=campaign) if items is None else Q(item__in=items)
    rows = _of_role_output(inside, campaign, choice, out)
    return np.fromiter(
        rows.order_by("pk").values_list("pk", "item_id", "item__phrase_id").iterator(CHUNK),
        dtype=[("id", np.int64), ("item", np.int64), ("phrase", np.int64)],
    )


def _answers(campaign: Campaign, choice: Choice, items: Items | None, given: Q) -> Any:
    """Rows of the judgments of the choice whose answer is `given`; NaN without a value."""
    if choice.moment is not None:
        past = answers_at(campaign=campaign, choice=choice, moment=choice.moment, given=given)
        return np.fromiter(past, dtype=ROW)
    statuses = [Judgment.Status.COUNTED, *([Judgment.Status.SURPLUS] if choice.surplus else [])]
    inside = Q(campaign=campaign) if items is None else Q(substitution__item__in=items)
    rows = Judgment.objects.filter(
        inside,
        given,
        kind=Judgment.Kind.RATING,
        occasion=choice.occasion,
        status__in=statuses,
    ).order_by()
    judgments = choice.judgments(rows).values_list(
        "annotator_id", "substitution_id", "scale_id", "value"
    )
    return np.fromiter(map(with_value, judgments.iterator(CHUNK)), dtype=ROW)


def _table(rows: Any, scale: Scale, ratings: Ratings) -> RatingTable:
    used = np.unique(rows["annotator"]).tolist()
    return RatingTable(
        rows["unit"],
        rows["annotator"],
        _on_scale(rows["value"], scale),
        len(ratings.units),
        len(ratings.annotators),
        item=ratings.item,
        phrase=ratings.phrase,
        unit_labels=_Names(ratings.units),
        annotator_labels=[one.code for one in ratings.annotators],
        # One annotator without identity is enough: its ratings may be anybody's.
        anonymous=any(
            ratings.annotators[code].origin == Annotator.Origin.ANONYMOUS for code in used
        ),
    )


def _on_scale(values: FloatArray, scale: Scale) -> FloatArray:
    """Snap values to the levels of the scale: 0.1 x 3 is stored slightly above the level 0.3."""
    levels = np.array(scale.levels())
    if not levels.size or not values.size:
        return np.ascontiguousarray(values)
    place = np.clip(np.rint((values - scale.minimum) / scale.step), 0, levels.size - 1)
    return np.asarray(levels[place.astype(np.int64)], dtype=np.float64)


class _Names(Sequence[str]):
    """Ids as labels, created lazily."""

    def __init__(self, ids: IntArray) -> None:
        self._ids = ids

    def __len__(self) -> int:
        return int(self._ids.size)

    def __getitem__(self, index: Any) -> Any:
        return str(self._ids[index])


def systems_get(
    *,
    campaign: Campaign,
    ratings: Ratings,
    choice: Choice = Choice(),
) -> SystemTexts:
    """Which system produced which unit, over all items in force; four queries."""
    out = {} if choice.excluded else exclusions_in_force(campaign=campaign, at=choice.moment)
    named = System.objects.filter(campaign=campaign).exclude(pk__in=out.get("system", ()))
    if choice.systems:
        named = named.filter(label__in=choice.systems)
    systems = list(named.order_by("label").values_list("pk", "label"))
    codes = {pk: code for code, (pk, _) in enumerate(systems)}
    made = Output.objects.filter(system__campaign=campaign, substitution__isnull=False)
    rows = np.fromiter(
        (
            (substitution, codes[system])
            for substitution, system in made.order_by()
            .values_list("substitution_id", "system_id")
            .iterator(CHUNK)
            if system in codes
        ),
        dtype=[("unit", np.int64), ("system", np.int64)],
    )
    unit = ratings.position(rows["unit"])
    items = choice.items(Item.objects.filter(campaign=campaign)).exclude(pk__in=out.get("item", ()))
    return SystemTexts(
        unit[unit >= 0],
        np.ascontiguousarray(rows["system"][unit >= 0]),
        tuple(label for _, label in systems),
        n_items=items.exclude(phrase__in=out.get("phrase", ())).count(),
    )
