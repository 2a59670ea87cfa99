"""Results per system: the table of the Callison-Burch guide (2008, step 7), for any scales.

Each judgment of a text counts once for each system that made the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from scoring.stats.gold import Method, gold
from scoring.stats.passes import Threshold
from scoring.stats.table import BoolArray, FloatArray, IntArray, RatingTable, expand

Unit = Literal["judgment", "gold"]


@dataclass(frozen=True, eq=False)
class SystemTexts:
    """Which system made which unit: rows (unit, system); a row twice counts once.

    labels  name of each system
    n_items items that every system was asked for; None: the items in which any system gave a text
    """

    unit: IntArray
    system: IntArray
    labels: tuple[str, ...]
    n_items: int | None = None


@dataclass(frozen=True, eq=False)
class _Judged:
    """Judged pairs: unit (J,), and the value per scale (J, S) with NaN for a missing one."""

    unit: IntArray
    value: FloatArray


def results(
    tables: Mapping[str, RatingTable],
    systems: SystemTexts,
    thresholds: Mapping[str, Threshold] | None = None,
    *,
    unit: Unit = "judgment",
    gold_method: Method = "mean",
    levels: Mapping[str, FloatArray] | None = None,
) -> dict[str, Any]:
    """The JSON of `results`.

    tables      one per scale, sharing unit and annotator codes, with `item` and `phrase` where
                known (without them every unit is an item and a phrase of its own)
    unit        "judgment": a row is one annotator's values of one text; "gold": a row is the gold
                (mean or median) of one text, and thresholds are applied to it
    levels      values to list in a distribution even if nobody gave them

    Per system: `n` judged rows; `coverage` share of the items it gave a text for; per scale `n`,
    `distribution` {value: share of n} and `pass` (null without threshold or ratings); `pass_all`
    share of the rows with a value on every thresholded scale that reach all thresholds.
    `phrases` and `contexts` count phrases and items with a judgment, `phrases_excluded` the
    phrases of the systems' texts without one, `judgments` the judged rows, each once.
    Raises ValueError for an unknown unit, no scale, or a threshold on a scale that is not there.
    """
    limits = dict(thresholds or {})
    any_table = _checked(tables, limits, unit)
    n_units = any_table.n_units
    width = max(len(systems.labels), 1)
    made = np.unique(systems.unit * width + systems.system)
    made_unit, made_system = made // width, made % width
    # Texts that no system made (controls, exact copies) are no result of any system.
    has_system = np.zeros(n_units, dtype=bool)
    has_system[made_unit] = True
    output = {name: _keep(table, has_system) for name, table in tables.items()}
    rows = _judgments(output) if unit == "judgment" else _golds(output, gold_method)
    ends = np.cumsum(np.bincount(made_unit, minlength=n_units))
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    source, row = expand(starts, ends, rows.unit)
    item = any_table.item if any_table.item is not None else np.arange(n_units)
    phrase = any_table.phrase if any_table.phrase is not None else item
    n_items = np.unique(item[made_unit]).size if systems.n_items is None else systems.n_items
    answer: dict[str, Any] = {}
    for code, label in enumerate(systems.labels):
        mine = rows.value[row[made_system[source] == code]]
        texts = np.unique(item[made_unit[made_system == code]]).size
        answer[label] = {
            "n": len(mine),
            "coverage": texts / n_items if n_items else None,
            "scales": _scales(mine, tuple(tables), limits, levels or {}),
            "pass_all": _pass_all(mine, tuple(tables), limits),
        }
    judged = np.unique(rows.unit)
    phrases = np.unique(phrase[judged]).size
    return {
        "unit": unit,
        "thresholds": {scale: limit.value for scale, limit in limits.items()},
        "systems": answer,
        "phrases": phrases,
        "phrases_excluded": np.unique(phrase[made_unit]).size - phrases,
        "contexts": np.unique(item[judged]).size,
        "judgments": int(rows.unit.size),
    }


def _checked(
    tables: Mapping[str, RatingTable], limits: Mapping[str, Threshold], unit: str
) -> RatingTable:
    """One of the tables; they share their codes."""
    if unit not in ("judgment", "gold") or not tables:
        raise ValueError("results need at least one scale and the unit judgment or gold")
    if set(limits) - set(tables):
        raise ValueError(f"no ratings on the scale {min(set(limits) - set(tables))}")
    sizes = {(table.n_units, table.n_annotators) for table in tables.values()}
    if len(sizes) > 1:
        raise ValueError("the scales must share their unit and annotator codes")
    return next(iter(tables.values()))


def _keep(table: RatingTable, units: BoolArray) -> RatingTable:
    rows = units[table.unit]
    return replace(
        table, unit=table.unit[rows], annotator=table.annotator[rows], value=table.value[rows]
    )


def _judgments(tables: Mapping[str, RatingTable]) -> _Judged:
    width = max(next(iter(tables.values())).n_annotators, 1)
    keys = [table.unit * width + table.annotator for table in tables.values()]
    pairs = np.unique(np.concatenate(keys))
    value = np.full((pairs.size, len(keys)), np.nan)
    for column, (key, table) in enumerate(zip(keys, tables.values(), strict=True)):
        value[np.searchsorted(pairs, key), column] = table.value
    return _Judged(pairs // width, value)


def _golds(tables: Mapping[str, RatingTable], method: Method) -> _Judged:
    value = np.column_stack([gold(table).value(method) for table in tables.values()])
    units = np.flatnonzero(~np.isnan(value).all(axis=1))
    return _Judged(units, value[units])


def _scales(
    rows: FloatArray,
    names: tuple[str, ...],
    thresholds: Mapping[str, Threshold],
    levels: Mapping[str, FloatArray],
) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for column, name in enumerate(names):
        values = rows[:, column]
        values = values[~np.isnan(values)]
        seen, count = np.unique(values, return_counts=True)
        shares = dict(zip(seen.tolist(), (count / max(values.size, 1)).tolist(), strict=True))
        listed = {**{float(v): 0.0 for v in levels.get(name, ())}, **shares}
        limit = thresholds.get(name)
        answer[name] = {
            "n": int(values.size),
            "distribution": {f"{value:.12g}": listed[value] for value in sorted(listed)},
            "pass": float(limit.reached(values).mean()) if limit and values.size else None,
        }
    return answer


def _pass_all(
    rows: FloatArray, names: tuple[str, ...], thresholds: Mapping[str, Threshold]
) -> float | None:
    columns = [names.index(name) for name in thresholds]
    complete = rows[~np.isnan(rows[:, columns]).any(axis=1)][:, columns]
    if not columns or not len(complete):
        return None
    reached = [limit.reached(complete[:, i]) for i, limit in enumerate(thresholds.values())]
    return float(np.logical_and.reduce(reached).mean())
