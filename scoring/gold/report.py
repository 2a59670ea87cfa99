"""Gold, passes and results per system, on the units of `Ratings`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypedDict

import numpy as np
from django.db.models import Q
from django.http import QueryDict
from numpy.typing import NDArray

from annotation.models import Campaign, ImportedGold, Judgment, Scale, Substitution
from paraanno.template_filters import translated, translated_lazy
from scoring.ratings.choice import Choice
from scoring.ratings.tables import (
    CHUNK,
    FloatArray,
    IntArray,
    Items,
    Ratings,
    exclusions_in_force,
    ratings_get,
    systems_get,
)
from scoring.stats import Bootstrap, results
from scoring.stats.gold.compare import GoldMethod, GoldTable, Layer, gold_report, gold_table
from scoring.stats.gold.latent import CATALOGUE, METHODS
from scoring.stats.gold.values import (
    ADJUDICATED,
    IMPORTED,
    GoldReport,
    GoldValues,
    GoldValuesReport,
    ValueColumn,
)
from scoring.stats.systems.values import GoldRule, ResultsReport
from scoring.stats.table import Gold, Method, gold

# Gold by a named method on the units of `Ratings`: adjudicated values first if requested, and
# imported values where there are no judgments.


GoldArrays = tuple[FloatArray, IntArray, FloatArray]


def gold_get(
    *,
    campaign: Campaign,
    ratings: Ratings,
    choice: Choice = Choice(),
    items: Items | None = None,
) -> GoldTable:
    """Gold of every scale and of the sum of the ordered ones by `choice.method`; two queries.

    The sum is taken within each annotator, then averaged over annotators. Of several adjudications
    of one text the newest wins. `items` are those that the ratings were limited to; a method that
    needs all ratings (`needs_all`) must get those of the entire campaign.
    """
    method = GoldMethod.parse(choice.method)
    at = choice.moment
    layers = [
        Layer(IMPORTED, _with_sum(imported_values(campaign, ratings, items, at), ratings), True)
    ]
    if method.adjudicated:
        first = _with_sum(_adjudicated(campaign, ratings, items, at), ratings)
        layers.insert(0, Layer(ADJUDICATED, first))
    tables = {**ratings.tables, **ratings.columns()}
    nominal = [one.name for one in ratings.scales if one.level == Scale.Level.NOMINAL]
    ends = scale_ends(ratings)
    return gold_table(method.name, tables, ratings.thresholds, layers, nominal, ends)


def scale_ends(ratings: Ratings) -> dict[str, tuple[float, float]]:
    """The least and the greatest value of every scale, and of the sum of the ordered ones."""
    ends = {scale.name: (scale.minimum, scale.maximum) for scale in ratings.scales}
    names = list(ratings.columns())
    ordered = [ends[name] for name in names if name in ends]
    for name in names:
        if name not in ends:
            ends[name] = (sum(low for low, _ in ordered), sum(high for _, high in ordered))
    return ends


def _with_sum(by_scale: dict[str, GoldArrays], ratings: Ratings) -> dict[str, GoldArrays]:
    """Add the sum, where every scale of it is known."""
    columns = ratings.columns()
    total = summed([by_scale.get(name) for name in columns if name in ratings.tables])
    for name in columns:
        if name not in ratings.tables and total is not None:
            return {**by_scale, name: total}
    return by_scale


def _adjudicated(
    campaign: Campaign, ratings: Ratings, items: Items | None, at: datetime | None
) -> dict[str, GoldArrays]:
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
    by_scale: dict[str, GoldArrays] = {}
    for scale in ratings.scales:
        scale_rows = rows[(rows["scale"] == scale.pk) & (rows["unit"] >= 0)]
        if scale_rows.size:
            value = np.full(size, np.nan)
            value[scale_rows["unit"]] = scale_rows["value"]  # Later rows overwrite earlier ones.
            by_scale[scale.name] = value, np.zeros(size, dtype=np.int64), np.full(size, np.nan)
    return by_scale


def imported_values(
    campaign: Campaign,
    ratings: Ratings,
    items: Items | None = None,
    at: datetime | None = None,
) -> dict[str, GoldArrays]:
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
    by_scale: dict[str, GoldArrays] = {}
    for scale in ratings.scales:
        scale_rows = rows[(rows["scale"] == scale.pk) & (rows["unit"] >= 0)]
        if scale_rows.size:
            value, spread = np.full(size, np.nan), np.full(size, np.nan)
            n = np.zeros(size, dtype=np.int64)
            # Later rows overwrite earlier ones: the newest source wins.
            value[scale_rows["unit"]], spread[scale_rows["unit"]] = (
                scale_rows["value"],
                scale_rows["spread"],
            )
            n[scale_rows["unit"]] = scale_rows["n"]
            by_scale[scale.name] = (value, n, spread)
    return by_scale


def summed(parts: list[GoldArrays | None]) -> GoldArrays | None:
    """The sum of all parts; None if one is missing. A sum has no n and spread."""
    there = [part for part in parts if part is not None]
    if not there or len(there) < len(parts):
        return None
    value = np.sum([part[0] for part in there], axis=0)
    return value, np.zeros(value.shape, dtype=np.int64), np.full(value.shape, np.nan)


Imported = Literal["missing", "always", "never"]
LISTED_LEVELS = 20
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
    by_scale = {} if imported == "never" else imported_values(campaign, ratings, items)
    ordered = ratings.columns()
    tables = {**ratings.tables, **ordered}
    better = {scale.name: scale.higher_is_better for scale in ratings.scales}
    columns = {}
    for name, table in tables.items():
        if name in better:
            elsewhere = by_scale.get(name)
        else:
            elsewhere = summed([by_scale.get(part) for part in ordered if part in better])
        up = better.get(name, all(better[part] for part in ordered if part in better))
        columns[name] = _column(name, up, gold(table), elsewhere, imported)
    return columns


def _column(
    name: str, up: bool, made: Gold, elsewhere: GoldArrays | None, when: Imported
) -> GoldColumn:
    if elsewhere is None:
        none = np.zeros(made.n.shape, dtype=bool)
        return GoldColumn(name, up, made.mean, made.median, made.spread, made.n, none)
    value, n, spread = elsewhere
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
    return [
        bool(row.all()) if complete else None for row, complete in zip(reached, there, strict=True)
    ]


class ExclusionRule(TypedDict):
    """Which phrases are left out, and by which rule."""

    phrases_excluded: int
    exclusion_rule: str


class ResultsOptions(TypedDict):
    """What results by judgment and by gold are asked for alike."""

    levels: Mapping[str, FloatArray]
    ordered: Mapping[str, bool]
    ends: Mapping[str, tuple[float, float]]
    plan: Bootstrap


def results_for(
    *,
    campaign: Campaign,
    unit: Literal["judgment", "gold"] = "judgment",
    choice: Choice = Choice(),
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
            "unit": unit,
            "thresholds": {},
            "systems": {},
            "phrases": 0,
            "contexts": 0,
            "judgments": 0,
            "pairs": [],
            "clusters": [],
            "phrases_excluded": excluded,
            "exclusion_rule": EXCLUDED_PHRASES,
        }
    texts = systems_get(campaign=campaign, ratings=ratings, choice=choice)
    common: ResultsOptions = {
        "levels": ratings.levels(at_most=LISTED_LEVELS),
        "ordered": {
            scale.name: scale.higher_is_better
            for scale in ratings.scales
            if scale.level != Scale.Level.NOMINAL
        },
        "ends": scale_ends(ratings),
        "plan": Bootstrap(),
    }
    if unit == "judgment":
        report = results(ratings.tables, texts, ratings.thresholds, **common)
        return {**report, **rule}
    method = GoldMethod.parse(choice.method)
    made = gold_get(campaign=campaign, ratings=ratings, choice=choice)
    decides = method.decides
    if method.name == "z":
        common["ends"] = {}  # Its values are not on the scale.
    report = results(
        ratings.tables,
        texts,
        {} if method.name == "z" else ratings.thresholds,
        unit="gold",
        gold_values={name: made.columns[name].value for name in ratings.tables},
        decisions=made.passes.value if decides else None,
        **common,
    )
    reasons = {row.reason for row in made.passes.rows()}
    how: GoldRule = {
        "method": method.text,
        "made_by": made.passes.method if decides else next(iter(made.columns.values())).method,
        "pass_reason": min(reasons) if "" not in reasons and reasons else None,
    }
    return {**report, **rule, "gold": how}


# The contents of the gold reports.


def gold_overview_for(*, campaign: Campaign, choice: Choice) -> GoldReport:
    """Compare all methods on the scales, the sum of the ordered ones, and pass or fail.

    Nominal scales have no mean and are left out. The units in `listed` are substitution ids.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    columns = ratings.columns()
    tables = {**columns, **{name: ratings.tables[name] for name in ratings.thresholds}}
    if not tables:
        return {"methods": {}, "comparison": {"columns": {}, "passes": []}, "straddling": {}}
    return gold_report(tables, ratings.thresholds, scale_ends(ratings))


