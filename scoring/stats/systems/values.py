"""Texts by system, their judged rows, and the outcome columns that results average."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from paraanno.plain.sentence import Sentence
from scoring.stats.combine import gold
from scoring.stats.estimate import ITEMS, PHRASES
from scoring.stats.passes import Threshold
from scoring.stats.table import BoolArray, FloatArray, IntArray, RatingTable, expand, out_of_range

PASS_ALL, MEAN, PASS = "pass_all", "mean", "pass"


@dataclass(frozen=True, eq=False)
class SystemTexts:
    """Units by system, as rows (unit, system); duplicate rows count once.

    labels  name of each system
    n_items number of input items; None: the items for which any system produced a text
    """

    unit: IntArray
    system: IntArray
    labels: tuple[str, ...]
    n_items: int | None = None

    @property
    def made(self) -> tuple[IntArray, IntArray]:
        """Unit and system of each distinct row, in order of units."""
        width = max(len(self.labels), 1)
        keys = np.unique(self.unit * width + self.system)
        return keys // width, keys % width


@dataclass(frozen=True, eq=False)
class Judged:
    """Judged rows: by judgment one per (annotator, unit), by gold one per unit.

    unit   (J,)
    annotator  (J,) annotator code; 0 for gold
    value  (J, S) per scale, NaN if missing
    """

    unit: IntArray
    annotator: IntArray
    value: FloatArray


@dataclass(frozen=True, eq=False)
class Outcome:
    """An outcome averaged over judged rows.

    name   pass_all (reaches every threshold: 1 or 0), pass (one threshold) or mean (the value)
    scale  of pass and mean; None for pass_all
    value  (J,) NaN if missing
    """

    name: str
    scale: str | None
    value: FloatArray
    higher_is_better: bool = True


@dataclass(frozen=True, eq=False)
class Entries:
    """Assignment of rows to systems: row `row[e]` counts once for system `system[e]`.

    item, cluster, annotator  (J,) codes of each judged row
    labels                of the systems
    clusters_are          name of the clusters (items or phrases)
    by_gold               whether a row is a text rather than one annotator's judgment
    """

    row: IntArray
    system: IntArray
    item: IntArray
    cluster: IntArray
    annotator: IntArray
    labels: tuple[str, ...]
    clusters_are: Sentence
    by_gold: bool


def judged_rows(tables: Mapping[str, RatingTable], systems: SystemTexts) -> Judged:
    """Return rows by judgment, excluding texts without a system (controls, exact copies)."""
    made = _made(systems, next(iter(tables.values())).n_units)
    kept = [_keep(table, made) for table in tables.values()]
    width = max(kept[0].n_annotators, 1)
    keys = [table.unit * width + table.annotator for table in kept]
    pairs = np.unique(np.concatenate(keys))
    value = np.full((pairs.size, len(keys)), np.nan)
    for column, (key, table) in enumerate(zip(keys, kept, strict=True)):
        value[np.searchsorted(pairs, key), column] = table.value
    return Judged(pairs // width, pairs % width, value)


def gold_rows(
    tables: Mapping[str, RatingTable],
    systems: SystemTexts,
    values: Mapping[str, FloatArray] | None = None,
    decisions: FloatArray | None = None,
) -> Judged:
    """Return rows by gold: `values` (U,) per scale, by default the mean rating.

    A unit is included if a scale or `decisions` (U,) has a value.
    """
    named = {name: gold(table).mean for name, table in tables.items()} | dict(values or {})
    value = np.column_stack([named[name] for name in tables])
    there = ~np.isnan(value).all(axis=1)
    if decisions is not None:
        there |= ~np.isnan(decisions)
    units = np.flatnonzero(there & _made(systems, value.shape[0]))
    return Judged(units, np.zeros(units.size, dtype=np.int64), value[units])


def outcomes_of(
    rows: Judged,
    names: tuple[str, ...],
    limits: Mapping[str, Threshold],
    ordered: Mapping[str, bool],
    decisions: FloatArray | None = None,
) -> list[Outcome]:
    """Return the outcomes: pass_all, then pass and mean of each scale, if defined. There are no
    means of values out of range.

    ordered    scales with a mean, and whether higher is better
    decisions  (U,) pass decisions (1, 0, NaN) that replace the thresholds
    """
    found = []
    if decisions is not None:
        found.append(Outcome(PASS_ALL, None, decisions[rows.unit]))
    elif limits:
        columns = [names.index(name) for name in limits]
        reached = [
            limit.reached(rows.value[:, column])
            for column, limit in zip(columns, limits.values(), strict=True)
        ]
        missing = np.isnan(rows.value[:, columns]).any(axis=1)
        value = np.where(missing, np.nan, np.logical_and.reduce(reached))
        found.append(Outcome(PASS_ALL, None, value))
    for column, name in enumerate(names):
        value = rows.value[:, column]
        if name in limits:
            passed = np.where(np.isnan(value), np.nan, limits[name].reached(value))
            found.append(Outcome(PASS, name, passed))
        if name in ordered:
            known = np.full(value.shape, np.nan) if out_of_range(value) else value
            found.append(Outcome(MEAN, name, known, ordered[name]))
    return found


def entries_of(
    rows: Judged,
    systems: SystemTexts,
    item: IntArray,
    phrase: IntArray | None,
    by_gold: bool,
) -> Entries:
    """Assign rows to systems. item, phrase: (U,) codes of units; clusters are phrases if known."""
    unit, system = systems.made
    ends = np.cumsum(np.bincount(unit, minlength=item.size))
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    source, row = expand(starts, ends, rows.unit)
    cluster = item if phrase is None else phrase
    return Entries(
        row, system[source], item[rows.unit], cluster[rows.unit], rows.annotator, systems.labels,
        ITEMS if phrase is None else PHRASES, by_gold,
    )  # fmt: skip


def _made(systems: SystemTexts, n_units: int) -> BoolArray:
    made = np.zeros(n_units, dtype=bool)
    made[systems.unit] = True
    return made


def _keep(table: RatingTable, units: BoolArray) -> RatingTable:
    rows = units[table.unit]
    return replace(
        table, unit=table.unit[rows], annotator=table.annotator[rows], value=table.value[rows]
    )
