"""Gold, passes and results per system, on the units of `Ratings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.models import Campaign, Scale
from scoring.selectors.gold import Known, gold_get, imported_values, summed
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
from scoring.stats import Bootstrap, results
from scoring.stats.gold import Gold, Method, gold
from scoring.stats.gold_table import DECISION_METHODS, GoldMethod

Imported = Literal["missing", "always", "never"]
LISTED_LEVELS = 20
REPLICATES = 1000
EXCLUDED_PHRASES = (
    "A phrase with an exclusion in force is left out whole: none of its items, texts and judgments "
    "enters any number here, nor the coverage. Texts, items, systems and annotators can be "
    "excluded in the same way; only whole phrases are counted as excluded phrases."
)


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
    known = {} if imported == "never" else imported_values(campaign, ratings, items)
    ordered = ratings.columns()
    tables = {**ratings.tables, **ordered}
    better = {scale.name: scale.higher_is_better for scale in ratings.scales}
    columns = {}
    for name, table in tables.items():
        if name in better:
            elsewhere = known.get(name)
        else:
            elsewhere = summed([known.get(part) for part in ordered if part in better])
        up = better.get(name, all(better[part] for part in ordered if part in better))
        columns[name] = _column(name, up, gold(table), elsewhere, imported)
    return columns


def _column(name: str, up: bool, made: Gold, known: Known | None, when: Imported) -> GoldColumn:
    if known is None:
        none = np.zeros(made.n.shape, dtype=bool)
        return GoldColumn(name, up, made.mean, made.median, made.spread, made.n, none)
    value, n, spread = known
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

    Coverage is the share of the items in force for which the system gave a text. By gold the
    values are those of `choice.method`, imported ones included; `gold` names it and says why
    nothing passes where nothing can.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    out = {} if choice.excluded else exclusions_in_force(campaign=campaign, at=choice.moment)
    rule = {"phrases_excluded": len(out.get("phrase", ())), "exclusion_rule": EXCLUDED_PHRASES}
    if not ratings.tables:
        return {
            "unit": unit, "thresholds": {}, "systems": {}, "phrases": 0, "contexts": 0,
            "judgments": 0, "pairs": [], "clusters": [], **rule,
        }  # fmt: skip
    texts = systems_get(campaign=campaign, ratings=ratings, choice=choice)
    common: dict[str, Any] = {
        "levels": ratings.levels(at_most=LISTED_LEVELS),
        "ordered": {
            scale.name: scale.higher_is_better
            for scale in ratings.scales
            if scale.level != Scale.Level.NOMINAL
        },
        "plan": Bootstrap(REPLICATES),
    }
    if unit == "judgment":
        found = results(ratings.tables, texts, ratings.thresholds, **common)
        return {**found, **rule}
    method = GoldMethod.parse(choice.method)
    made = gold_get(campaign=campaign, ratings=ratings, choice=choice)
    decides = method.name in DECISION_METHODS
    found = results(
        ratings.tables, texts, {} if method.name == "z" else ratings.thresholds, unit="gold",
        gold_values={name: made.columns[name].value for name in ratings.tables},
        decisions=made.passes.value if decides else None, **common,
    )  # fmt: skip
    reasons = {row.reason for row in made.passes.rows()}
    how = {
        "method": method.text,
        "made_by": made.passes.method if decides else next(iter(made.columns.values())).method,
        "pass_reason": min(reasons) if "" not in reasons and reasons else None,
    }
    return {**found, **rule, "gold": how}
