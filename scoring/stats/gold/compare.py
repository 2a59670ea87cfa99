"""Comparison of gold methods on the same ratings, and borderline decisions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import scipy

from paraanno.plain.sentence import Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.catalogue import METHODS
from scoring.stats.gold.json_types import (
    Borderline,
    BorderlineText,
    Correlated,
    Decider,
    Differing,
    GoldReport,
    Summary,
)
from scoring.stats.gold.straddling import Straddling, straddling
from scoring.stats.gold.table import GoldTable, gold_table
from scoring.stats.gold.values import NO_RATING, GoldValues
from scoring.stats.passes import Threshold
from scoring.stats.table import FloatArray, RatingTable

BINS = 20
LISTED = 100
LEAST = 3
FEW = say("undefined: fewer than three texts have a value by both methods")
SAME = say("undefined: one of the two methods gives all texts the same value")


def gold_report(
    tables: Mapping[str, RatingTable], thresholds: Mapping[str, Threshold]
) -> GoldReport:
    """Return the gold of all METHODS from the judgments alone, without other sources.

    methods      {method: {columns: {name: summary}, passes: summary of the decisions}}
    comparison   {columns: {name: [{a, b, n, pearson, spearman, reason}]},
                 passes: [{a, b, n, differ}]}; n texts with a value (decision) by both methods
    straddling   {scale: borderline decisions}
    """
    made = {method: gold_table(method, tables, thresholds) for method in METHODS}
    return {
        "methods": {
            method: {
                "columns": {name: summary(one) for name, one in found.columns.items()},
                "passes": summary(found.passes),
            }
            for method, found in made.items()
        },
        "comparison": {
            "columns": {name: _correlations(made, name) for name in tables},
            "passes": _differences(made),
        },
        "straddling": {name: borderline(tables[name], limit) for name, limit in thresholds.items()},
    }


def summary(values: GoldValues) -> Summary:
    """Return n, mean, sd, quartiles (minimum to maximum), distribution and mean confidence.

    distribution: {value: texts}; `reason` says why no text has a value, else None.
    """
    known = values.value[values.defined]
    sure = values.confidence[~np.isnan(values.confidence)]
    width = (values.high - values.low)[~np.isnan(values.low)]
    quartiles = np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist() if known.size else None
    return {
        "n": int(known.size),
        "mean": float(known.mean()) if known.size else None,
        "sd": float(known.std(ddof=1)) if known.size > 1 else None,
        "quartiles": quartiles,
        "distribution": distribution(known),
        "confidence": float(sure.mean()) if sure.size else None,
        "confidence_is": values.confidence_is,
        "interval_width": float(width.mean()) if width.size else None,
        "interval": values.interval,
        "method": values.method,
        "reason": None if known.size else _reason(values),
    }


def _reason(values: GoldValues) -> Sentence:
    """Return the first reason other than NO_RATING, else NO_RATING."""
    found = [values.reasons[code] for code in np.unique(values.reason).tolist() if code]
    return next((reason for reason in found if reason != NO_RATING), NO_RATING)


def distribution(values: FloatArray) -> dict[str, int]:
    """Count texts by value (four significant digits); more than 20 values are binned into 20
    equal intervals, named by their lower limit."""
    ends, count = np.unique(values, return_counts=True)
    if ends.size > BINS:
        count, ends = np.histogram(values, bins=BINS)
    named: dict[str, int] = {}
    for end, n in zip(ends.tolist(), count.tolist(), strict=False):
        named[f"{end:.4g}"] = named.get(f"{end:.4g}", 0) + int(n)
    return named


def _correlations(made: Mapping[str, GoldTable], name: str) -> list[Correlated]:
    given = {method: found.columns[name] for method, found in made.items()}
    with_values = [method for method, one in given.items() if one.defined.any()]
    rows: list[Correlated] = []
    for a, b in combinations(with_values, 2):
        both = given[a].defined & given[b].defined
        x, y = given[a].value[both], given[b].value[both]
        reason = FEW if x.size < LEAST else SAME if _constant(x) or _constant(y) else None
        rows.append(
            {
                "a": a,
                "b": b,
                "n": int(x.size),
                "pearson": None if reason else float(np.corrcoef(x, y)[0, 1]),
                "spearman": None if reason else _spearman(x, y),
                "reason": reason,
            }
        )
    return rows


def _constant(values: FloatArray) -> bool:
    return bool(np.ptp(values) <= 1e-12 * max(1.0, float(np.abs(values).max())))


def _spearman(x: FloatArray, y: FloatArray) -> float:
    """Return Spearman's rho; values that differ only by rounding are ties."""
    ranks = [scipy.stats.rankdata(np.round(values, 9)) for values in (x, y)]
    return float(np.corrcoef(*ranks)[0, 1])


def _differences(made: Mapping[str, GoldTable]) -> list[Differing]:
    given = {method: found.passes.value for method, found in made.items()}
    deciding = [method for method, value in given.items() if not np.isnan(value).all()]
    rows: list[Differing] = []
    for a, b in combinations(deciding, 2):
        gap = np.abs(given[a] - given[b])
        known = ~np.isnan(gap)
        rows.append({"a": a, "b": b, "n": int(known.sum()), "differ": int((gap[known] > 0).sum())})
    return rows


def borderline(table: RatingTable, threshold: Threshold) -> Borderline:
    """Return the borderline cases among the decisions "the mean reaches the threshold".

    decisions   texts with a mean; `passing` of them reach the threshold
    straddling  the interval of the mean contains the threshold
    flipping    omitting one annotator reverses the decision; `alone`: based on one rating
    listed      those that straddle or flip, closest to the threshold first, by unit label
    annotators  per annotator, the number of decisions reversed (`flips`) and lost (`lost`) without
                them; None for anonymous annotators
    """
    found = straddling(table, threshold)
    return {
        "threshold": threshold.value,
        "higher_is_better": threshold.higher_is_better,
        "interval": found.gold.interval,
        "decisions": int(found.gold.defined.sum()),
        "passing": int(found.passes.sum()),
        "straddling": int(found.straddles.sum()),
        "flipping": int((found.flips > 0).sum()),
        "alone": int(found.alone.sum()),
        "listed": [_one(table, found, int(unit)) for unit in found.units[:LISTED]],
        "annotators": None if table.anonymous else _annotators(table, found),
        "reason": ANONYMOUS if table.anonymous else None,
    }


def _one(table: RatingTable, found: Straddling, unit: int) -> BorderlineText:
    low, high = float(found.gold.low[unit]), float(found.gold.high[unit])
    known = not np.isnan(low)
    return {
        "unit": table.unit_label(unit),
        "value": float(found.gold.value[unit]),
        "low": low if known else None,
        "high": high if known else None,
        "n": int(found.gold.n[unit]),
        "passes": bool(found.passes[unit]),
        "straddles": bool(found.straddles[unit]),
        "flips": int(found.flips[unit]),
    }


def _annotators(table: RatingTable, found: Straddling) -> list[Decider]:
    return [
        {
            "annotator": table.annotator_label(int(code)),
            "flips": int(found.flipped_by[code]),
            "lost": int(found.lost_by[code]),
        }
        for code in table.used_annotators
    ]
