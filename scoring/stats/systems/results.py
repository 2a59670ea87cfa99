"""Results per system: the table of the Callison-Burch guide (2008, step 7), for any scales.

Each judgment of a text counts once for every system that produced the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, cast

import numpy as np

from paraanno.common.texts import say
from scoring.stats.intervals import Bootstrap, clusters_behind, few_clusters
from scoring.stats.resampling import Threshold
from scoring.stats.systems.pairs import (
    ALPHA,
    MOST_SYSTEMS,
    RULE,
    clusters_of,
    pairing,
    system_pairs,
)
from scoring.stats.systems.values import (
    MEAN,
    PASS,
    PASS_ALL,
    ComparedSystems,
    Entries,
    Interval,
    Judged,
    Outcome,
    ResultsReport,
    ScaleShares,
    SystemShares,
    SystemTexts,
    cluster_sums,
    entries_of,
    gold_rows,
    judged_rows,
    outcomes_of,
    ratio_intervals,
    wilson,
)
from scoring.stats.table import OUT_OF_RANGE, FloatArray, IntArray, RatingTable, out_of_range

__all__ = ["PERMUTATIONS", "SystemTexts", "Unit", "results"]

Unit = Literal["judgment", "gold"]
PERMUTATIONS = 10_000


def results(
    tables: Mapping[str, RatingTable],
    systems: SystemTexts,
    thresholds: Mapping[str, Threshold] | None = None,
    *,
    unit: Unit = "judgment",
    gold_values: Mapping[str, FloatArray] | None = None,
    decisions: FloatArray | None = None,
    levels: Mapping[str, FloatArray] | None = None,
    ordered: Mapping[str, bool] | None = None,
    ends: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    plan: Bootstrap = Bootstrap(),
    permutations: int = PERMUTATIONS,
    compare: bool = True,
) -> ResultsReport:
    """Return the JSON report of `results`.

    tables      one per scale, sharing unit and annotator codes, with `item` and `phrase` if known
                (by default every unit is a separate item and phrase)
    unit        "judgment": a row is one annotator's ratings of one text; "gold": a row is the gold
                of one text, and thresholds are applied to it
    gold_values (U,) gold per scale, NaN if missing; default: the mean rating
    decisions   (U,) gold pass decisions (1, 0, NaN) that replace the thresholds
    levels      values listed in a distribution even if never used
    ends        the least and the greatest value of scales, which intervals of means do not cross
    ordered     scales with a mean, and whether higher is better; default: all, higher is better
    plan        how intervals are made, by phrase if known, else by item; its seed is used for the
                permutations too
    compare     whether the systems are compared in pairs

    Per system: `n` judged rows; `coverage` share of items with a text; per scale `n`,
    `distribution` {value: share of n}, `pass` (null without threshold or ratings) and `mean`;
    `pass_all` share of rows that reach all thresholds, among the `pass_all_n` rows with a value on
    every scale with a threshold. X_bootstrap is the interval by cluster, whose `method` says how it
    was made; X_interval, as in papers, is Wilson's with rows taken as independent.
    `pairs` compares every two systems on their shared items, `clusters` groups the systems.
    `phrases` and `contexts` count phrases and items with a judgment, `phrases_excluded` the
    phrases of the systems' texts without one, `judgments` the distinct judged rows; `warning` says
    that there are too few phrases for intervals.
    Raises ValueError for an unknown unit, no scale, or a threshold without a table.
    """
    limits = dict(thresholds or {})
    table = _checked(tables, limits, unit)
    by_gold = unit == "gold"
    rows = (
        gold_rows(tables, systems, gold_values, decisions)
        if by_gold
        else judged_rows(tables, systems)
    )
    item = np.arange(table.n_units) if table.item is None else table.item
    up = dict.fromkeys(tables, True) if ordered is None else ordered
    outcomes = outcomes_of(rows, tuple(tables), limits, up, decisions if by_gold else None, ends)
    entries = entries_of(rows, systems, item, table.phrase, by_gold)
    answer = _systems(rows, entries, outcomes, tuple(tables), levels or {}, plan)
    for label, share in _coverage(systems, item).items():
        answer[label]["coverage"] = share
    made_unit, _ = systems.made
    phrase = item if table.phrase is None else table.phrase
    phrases = np.unique(phrase[rows.unit]).size
    compared = _compared(
        entries,
        outcomes,
        systems,
        (item, table.phrase),
        answer,
        plan=plan,
        permutations=permutations if compare else None,
    )
    return {
        "unit": unit,
        "thresholds": {scale: limit.value for scale, limit in limits.items()},
        "systems": answer,
        "phrases": phrases,
        "phrases_excluded": np.unique(phrase[made_unit]).size - phrases,
        "contexts": np.unique(item[rows.unit]).size,
        "judgments": int(rows.unit.size),
        "warning": few_clusters(clusters_behind([answer, compared["pairs"]])),
        "pairs": compared["pairs"],
        "pairs_reason": compared["pairs_reason"],
        "clusters": compared["clusters"],
        "cluster_rule": compared["cluster_rule"],
        "alpha": compared["alpha"],
    }


def _checked(
    tables: Mapping[str, RatingTable], limits: Mapping[str, Threshold], unit: str
) -> RatingTable:
    """Check the input and return one of the tables."""
    if unit not in ("judgment", "gold") or not tables:
        raise ValueError("results need at least one scale and the unit judgment or gold")
    if set(limits) - set(tables):
        raise ValueError(f"no ratings on the scale {min(set(limits) - set(tables))}")
    sizes = {(table.n_units, table.n_annotators) for table in tables.values()}
    if len(sizes) > 1:
        raise ValueError("the scales must share their unit and annotator codes")
    return next(iter(tables.values()))


def _coverage(systems: SystemTexts, item: IntArray) -> dict[str, float | None]:
    unit, system = systems.made
    n_items = np.unique(item[unit]).size if systems.n_items is None else systems.n_items
    return {
        label: np.unique(item[unit[system == code]]).size / n_items if n_items else None
        for code, label in enumerate(systems.labels)
    }


def _systems(
    rows: Judged,
    entries: Entries,
    outcomes: list[Outcome],
    names: tuple[str, ...],
    levels: Mapping[str, FloatArray],
    plan: Bootstrap,
) -> dict[str, SystemShares]:
    """Return the statistics of each system by label."""
    size = len(entries.labels)
    clusters, cluster = np.unique(entries.cluster, return_inverse=True)
    sums = [
        cluster_sums(
            cluster[entries.row], entries.system, outcome.value[entries.row], (clusters.size, size)
        )
        for outcome in outcomes
    ]
    intervals: list[Interval] = []
    for (total, number), outcome in zip(sums, outcomes, strict=True):
        intervals += ratio_intervals(
            total,
            number,
            plan,
            entries.clusters_are,
            shares=outcome.name != MEAN,
            ends=outcome.ends,
        )
    answer: dict[str, SystemShares] = {}
    for code, label in enumerate(entries.labels):
        values = rows.value[entries.row[entries.system == code]]
        one: SystemShares = {
            "n": len(values),
            "coverage": None,
            "scales": _scales(values, names, levels),
            "pass_all": None,
            "pass_all_n": 0,
            "pass_all_interval": None,
            "pass_all_bootstrap": None,
        }
        for place, outcome in enumerate(outcomes):
            value, judged = (float(side[:, code].sum()) for side in sums[place])
            drawn = intervals[place * size + code]
            if outcome.scale is None:
                one.update(cast(SystemShares, _pass_parts(PASS_ALL, value, judged, drawn)))
            elif outcome.name == MEAN:
                part = one["scales"][outcome.scale]
                part["mean"] = value / judged if judged else None
                if out_of_range(rows.value[:, names.index(outcome.scale)]):
                    drawn = replace(drawn, reason=OUT_OF_RANGE)
                part["mean_bootstrap"] = drawn.as_json()
            else:
                part = one["scales"][outcome.scale]
                part.update(cast(ScaleShares, _pass_parts(PASS, value, judged, drawn)))
        answer[label] = one
    return answer


def _pass_parts(name: str, passed: float, n: float, drawn: Interval) -> dict[str, object]:
    """Return share, number and intervals of an outcome, which names them."""
    return {
        name: passed / n if n else None,
        f"{name}_n": int(n),
        f"{name}_interval": wilson(round(passed), int(n)).as_json(),
        f"{name}_bootstrap": drawn.as_json(),
    }


def _scales(
    rows: FloatArray, names: tuple[str, ...], levels: Mapping[str, FloatArray]
) -> dict[str, ScaleShares]:
    answer: dict[str, ScaleShares] = {}
    for column, name in enumerate(names):
        values = rows[:, column]
        values = values[~np.isnan(values)]
        seen, count = np.unique(values, return_counts=True)
        shares = dict(zip(seen.tolist(), (count / max(values.size, 1)).tolist(), strict=True))
        listed = {**{float(v): 0.0 for v in levels.get(name, ())}, **shares}
        answer[name] = {
            "n": int(values.size),
            "distribution": {f"{value:.12g}": listed[value] for value in sorted(listed)},
            "pass": None,
            "pass_n": 0,
            "pass_interval": None,
            "pass_bootstrap": None,
            "mean": None,
            "mean_bootstrap": None,
        }
    return answer


def _compared(
    entries: Entries,
    outcomes: list[Outcome],
    systems: SystemTexts,
    places: tuple[IntArray, IntArray | None],
    answer: dict[str, SystemShares],
    *,
    plan: Bootstrap,
    permutations: int | None,
) -> ComparedSystems:
    """Return pairs of systems and significance clusters; places: item and phrase of each unit.
    None of them without permutations."""
    parts: ComparedSystems = {
        "pairs": [],
        "pairs_reason": None,
        "clusters": [],
        "cluster_rule": RULE,
        "alpha": ALPHA,
    }
    if permutations is None:
        return parts
    if not 2 <= len(systems.labels) <= MOST_SYSTEMS:
        parts["pairs_reason"] = say(
            "undefined: pairs are compared for 2 to %(most)s systems, there are %(n)s",
            most=MOST_SYSTEMS,
            n=len(systems.labels),
        )
        return parts
    compared = [one for one in outcomes if one.name != PASS and not np.isnan(one.value).all()]
    parts["pairs"] = system_pairs(
        entries,
        compared,
        pairing(systems, *places),
        np.unique(places[0]),
        plan=plan,
        permutations=permutations,
    )
    for outcome in compared:
        of = answer.values()
        values = [
            one["pass_all"] if outcome.scale is None else one["scales"][outcome.scale].get("mean")
            for one in of
        ]
        rows = [
            row
            for row in parts["pairs"]
            if (row["outcome"], row["scale"]) == (outcome.name, outcome.scale)
        ]
        parts["clusters"].append(clusters_of(outcome, values, rows, systems.labels))
    return parts
