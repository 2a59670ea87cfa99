"""Comparison of gold methods on the same ratings, and borderline decisions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np
import scipy

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.latent import METHODS, Method
from scoring.stats.gold.methods import mean_gold
from scoring.stats.gold.values import (
    NO_RATING,
    Borderline,
    BorderlineText,
    Correlated,
    Decider,
    Differing,
    GoldReport,
    GoldValues,
    Summary,
    made,
    put_over,
    without,
)
from scoring.stats.resampling import Threshold, pass_table
from scoring.stats.table import BoolArray, FloatArray, IntArray, RatingTable

# Borderline decisions of a gold standard: means close to a threshold.


Ends = tuple[float, float]
EVERYWHERE: Ends = (-np.inf, np.inf)  # Of a scale that is not known.


@dataclass(frozen=True, eq=False)
class Straddling:
    """Robustness of the decisions "the mean reaches the threshold".

    gold       the means with their intervals
    passes     (U,) the decision; False without a mean
    straddles  (U,) whether the interval of the mean contains the threshold
    flips      (U,) number of annotators of the unit whose omission reverses its decision
    alone      (U,) whether the decision is based on a single rating
    flipped_by, lost_by   (A,) number of decisions reversed, and lost, if the annotator is omitted
               from the panel; 0 for anonymous annotators
    units      codes of the units that straddle or flip, closest to the threshold first
    """

    gold: GoldValues
    passes: BoolArray
    straddles: BoolArray
    flips: IntArray
    alone: BoolArray
    flipped_by: IntArray
    lost_by: IntArray
    units: IntArray


def straddling(table: RatingTable, threshold: Threshold, ends: Ends = EVERYWHERE) -> Straddling:
    """Find means near the threshold, and decisions that depend on one annotator. `ends`: of the
    scale."""
    made = mean_gold(table).within(*ends)
    n, mean = made.n, made.value
    passes = threshold.reached(mean)
    ends = threshold.reached(made.low) != threshold.reached(made.high)
    straddles = ends & ~np.isnan(made.low)
    others = n[table.unit] - 1
    total = np.bincount(table.unit, table.value, minlength=table.n_units)[table.unit]
    rest = (total - table.value) / np.maximum(others, 1)
    turned = (others > 0) & (threshold.reached(rest) != passes[table.unit])
    defined = ~np.isnan(mean)
    flips = np.bincount(table.unit[turned], minlength=table.n_units)
    listed = np.flatnonzero(straddles | (flips > 0))
    distance = np.abs(mean[listed] - threshold.value)
    nobody = np.zeros(table.n_annotators, dtype=np.int64)
    by = [
        nobody
        if table.anonymous
        else np.bincount(table.annotator[rows], minlength=table.n_annotators)
        for rows in (turned, others == 0)
    ]
    return Straddling(
        made,
        passes & defined,
        straddles,
        flips,
        n == 1,
        by[0],
        by[1],
        listed[np.lexsort((listed, distance))],
    )


# Gold of all scales by one method, with other sources on top, and the pass decisions.


FIRST = "adjudicated"
BY_THRESHOLDS = say("gold of every scale against its threshold")
NO_THRESHOLD = say("undefined: no scale has a threshold")
NOT_ON_SCALE = say("undefined: z-scores are not on the scale, thresholds do not apply")
ONLY_DECISIONS = say("undefined: this method decides what passes and gives no value on a scale")
INCOMPLETE = say("undefined: a scale with a threshold has no value")


@dataclass(frozen=True)
class GoldMethod:
    """A method by name; `adjudicated`: whether adjudicated values take precedence."""

    name: str = "mean"
    adjudicated: bool = False

    @classmethod
    def parse(cls, text: str) -> GoldMethod:
        """Parse METHOD or adjudicated-METHOD; `adjudicated` alone means adjudicated-mean.

        Raises ValueError for an unknown method, and for z-scores with adjudicated values.
        """
        first = text == FIRST or text.startswith(f"{FIRST}-")
        name = (text[len(FIRST) + 1 :] or "mean") if first else text
        if name not in METHODS:
            raise ValueError(
                f"there is no gold method {text!r}: use one of {', '.join(METHODS)}, {FIRST}, or "
                f"{FIRST}- before one of them"
            )
        if first and not METHODS[name].on_scale:
            raise ValueError("adjudicated values are on the scale, z-scores are not: not both")
        return cls(name, first)

    @property
    def text(self) -> str:
        """The text form that `parse` accepts."""
        if not self.adjudicated:
            return self.name
        return FIRST if self.name == "mean" else f"{FIRST}-{self.name}"

    @property
    def needs_all(self) -> bool:
        """Whether the value of a unit depends on the ratings of other units."""
        return self.entry.needs_all

    @property
    def decides(self) -> bool:
        """Whether it gives pass decisions and names instead of values on an ordered scale."""
        return self.entry.decides

    @property
    def entry(self) -> Method:
        return METHODS[self.name]


@dataclass(frozen=True, eq=False)
class Layer:
    """Values of another source by column: (value, n, spread), each (U,), NaN for no value.

    only_missing  whether it only fills missing values
    """

    source: str
    columns: Mapping[str, tuple[FloatArray, IntArray, FloatArray]]
    only_missing: bool = False


@dataclass(frozen=True, eq=False)
class GoldTable:
    """Gold per column (scales and combinations), and the pass decisions: 1, 0 or NaN."""

    columns: dict[str, GoldValues]
    passes: GoldValues


def gold_table(
    method: str,
    tables: Mapping[str, RatingTable],
    thresholds: Mapping[str, Threshold],
    layers: Sequence[Layer] = (),
    nominal: Collection[str] = (),
    ends: Mapping[str, Ends] = MappingProxyType({}),
) -> GoldTable:
    """Compute the gold of every table by one of METHODS, with `layers` on top in their order.

    A text passes if its gold reaches every threshold. Dawid-Skene and MACE estimate the decision
    from the annotators' own decisions, and the values of columns in `nominal` from their labels,
    and give no value on other scales; a layer with a value on every scale with a threshold
    overrides them (or fills gaps, if `only_missing`). z-scores are not on the scale, so neither
    thresholds nor layers apply. Intervals of values on a scale end where it does, if its `ends` are
    known.
    Raises ValueError for an unknown method or a threshold without a table.
    """
    if set(thresholds) - set(tables):
        raise ValueError(f"no ratings on the scale {min(set(thresholds) - set(tables))}")
    entry = METHODS.get(method)
    if entry is None:
        raise ValueError(f"there is no gold method {method!r}")
    if entry.decides:
        return _decided(entry.compute, tables, thresholds, layers, nominal)
    columns = {name: entry.compute(table) for name, table in tables.items()}
    if not entry.on_scale:
        return GoldTable(columns, without(_most(columns), BY_THRESHOLDS, NOT_ON_SCALE))
    columns = {name: one.within(*ends.get(name, EVERYWHERE)) for name, one in columns.items()}
    for layer in layers:
        for name, (value, n, spread) in layer.columns.items():
            columns[name] = put_over(
                columns[name],
                value,
                source=layer.source,
                n=n,
                spread=spread,
                only_missing=layer.only_missing,
            )
    return GoldTable(columns, passes_by_threshold(columns, thresholds))


def passes_by_threshold(
    columns: Mapping[str, GoldValues], thresholds: Mapping[str, Threshold]
) -> GoldValues:
    """Return 1 if the gold of a unit reaches every threshold, else 0.

    NaN, with a reason, if a scale has no value or no scale has a threshold. n is the smallest
    number of ratings of these scales.
    """
    if not thresholds:
        return without(_most(columns), BY_THRESHOLDS, NO_THRESHOLD)
    chosen = [columns[name] for name in thresholds]
    value = _reached({name: columns[name].value for name in thresholds}, thresholds)
    n = np.min([one.n for one in chosen], axis=0)
    there = np.max([one.defined for one in chosen], axis=0)
    return made(
        value,
        n,
        np.full(n.shape, np.nan),
        method=BY_THRESHOLDS,
        reason=INCOMPLETE,
        rated=np.maximum(n, there.astype(np.int64)),
    )


def _decided(
    decide: Callable[[RatingTable], GoldValues],
    tables: Mapping[str, RatingTable],
    thresholds: Mapping[str, Threshold],
    layers: Sequence[Layer],
    nominal: Collection[str],
) -> GoldTable:
    columns = {
        name: decide(table)
        if name in nominal
        else without(table.ratings_per_unit, NOTHING, ONLY_DECISIONS)
        for name, table in tables.items()
    }
    for layer in layers:
        for name in set(nominal) & set(columns) & set(layer.columns):
            value, n, spread = layer.columns[name]
            columns[name] = put_over(
                columns[name],
                value,
                source=layer.source,
                n=n,
                spread=spread,
                only_missing=layer.only_missing,
            )
    if not thresholds:
        return GoldTable(columns, without(_most(columns), NOTHING, NO_THRESHOLD))
    passes = decide(pass_table(tables, thresholds))
    columns = {
        name: one if name in nominal else replace(one, method=passes.method)
        for name, one in columns.items()
    }
    for layer in layers:
        if all(name in layer.columns for name in thresholds):
            values = {name: layer.columns[name][0] for name in thresholds}
            passes = put_over(
                passes,
                _reached(values, thresholds),
                source=layer.source,
                only_missing=layer.only_missing,
            )
    return GoldTable(columns, passes)


def _reached(values: Mapping[str, FloatArray], thresholds: Mapping[str, Threshold]) -> FloatArray:
    missing = np.isnan(np.stack([values[name] for name in thresholds])).any(axis=0)
    reached = [limit.reached(values[name]) for name, limit in thresholds.items()]
    return np.where(missing, np.nan, np.logical_and.reduce(reached))


def _most(columns: Mapping[str, GoldValues]) -> IntArray:
    """Return the (U,) largest number of ratings over the scales."""
    return np.asarray(np.max([one.n for one in columns.values()], axis=0), dtype=np.int64)


BINS = 20
LISTED = 100
LEAST = 3
FEW = say("undefined: fewer than three texts have a value by both methods")
SAME = say("undefined: one of the two methods gives all texts the same value")


def gold_report(
    tables: Mapping[str, RatingTable],
    thresholds: Mapping[str, Threshold],
    ends: Mapping[str, Ends] = MappingProxyType({}),
) -> GoldReport:
    """Return the gold of all METHODS from the judgments alone, without other sources.

    methods      {method: {columns: {name: summary}, passes: summary of the decisions}}
    comparison   {columns: {name: [{a, b, n, pearson, spearman, reason}]},
                 passes: [{a, b, n, differ}]}; n texts with a value (decision) by both methods
    straddling   {scale: borderline decisions}
    """
    made = {method: gold_table(method, tables, thresholds, ends=ends) for method in METHODS}
    return {
        "methods": {
            method: {
                "columns": {name: summary(one) for name, one in table.columns.items()},
                "passes": summary(table.passes),
            }
            for method, table in made.items()
        },
        "comparison": {
            "columns": {name: _correlations(made, name) for name in tables},
            "passes": _differences(made),
        },
        "straddling": {
            name: borderline(tables[name], limit, ends.get(name, EVERYWHERE))
            for name, limit in thresholds.items()
        },
    }


def summary(values: GoldValues) -> Summary:
    """Return n, mean, sd, quartiles (minimum to maximum), distribution and mean confidence.

    distribution: {value: texts}; `reason` says why no text has a value, else None.
    """
    defined = values.value[values.defined]
    sure = values.confidence[~np.isnan(values.confidence)]
    width = (values.high - values.low)[~np.isnan(values.low)]
    quartiles = np.quantile(defined, [0, 0.25, 0.5, 0.75, 1]).tolist() if defined.size else None
    return {
        "n": int(defined.size),
        "mean": float(defined.mean()) if defined.size else None,
        "sd": float(defined.std(ddof=1)) if defined.size > 1 else None,
        "quartiles": quartiles,
        "distribution": distribution(defined),
        "confidence": float(sure.mean()) if sure.size else None,
        "confidence_is": values.confidence_is,
        "interval_width": float(width.mean()) if width.size else None,
        "interval": values.interval,
        "method": values.method,
        "reason": None if defined.size else _reason(values),
    }


def _reason(values: GoldValues) -> Sentence:
    """Return the first reason other than NO_RATING, else NO_RATING."""
    reasons = [values.reasons[code] for code in np.unique(values.reason).tolist() if code]
    return next((reason for reason in reasons if reason != NO_RATING), NO_RATING)


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
    given = {method: table.columns[name] for method, table in made.items()}
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
    given = {method: table.passes.value for method, table in made.items()}
    deciding = [method for method, value in given.items() if not np.isnan(value).all()]
    rows: list[Differing] = []
    for a, b in combinations(deciding, 2):
        gap = np.abs(given[a] - given[b])
        defined = ~np.isnan(gap)
        rows.append(
            {"a": a, "b": b, "n": int(defined.sum()), "differ": int((gap[defined] > 0).sum())}
        )
    return rows


def borderline(table: RatingTable, threshold: Threshold, ends: Ends = EVERYWHERE) -> Borderline:
    """Return the borderline cases among the decisions "the mean reaches the threshold".

    decisions   texts with a mean; `passing` of them reach the threshold
    straddling  the interval of the mean contains the threshold
    flipping    omitting one annotator reverses the decision; `alone`: based on one rating
    listed      those that straddle or flip, closest to the threshold first, by unit label
    annotators  per annotator, the number of decisions reversed (`flips`) and lost (`lost`) without
                them; None for anonymous annotators
    """
    cases = straddling(table, threshold, ends)
    return {
        "threshold": threshold.value,
        "higher_is_better": threshold.higher_is_better,
        "interval": cases.gold.interval,
        "decisions": int(cases.gold.defined.sum()),
        "passing": int(cases.passes.sum()),
        "straddling": int(cases.straddles.sum()),
        "flipping": int((cases.flips > 0).sum()),
        "alone": int(cases.alone.sum()),
        "listed": [_one(table, cases, int(unit)) for unit in cases.units[:LISTED]],
        "annotators": None if table.anonymous else _annotators(table, cases),
        "reason": ANONYMOUS if table.anonymous else None,
    }


def _one(table: RatingTable, cases: Straddling, unit: int) -> BorderlineText:
    low, high = float(cases.gold.low[unit]), float(cases.gold.high[unit])
    has_interval = not np.isnan(low)
    return {
        "unit": table.unit_label(unit),
        "value": float(cases.gold.value[unit]),
        "low": low if has_interval else None,
        "high": high if has_interval else None,
        "n": int(cases.gold.n[unit]),
        "passes": bool(cases.passes[unit]),
        "straddles": bool(cases.straddles[unit]),
        "flips": int(cases.flips[unit]),
    }


def _annotators(table: RatingTable, cases: Straddling) -> list[Decider]:
    return [
        {
            "annotator": table.annotator_label(int(code)),
            "flips": int(cases.flipped_by[code]),
            "lost": int(cases.lost_by[code]),
        }
        for code in table.used_annotators
    ]
