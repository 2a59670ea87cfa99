"""The contents of the gold reports."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from annotation.models import Campaign, Substitution
from scoring.selectors.gold.values import gold_get
from scoring.selectors.ratings.tables import Choice, Items, ratings_get
from scoring.stats.gold.compare import gold_report
from scoring.stats.gold.json_types import GoldReport, GoldValuesReport, ValueColumn
from scoring.stats.gold.values import GoldValues
from scoring.stats.table import FloatArray


def gold_overview_for(*, campaign: Campaign, choice: Choice) -> GoldReport:
    """Compare all methods on the scales, the sum of the ordered ones, and pass or fail.

    Nominal scales have no mean and are left out. The units in `listed` are substitution ids.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    columns = ratings.columns()
    tables = {**columns, **{name: ratings.tables[name] for name in ratings.thresholds}}
    if not tables:
        return {"methods": {}, "comparison": {"columns": {}, "passes": []}, "straddling": {}}
    return gold_report(tables, ratings.thresholds)


def gold_values_for(
    *, campaign: Campaign, choice: Choice, items: Items | None = None
) -> GoldValuesReport:
    """Gold of every text by `choice.method`, as columns in the order of `units` (ids).

    `items` limits it to the texts of these items, for methods that look at one text at a time.
    """
    ratings = ratings_get(campaign=campaign, choice=choice, items=items)
    if not ratings.tables:
        return {"method": choice.method, "units": [], "columns": {}, "passes": None}
    found = gold_get(campaign=campaign, ratings=ratings, choice=choice, items=items)
    return {
        "method": choice.method,
        "units": ratings.units.tolist(),
        "columns": {name: _columns(values) for name, values in found.columns.items()},
        "passes": _columns(found.passes),
    }


def _columns(values: GoldValues) -> ValueColumn:
    found: ValueColumn = {
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
        found["posterior"] = {
            f"{label:.12g}": _numbers(values.posterior[:, place])
            for place, label in enumerate(values.posterior_of)
        }
    return found


def _numbers(values: FloatArray) -> list[float | None]:
    """Round to six decimals: more precise than any rating, and a third of the bytes."""
    return [None if np.isnan(value) else round(float(value), 6) for value in values]


def texts_of(*, campaign: Campaign, units: Collection[int]) -> dict[int, Substitution]:
    """The texts that a report names, by unit, if they still exist; one query."""
    texts = Substitution.objects.filter(campaign=campaign).select_related("item__phrase")
    return texts.in_bulk(units)
