"""Gold by a named method on the units of `Ratings`: adjudicated values first if requested, and
imported values where there are no judgments."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from django.db.models import Q

from annotation.models import Campaign, ImportedGold, Judgment, Scale
from scoring.selectors.ratings.tables import CHUNK, Choice, FloatArray, IntArray, Items, Ratings
from scoring.stats.gold.table import GoldMethod, GoldTable, Layer, gold_table
from scoring.stats.gold.values import ADJUDICATED, IMPORTED

Known = tuple[FloatArray, IntArray, FloatArray]


def gold_get(
    *,
    campaign: Campaign,
    ratings: Ratings,
    choice: Choice = Choice(),  # noqa: B008 frozen
    items: Items | None = None,
) -> GoldTable:
    """Gold of every scale and of the sum of the ordered ones by `choice.method`; two queries.

    The sum is taken within each annotator, then averaged over annotators. Of several adjudications
    of one text the newest wins. `items` are those that the ratings were limited to; a method that
    needs all ratings (`needs_all`) must get those of the entire campaign.
    """
    method = GoldMethod.parse(choice.method)
    at = choice.moment
    known = [
        Layer(IMPORTED, _with_sum(imported_values(campaign, ratings, items, at), ratings), True)
    ]
    if method.adjudicated:
        first = _with_sum(_adjudicated(campaign, ratings, items, at), ratings)
        known.insert(0, Layer(ADJUDICATED, first))
    tables = {**ratings.tables, **ratings.columns()}
    nominal = [one.name for one in ratings.scales if one.level == Scale.Level.NOMINAL]
    return gold_table(method.name, tables, ratings.thresholds, known, nominal)


def _with_sum(known: dict[str, Known], ratings: Ratings) -> dict[str, Known]:
    """Add the sum, where every scale of it is known."""
    columns = ratings.columns()
    total = summed([known.get(name) for name in columns if name in ratings.tables])
    for name in columns:
        if name not in ratings.tables and total is not None:
            return {**known, name: total}
    return known


def _adjudicated(
    campaign: Campaign, ratings: Ratings, items: Items | None, at: datetime | None
) -> dict[str, Known]:
    """As of a time: those last changed before it."""
    inside = Q(campaign=campaign) if items is None else Q(substitution__item__in=items)
    if at is not None:
        inside &= Q(recorded_at__lte=at)
    rows = np.fromiter(
        Judgment.objects.filter(
            inside,
            kind=Judgment.Kind.ADJUDICATION,
            status=Judgment.Status.COUNTED,
            value__isnull=False,
            annotator__in=[one.pk for one in ratings.annotators],
        )
        .order_by("recorded_at", "pk")
        .values_list("substitution_id", "scale_id", "value")
        .iterator(CHUNK),
        dtype=[("unit", "i8"), ("scale", "i8"), ("value", "f8")],
    )
    rows["unit"] = ratings.position(rows["unit"])
    size = len(ratings.units)
    found: dict[str, Known] = {}
    for scale in ratings.scales:
        mine = rows[(rows["scale"] == scale.pk) & (rows["unit"] >= 0)]
        if mine.size:
            value = np.full(size, np.nan)
            value[mine["unit"]] = mine["value"]  # Later rows overwrite earlier ones.
            found[scale.name] = value, np.zeros(size, dtype=np.int64), np.full(size, np.nan)
    return found


def imported_values(
    campaign: Campaign,
    ratings: Ratings,
    items: Items | None = None,
    at: datetime | None = None,
) -> dict[str, Known]:
    """(value, n, spread) of each unit by scale as imported (up to `at`); NaN, 0 and NaN if
    missing."""
    inside = Q(campaign=campaign) if items is None else Q(substitution__item__in=items)
    if at is not None:
        inside &= Q(created_at__lte=at)
    rows = np.fromiter(
        (
            (substitution, scale, value, np.nan if spread is None else spread, n or 0)
            for substitution, scale, value, spread, n in ImportedGold.objects.filter(inside)
            .order_by("pk")
            .values_list("substitution_id", "scale_id", "value", "spread", "n")
            .iterator(chunk_size=5000)
        ),
        dtype=[("unit", "i8"), ("scale", "i8"), ("value", "f8"), ("spread", "f8"), ("n", "i8")],
    )
    rows["unit"] = ratings.position(rows["unit"])
    size = len(ratings.units)
    found: dict[str, Known] = {}
    for scale in ratings.scales:
        mine = rows[(rows["scale"] == scale.pk) & (rows["unit"] >= 0)]
        if mine.size:
            value, spread = np.full(size, np.nan), np.full(size, np.nan)
            n = np.zeros(size, dtype=np.int64)
            # Later rows overwrite earlier ones: the newest source wins.
            value[mine["unit"]], spread[mine["unit"]] = mine["value"], mine["spread"]
            n[mine["unit"]] = mine["n"]
            found[scale.name] = (value, n, spread)
    return found


def summed(parts: list[Known | None]) -> Known | None:
    """The sum of all parts; None if one is missing. A sum has no n and spread."""
    there = [part for part in parts if part is not None]
    if not there or len(there) < len(parts):
        return None
    value = np.sum([part[0] for part in there], axis=0)
    return value, np.zeros(value.shape, dtype=np.int64), np.full(value.shape, np.nan)
