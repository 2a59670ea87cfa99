"""Gold, passes and results per system, on the units of `Ratings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from annotation.models import Campaign, Scale
from scoring.selectors.gold.values import Known, gold_get, imported_values, summed
from scoring.selectors.ratings.tables import (
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
from scoring.stats.combine import Gold, Method, gold
from scoring.stats.gold.table import GoldMethod
from scoring.stats.systems.json_types import GoldRule, ResultsReport

Imported = Literal["missing", "always", "never"]
LISTED_LEVELS = 20
REPLICATES = 1000
EXCLUDED_PHRASES = (
    "A phrase with an exclusion in force is left out entirely: none of its items, texts "
    "and judgments enters any number here, nor the coverage. Texts, items, systems and "
    "annotators can be "
    "excluded in the same way; only whole phrases are counted as excluded phrases."
)


@dataclass(frozen=True, eq=False, slots=True)
class GoldColumn:
    """Gold on one scale (or on the sum of scales), aligned with the units; NaN if missing.

    `imported` marks the units with imported values; there the median equals the value, n is 0, and
    the spread is NaN unless the source gives it.
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
    """Gold of every scale and, last, of their sum; one query.

    The sum is taken within each annotator, then averaged over annotators (White 2012). Imported
    gold is used where there are no judgments (`missing`), wherever it exists (`always`), or not at
    all (`never`); of several sources the newest wins. The sum has imported gold if every scale has
    it. `items` are those that the ratings were limited to.
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
    """Whether the gold of each unit reaches every threshold; None if a value is missing."""
    limits = ratings.thresholds
    if not limits:
        return [None] * len(ratings.units)
    values = [columns[name].value(method) for name in limits]
    there = np.asarray(~np.isnan(np.column_stack(values)).any(axis=1)).tolist()
    reached = np.column_stack(
        [limit.reached(value) for limit, value in zip(limits.values(), values, strict=True)]
    )
    return [bool(row.all()) if known else None for row, known in zip(reached, there, strict=True)]


class ExclusionRule(TypedDict):
    """Which phrases are left out, and by which rule."""

    phrases_excluded: int
    exclusion_rule: str


class ResultsOptions(TypedDict):
    """What results by judgment and by gold are asked for alike."""

    levels: Mapping[str, FloatArray]
    ordered: Mapping[str, bool]
    plan: Bootstrap


def results_for(
    *,
    campaign: Campaign,
    unit: Literal["judgment", "gold"] = "judgment",
    choice: Choice = Choice(),  # noqa: B008 frozen
) -> ResultsReport:
    """The JSON of `results`; `phrases_excluded` counts phrases with an exclusion in force.

    Coverage is the share of the items in force for which the system gave a text. By gold the values
    are those of `choice.method`, including imported ones; `gold` names the method and, if nothing
    can pass, gives the reason.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    out = {} if choice.excluded else exclusions_in_force(campaign=campaign, at=choice.moment)
    excluded = len(out.get("phrase", ()))
    rule: ExclusionRule = {"phrases_excluded": excluded, "exclusion_rule": EXCLUDED_PHRASES}
    if not ratings.tables:
        return {
            "unit": unit, "thresholds": {}, "systems": {}, "phrases": 0, "contexts": 0,
            "judgments": 0, "pairs": [], "clusters": [], "phrases_excluded": excluded,
            "exclusion_rule": EXCLUDED_PHRASES,
        }  # fmt: skip
    texts = systems_get(campaign=campaign, ratings=ratings, choice=choice)
    common: ResultsOptions = {
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
    decides = method.decides
    found = results(
        ratings.tables, texts, {} if method.name == "z" else ratings.thresholds, unit="gold",
        gold_values={name: made.columns[name].value for name in ratings.tables},
        decisions=made.passes.value if decides else None, **common,
    )  # fmt: skip
    reasons = {row.reason for row in made.passes.rows()}
    how: GoldRule = {
        "method": method.text,
        "made_by": made.passes.method if decides else next(iter(made.columns.values())).method,
        "pass_reason": min(reasons) if "" not in reasons and reasons else None,
    }
    return {**found, **rule, "gold": how}
