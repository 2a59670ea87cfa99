"""Gold, passes and results per system, on the units of `Ratings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from annotation.models import Campaign, ImportedGold
from scoring.selectors.ratings import (
    Choice,
    FloatArray,
    IntArray,
    Items,
    Ratings,
    exclusions_in_force,
    ratings_get,
    systems_get,
)
from scoring.stats import results
from scoring.stats.gold import Gold, Method, gold

Imported = Literal["missing", "always", "never"]
LISTED_LEVELS = 20


@dataclass(frozen=True, eq=False, slots=True)
class GoldColumn:
    """Gold on one scale (or on their sum), aligned with the units; NaN where there is none.

    `imported` marks the units whose value was made elsewhere; there the median is the same value,
    n is 0 and the spread NaN where the source does not say.
    """

    name: str
    higher_is_better: bool
    mean: FloatArray
    median: FloatArray
    spread: FloatArray
    n: IntArray
    imported: NDArray[np.bool_]

    def value(self, method: Method) -> FloatArray:
        return self.mean if method == "mean" else self.median


def gold_columns(
    *,
    campaign: Campaign,
    ratings: Ratings,
    imported: Imported = "missing",
    items: Items | None = None,
) -> dict[str, GoldColumn]:
    """Gold of every scale and, behind them, of their sum; one query.

    The sum is taken within one annotator, then over annotators (White 2012). Imported gold stands
    where nobody judged (`missing`), wherever there is some (`always`), or nowhere (`never`); of
    several sources the newest speaks. The sum has imported gold where every scale has.
    `items` are those that the ratings were limited to.
    """
    known = {} if imported == "never" else _imported(campaign, ratings, items)
    ordered = ratings.columns()
    tables = {**ratings.tables, **ordered}
    better = {scale.name: scale.higher_is_better for scale in ratings.scales}
    columns = {}
    for name, table in tables.items():
        if name in better:
            elsewhere = known.get(name)
        else:
            elsewhere = _summed([known.get(part) for part in ordered if part in better])
        up = better.get(name, all(better[part] for part in ordered if part in better))
        columns[name] = _column(name, up, gold(table), elsewhere, imported)
    return columns


_Known = tuple[FloatArray, FloatArray, IntArray]


def _imported(campaign: Campaign, ratings: Ratings, items: Items | None) -> dict[str, _Known]:
    inside = Q(campaign=campaign) if items is None else Q(substitution__item__in=items)
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
    found: dict[str, _Known] = {}
    for scale in ratings.scales:
        mine = rows[(rows["scale"] == scale.pk) & (rows["unit"] >= 0)]
        if mine.size:
            value, spread = np.full(size, np.nan), np.full(size, np.nan)
            n = np.zeros(size, dtype=np.int64)
            # Later rows overwrite earlier ones: the newest source speaks.
            value[mine["unit"]], spread[mine["unit"]] = mine["value"], mine["spread"]
            n[mine["unit"]] = mine["n"]
            found[scale.name] = (value, spread, n)
    return found


def _summed(parts: list[_Known | None]) -> _Known | None:
    there = [part for part in parts if part is not None]
    if not there or len(there) < len(parts):
        return None
    value = np.sum([part[0] for part in there], axis=0)
    return value, np.full(value.shape, np.nan), np.zeros(value.shape, dtype=np.int64)


def _column(name: str, up: bool, made: Gold, known: _Known | None, when: Imported) -> GoldColumn:
    if known is None:
        none = np.zeros(made.n.shape, dtype=bool)
        return GoldColumn(name, up, made.mean, made.median, made.spread, made.n, none)
    value, spread, n = known
    take = ~np.isnan(value) & ((when == "always") | (made.n == 0))
    return GoldColumn(
        name,
        up,
        np.where(take, value, made.mean),
        np.where(take, value, made.median),
        np.where(take, spread, made.spread),
        np.where(take, n, made.n),
        take,
    )


def gold_passes(
    *, columns: Mapping[str, GoldColumn], ratings: Ratings, method: Method = "mean"
) -> list[bool | None]:
    """Whether the gold of each unit reaches every threshold; None where a value is missing."""
    limits = ratings.thresholds
    if not limits:
        return [None] * len(ratings.units)
    values = [columns[name].value(method) for name in limits]
    there = np.asarray(~np.isnan(np.column_stack(values)).any(axis=1)).tolist()
    reached = np.column_stack(
        [limit.reached(value) for limit, value in zip(limits.values(), values, strict=True)]
    )
    return [bool(row.all()) if known else None for row, known in zip(reached, there, strict=True)]


def results_for(
    *,
    campaign: Campaign,
    unit: Literal["judgment", "gold"] = "judgment",
    choice: Choice = Choice(),  # noqa: B008 frozen
) -> dict[str, Any]:
    """The JSON of `results`; `phrases_excluded` counts phrases with an exclusion in force.

    Coverage is the share of the items in force for which the system gave a text.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    if not ratings.tables:
        return {
            "unit": unit, "thresholds": {}, "systems": {}, "phrases": 0, "phrases_excluded": 0,
            "contexts": 0, "judgments": 0,
        }  # fmt: skip
    found = results(
        ratings.tables,
        systems_get(campaign=campaign, ratings=ratings, choice=choice),
        ratings.thresholds,
        unit=unit,
        levels=ratings.levels(at_most=LISTED_LEVELS),
    )
    out = {} if choice.excluded else exclusions_in_force(campaign=campaign)
    return {**found, "phrases_excluded": len(out.get("phrase", ()))}
