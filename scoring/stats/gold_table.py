"""Gold of all scales by one named method, other sources on top, and what passes by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.stats.gold_methods import (
    majority_gold,
    mean_gold,
    median_gold,
    trimmed_gold,
    z_gold,
)
from scoring.stats.gold_values import GoldValues, made, put_over, without
from scoring.stats.latent_gold import dawid_skene_gold, mace_gold
from scoring.stats.passes import Threshold, pass_table
from scoring.stats.severity import severity_gold
from scoring.stats.table import FloatArray, IntArray, RatingTable

VALUE_METHODS: dict[str, Callable[[RatingTable], GoldValues]] = {
    "mean": mean_gold,
    "median": median_gold,
    "majority": majority_gold,
    "trimmed": trimmed_gold,
    "z": z_gold,
    "severity": severity_gold,
}
DECISION_METHODS: dict[str, Callable[[RatingTable], GoldValues]] = {
    "dawid-skene": lambda table: dawid_skene_gold(table).gold,
    "mace": lambda table: mace_gold(table).gold,
}
METHODS = (*VALUE_METHODS, *DECISION_METHODS)
FIRST = "adjudicated"
BY_THRESHOLDS = "gold of every scale against its threshold"
NO_THRESHOLD = "undefined: no scale has a threshold"
NOT_ON_SCALE = "undefined: z-scores are not on the scale, thresholds do not apply"
ONLY_DECISIONS = "undefined: this method decides what passes and gives no value on a scale"
INCOMPLETE = "undefined: a scale with a threshold has no value"


@dataclass(frozen=True)
class GoldMethod:
    """A method by name; `adjudicated`: where somebody adjudicated, that value speaks first."""

    name: str = "mean"
    adjudicated: bool = False

    @classmethod
    def parse(cls, text: str) -> GoldMethod:
        """From METHOD or adjudicated-METHOD (adjudicated alone: else the mean).

        Raises ValueError for an unknown method, and for z-scores beside adjudicated values.
        """
        first = text == FIRST or text.startswith(f"{FIRST}-")
        name = (text[len(FIRST) + 1 :] or "mean") if first else text
        if name not in METHODS:
            raise ValueError(
                f"there is no gold method {text!r}: use one of {', '.join(METHODS)}, {FIRST}, or "
                f"{FIRST}- before one of them"
            )
        if first and name == "z":
            raise ValueError("adjudicated values are on the scale, z-scores are not: not both")
        return cls(name, first)

    @property
    def text(self) -> str:
        """The short form that `parse` takes."""
        if not self.adjudicated:
            return self.name
        return FIRST if self.name == "mean" else f"{FIRST}-{self.name}"

    @property
    def needs_all(self) -> bool:
        """Whether the value of a unit depends on the ratings of others."""
        return self.name in ("z", "severity", *DECISION_METHODS)


@dataclass(frozen=True, eq=False)
class Layer:
    """Values of another source by column: (value, n, spread), each (U,), NaN for no value.

    only_missing  it speaks only where there is nothing yet
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
) -> GoldTable:
    """Gold of every table by one of METHODS, with `layers` on top in their order.

    A text passes where its gold reaches every threshold. Dawid-Skene and MACE decide that from the
    annotators' own decisions and give no value on a scale; a layer with a value on every
    thresholded scale decides before them (or after, where it takes what is missing). z-scores are
    not on the scale: no threshold applies to them, and no layer.
    Raises ValueError for an unknown method or a threshold whose table is not there.
    """
    if set(thresholds) - set(tables):
        raise ValueError(f"no ratings on the scale {min(set(thresholds) - set(tables))}")
    if method in DECISION_METHODS:
        return _decided(DECISION_METHODS[method], tables, thresholds, layers)
    if method not in VALUE_METHODS:
        raise ValueError(f"there is no gold method {method!r}")
    columns = {name: VALUE_METHODS[method](table) for name, table in tables.items()}
    if method == "z":
        return GoldTable(columns, without(_most(columns), BY_THRESHOLDS, NOT_ON_SCALE))
    for layer in layers:
        for name, (value, n, spread) in layer.columns.items():
            columns[name] = put_over(
                columns[name], value, source=layer.source, n=n, spread=spread,
                only_missing=layer.only_missing,
            )  # fmt: skip
    return GoldTable(columns, passes_by_threshold(columns, thresholds))


def passes_by_threshold(
    columns: Mapping[str, GoldValues], thresholds: Mapping[str, Threshold]
) -> GoldValues:
    """1 where the gold of a unit reaches every threshold, 0 where not; NaN, with the reason, where
    a scale has no value or no scale has a threshold. n: ratings of the scale that has fewest."""
    if not thresholds:
        return without(_most(columns), BY_THRESHOLDS, NO_THRESHOLD)
    chosen = [columns[name] for name in thresholds]
    value = _reached({name: columns[name].value for name in thresholds}, thresholds)
    n = np.min([one.n for one in chosen], axis=0)
    there = np.max([one.defined for one in chosen], axis=0)
    return made(
        value, n, np.full(n.shape, np.nan), method=BY_THRESHOLDS, reason=INCOMPLETE,
        rated=np.maximum(n, there.astype(np.int64)),
    )  # fmt: skip


def _decided(
    decide: Callable[[RatingTable], GoldValues],
    tables: Mapping[str, RatingTable],
    thresholds: Mapping[str, Threshold],
    layers: Sequence[Layer],
) -> GoldTable:
    columns = {
        name: without(table.ratings_per_unit, "", ONLY_DECISIONS) for name, table in tables.items()
    }
    if not thresholds:
        return GoldTable(columns, without(_most(columns), "", NO_THRESHOLD))
    passes = decide(pass_table(tables, thresholds))
    columns = {name: replace(one, method=passes.method) for name, one in columns.items()}
    for layer in layers:
        if all(name in layer.columns for name in thresholds):
            known = {name: layer.columns[name][0] for name in thresholds}
            passes = put_over(
                passes, _reached(known, thresholds), source=layer.source,
                only_missing=layer.only_missing,
            )  # fmt: skip
    return GoldTable(columns, passes)


def _reached(values: Mapping[str, FloatArray], thresholds: Mapping[str, Threshold]) -> FloatArray:
    missing = np.isnan(np.stack([values[name] for name in thresholds])).any(axis=0)
    reached = [limit.reached(values[name]) for name, limit in thresholds.items()]
    return np.where(missing, np.nan, np.logical_and.reduce(reached))


def _most(columns: Mapping[str, GoldValues]) -> IntArray:
    """(U,) ratings of the scale that has most."""
    return np.asarray(np.max([one.n for one in columns.values()], axis=0), dtype=np.int64)
