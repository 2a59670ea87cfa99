"""Gold of all scales by one method, with other sources on top, and the pass decisions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paraanno.plain.sentence import NOTHING, say
from scoring.stats.gold.catalogue import METHODS, Method
from scoring.stats.gold.values import GoldValues, made, put_over, without
from scoring.stats.passes import Threshold, pass_table
from scoring.stats.table import FloatArray, IntArray, RatingTable

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
) -> GoldTable:
    """Compute the gold of every table by one of METHODS, with `layers` on top in their order.

    A text passes if its gold reaches every threshold. Dawid-Skene and MACE estimate the decision
    from the annotators' own decisions, and the values of columns in `nominal` from their labels,
    and give no value on other scales; a layer with a value on every scale with a threshold
    overrides them (or fills gaps, if `only_missing`). z-scores are not on the scale, so neither
    thresholds nor layers apply.
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
        value, n, np.full(n.shape, np.nan), method=BY_THRESHOLDS, reason=INCOMPLETE,
        rated=np.maximum(n, there.astype(np.int64)),
    )  # fmt: skip


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
                columns[name], value, source=layer.source, n=n, spread=spread,
                only_missing=layer.only_missing,
            )  # fmt: skip
    if not thresholds:
        return GoldTable(columns, without(_most(columns), NOTHING, NO_THRESHOLD))
    passes = decide(pass_table(tables, thresholds))
    columns = {
        name: one if name in nominal else replace(one, method=passes.method)
        for name, one in columns.items()
    }
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
    """Return the (U,) largest number of ratings over the scales."""
    return np.asarray(np.max([one.n for one in columns.values()], axis=0), dtype=np.int64)