def gold_values_for(
    *, campaign: Campaign, choice: Choice, items: Items | None = None
) -> GoldValuesReport:
    """Gold of every text by `choice.method`, as columns in the order of `units` (ids).

    `items` limits it to the texts of these items, for methods that look at one text at a time.
    """
    ratings = ratings_get(campaign=campaign, choice=choice, items=items)
    if not ratings.tables:
        return {"method": choice.method, "units": [], "columns": {}, "passes": None}
    table = gold_get(campaign=campaign, ratings=ratings, choice=choice, items=items)
    return {
        "method": choice.method,
        "units": ratings.units.tolist(),
        "columns": {name: _columns(values) for name, values in table.columns.items()},
        "passes": _columns(table.passes),
    }


def _columns(values: GoldValues) -> ValueColumn:
    column: ValueColumn = {
        "method": values.method,
        "interval": values.interval,
        "confidence_is": values.confidence_is,
        "seed": values.seed,
        "sources": list(values.sources),
        "reasons": list(values.reasons),
        "value": _numbers(values.value),
        "n": values.n.tolist(),
        "spread": _numbers(values.spread),
        "low": _numbers(values.low),
        "high": _numbers(values.high),
        "confidence": _numbers(values.confidence),
        "source": values.source.tolist(),
        "reason": values.reason.tolist(),
    }
    if values.posterior is not None:
        column["posterior"] = {
            f"{label:.12g}": _numbers(values.posterior[:, place])
            for place, label in enumerate(values.posterior_of)
        }
    return column


def _numbers(values: FloatArray) -> list[float | None]:
    """Round to six decimals: more precise than any rating, and a third of the bytes."""
    return [None if np.isnan(value) else round(float(value), 6) for value in values]


def texts_of(*, campaign: Campaign, units: Collection[int]) -> dict[int, Substitution]:
    """The texts that a report names, by unit, if they still exist; one query."""
    texts = Substitution.objects.filter(campaign=campaign).select_related("item__phrase")
    return texts.in_bulk(units)


# Labels of the gold methods.


def method_label(name: str) -> str:
    """The label of a method."""
    return translated(METHODS[name].label)


def method_choices() -> list[tuple[str, Any]]:
    """Name and label of every method."""
    return [(one.key, translated_lazy(one.label)) for one in CATALOGUE]


def asked_method(data: QueryDict) -> str:
    """The method chosen in a form: `method`, preceded by `adjudicated` if ticked.

    z-scores are not combined with adjudicated values, which are on the scale.
    """
    method = data.get("method") or "mean"
    if data.get("adjudicated") and method in METHODS and METHODS[method].on_scale:
        return GoldMethod(method, adjudicated=True).text
    return method
