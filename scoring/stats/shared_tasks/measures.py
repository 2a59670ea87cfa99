"""What a track counts: submissions by label in, rows of a board out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, NotRequired, cast

import numpy as np
import scipy

from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.pairwise import TieCounts, direction
from scoring.stats.evaluation.system_level import system_level
from scoring.stats.intervals import LEAST_OVER_SYSTEMS, Bootstrap, draws, even
from scoring.stats.resampling import ratio
from scoring.stats.shared_tasks.board import (
    ALPHA,
    BoardRowJson,
    Frozen,
    JudgedTexts,
    Ratios,
    Rule,
    board_rows,
    by_annotator,
    rows_of,
)
from scoring.stats.shared_tasks.submissions import part_of, tally
from scoring.stats.significance.paired import dense, sample_of
from scoring.stats.significance.swaps import holm, swap_correlations
from scoring.stats.systems.values import SystemTexts
from scoring.stats.table import (
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    normal_below,
    t_quantile,
)

DRAWS = 1000  # Of originals, of measures over systems.
OVER_SYSTEMS = ("soft_pairwise_accuracy", "pairwise_accuracy", "system_pearson")


class MeasuredRowJson(BoardRowJson):
    """A row with what its measure has besides: strict and half of pairs, the threshold of ties."""

    strict: NotRequired[float | None]
    half: NotRequired[float | None]
    pairs: NotRequired[int]
    epsilon: NotRequired[float]


@dataclass(frozen=True, eq=False)
class SubmittedValues:
    """A submission as numbers in the order of the frozen files: (P,) directions of pairs, or (T,)
    scores of texts."""

    form: Literal["choice", "score"]
    values: FloatArray

    def directions(self, frozen: Frozen) -> IntArray:
        if self.form == "choice":
            return self.values.astype(np.int64)
        return np.asarray(direction(self.values, frozen.a, frozen.b), dtype=np.int64)


@dataclass(frozen=True)
class Settings:
    """What is evaluated, and how it is resampled."""

    measure: str = "pairs"
    rule: Rule = "sum"
    part: str = "final"
    intervals: bool = True
    permutations: int = 10_000
    seed: int = 0


def measured(
    frozen: Frozen, submissions: Mapping[str, SubmittedValues], how: Settings
) -> list[MeasuredRowJson]:
    """Return the rows of a track, the best first; none without a submission or a unit to count."""
    if not submissions or not part_of(frozen, how.part).any():
        return []
    if how.measure == "pairs":
        return _pairs(frozen, submissions, how)
    if how.measure == "acc_eq":
        return _tie_accuracy(frozen, submissions, how)
    if how.measure in OVER_SYSTEMS:
        return _over_systems(frozen, submissions, how)
    return _correlations(frozen, submissions, how)


def _pairs(
    frozen: Frozen, submissions: Mapping[str, SubmittedValues], how: Settings
) -> list[MeasuredRowJson]:
    counts = {
        name: tally(one.directions(frozen), frozen, how.rule, how.part)
        for name, one in submissions.items()
    }
    first = next(iter(counts.values()))
    if not first.pairs.sum():
        return []
    some = first.pairs > 0
    ratios = Ratios(
        list(counts),
        np.column_stack([one.credit[some] for one in counts.values()]),
        np.column_stack([one.pairs[some] for one in counts.values()]),
    )
    return [
        cast(
            MeasuredRowJson,
            {
                **row,
                "strict": counts[row["submission"]].strict,
                "half": counts[row["submission"]].half,
                "pairs": int(first.pairs.sum()),
            },
        )
        for row in board_rows(
            ratios, intervals=how.intervals, permutations=how.permutations, seed=how.seed
        )
    ]


def _tie_accuracy(
    frozen: Frozen, submissions: Mapping[str, SubmittedValues], how: Settings
) -> list[MeasuredRowJson]:
    """Accuracy with credit for correct ties, epsilon calibrated on the same pairs (Deutsch, Foster
    and Freitag 2023), for which reason it has no interval."""
    inside = part_of(frozen, how.part)
    used = np.flatnonzero(inside[frozen.pair_cluster])
    cluster = dense(frozen.pair_cluster[used])
    people, a, b = frozen.people(how.rule)[used], frozen.a[used], frozen.b[used]
    groups = int(cluster.max(initial=-1)) + 1
    if not groups:
        return []
    bottom = np.bincount(cluster, minlength=groups).astype(np.float64)
    tops, epsilons = [], {}
    for name, one in submissions.items():
        step = 1e-12 * (float(np.abs(one.values).max(initial=0.0)) or 1.0)
        size = np.round(np.abs(one.values[a] - one.values[b]) / step) * step
        alike = (direction(one.values, a, b) == people) & (people != 0)
        counts = TieCounts(np.sort(size[alike]), np.sort(size[people == 0]), used.size)
        epsilons[name] = counts.best()
        right = np.where(people == 0, size <= epsilons[name], alike & (size > epsilons[name]))
        tops.append(np.bincount(cluster, right.astype(np.float64), minlength=groups))
    ratios = Ratios(
        list(submissions), np.column_stack(tops), np.column_stack([bottom] * len(submissions))
    )
    return [
        cast(
            MeasuredRowJson,
            {**row, "pairs": used.size, "epsilon": epsilons[row["submission"]]},
        )
        for row in board_rows(ratios, intervals=False, permutations=how.permutations, seed=how.seed)
    ]


def _inside(frozen: Frozen, how: Settings) -> BoolArray:
    valid = np.isfinite(frozen.gold) & part_of(frozen, how.part)[frozen.text_cluster]
    return np.asarray(valid)


def _correlations(
    frozen: Frozen, submissions: Mapping[str, SubmittedValues], how: Settings
) -> list[MeasuredRowJson]:
    """Coefficients over texts; pairs are told apart by swaps of originals, adjusted by Holm."""
    rows = _inside(frozen, how)
    human, clusters = frozen.gold[rows], dense(frozen.text_cluster[rows])
    columns = {name: one.values[rows] for name, one in submissions.items()}
    plan = Bootstrap(seed=how.seed) if how.intervals else None
    results = coefficients(human, columns, clusters, plan, (how.measure,))
    estimates = {name: one[how.measure] for name, one in results.items()}
    values = {n: one.value for n, one in estimates.items() if one.value is not None}
    better: set[tuple[str, str]] = set()
    if len(values) > 1 and clusters.max(initial=-1) >= 1:
        names = list(values)
        sample = sample_of(human, {name: columns[name] for name in names}, clusters)
        pairs = list(combinations(range(len(names)), 2))
        swapped = swap_correlations(
            sample,
            np.array(pairs),
            ranked=how.measure == "spearman",
            permutations=how.permutations,
            seed=how.seed,
        )
        for (a, b), p in zip(pairs, holm(swapped.p_value.tolist()), strict=True):
            if p is not None and p < ALPHA:
                high, low = (a, b) if values[names[a]] > values[names[b]] else (b, a)
                better.add((names[high], names[low]))
    return [cast(MeasuredRowJson, row) for row in rows_of(values, _ends(estimates), better)]


def _ends(estimates: Mapping[str, Estimate]) -> dict[str, tuple[float, float] | None]:
    return {
        name: (one.ci_low, one.ci_high)
        for name, one in estimates.items()
        if one.ci_low is not None and one.ci_high is not None
    }


def _over_systems(
    frozen: Frozen, submissions: Mapping[str, SubmittedValues], how: Settings
) -> list[MeasuredRowJson]:
    """Measures over the systems that made the texts; intervals are those of `system_level`.

    For the tests originals are drawn together for all submissions, from 15 originals on; two of
    them differ if the largest of all studentised differences, centred, is as far from 0 in under
    5 % of the draws. Draws of G originals vary by (G - 1) / G of what they should, so errors are
    lengthened. Pearson's r has heavier tails: its limit is moved to Student's t with G - 1 degrees
    of freedom (both: Cameron, Gelbach and Miller 2008). In a draw, the p of soft pairwise accuracy
    is that of a paired z-test.

    Submissions are not swapped: these may be equally right and wrong about different systems, and
    swapping takes them for alike in each original.
    """
    rows = _inside(frozen, how)
    unit, system = frozen.made
    included = rows[unit]
    systems = SystemTexts(unit[included], system[included], tuple(frozen.systems))
    human = np.where(rows, frozen.gold, np.nan)
    clusters = frozen.text_cluster
    columns = {name: one.values for name, one in submissions.items()}
    plan = Bootstrap(seed=how.seed) if how.intervals else None
    levels = system_level(human, columns, systems, clusters, plan)
    key = "pearson" if how.measure == "system_pearson" else how.measure
    estimates = {name: level.estimates[key] for name, level in levels.items()}
    values = {name: one.value for name, one in estimates.items() if one.value is not None}
    if not values:
        return []
    groups = np.unique(clusters[systems.made[0]]).size
    drawn = _drawn_over_systems(
        frozen, systems, {name: columns[name] for name in values}, human, key, how
    )
    better = set() if drawn is None else _apart(drawn, values, groups, key)
    return [cast(MeasuredRowJson, row) for row in rows_of(values, _ends(estimates), better)]


def _drawn_over_systems(
    frozen: Frozen,
    systems: SystemTexts,
    columns: Mapping[str, FloatArray],
    human: FloatArray,
    key: str,
    how: Settings,
) -> FloatArray | None:
    """(B, M) values over draws of originals; None with too few originals or systems."""
    unit, system = systems.made
    codes, k = dense(frozen.text_cluster[unit]) if unit.size else unit, len(systems.labels)
    groups = int(codes.max(initial=-1)) + 1
    if groups < LEAST_OVER_SYSTEMS or k < 2 or not how.intervals:
        return None
    cell = codes * k + system
    n = np.bincount(cell, minlength=groups * k).reshape(groups, k).astype(np.float64)

    def means(values: FloatArray) -> FloatArray:
        total = np.bincount(cell, values[unit], minlength=groups * k).reshape(groups, k)
        return np.asarray(ratio(total.astype(np.float64), n))

    i, j = np.triu_indices(k, 1)
    blocks = []
    tables = [means(human), *(means(column) for column in columns.values())]
    for weights in draws(Bootstrap(DRAWS, how.seed), groups, even(groups), k * k):
        each = [
            _soft(weights, table[:, i] - table[:, j])
            if key == "soft_pairwise_accuracy"
            else ratio(weights @ np.nan_to_num(table * n), weights @ n)
            for table in tables
        ]
        people, machines = each[0], each[1:]
        blocks.append(np.column_stack([_agree(key, people, one, i, j) for one in machines]))
    return np.concatenate(blocks)


def _soft(weights: FloatArray, gap: FloatArray) -> FloatArray:
    """(b, pairs) one-sided p of the mean difference of two systems."""
    there = ~np.isnan(gap)
    gap = np.where(there, gap, 0.0)
    n = weights @ there
    mean = ratio(weights @ gap, n)
    variance = ratio(weights @ gap**2, n) - mean**2
    error = np.sqrt(np.maximum(variance, 1e-18) / np.maximum(n - 1, 1))
    return np.asarray(scipy.special.ndtr(np.nan_to_num(mean / error)))


def _agree(
    key: str, people: FloatArray, machine: FloatArray, i: IntArray, j: IntArray
) -> FloatArray:
    if key == "soft_pairwise_accuracy":
        return np.asarray(1 - np.abs(people - machine).mean(axis=1))
    if key == "pearson":
        x = people - people.mean(axis=1, keepdims=True)
        y = machine - machine.mean(axis=1, keepdims=True)
        spread = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
        return np.asarray(ratio((x * y).sum(axis=1), spread))
    gap, other = np.sign(people[:, i] - people[:, j]), np.sign(machine[:, i] - machine[:, j])
    untied = gap != 0
    credit = (untied & (gap == other)).sum(axis=1) + (untied & (other == 0)).sum(axis=1) / 2
    return np.asarray(ratio(credit.astype(np.float64), untied.sum(axis=1).astype(np.float64)))


def _apart(
    drawn: FloatArray, values: Mapping[str, float], groups: int, key: str
) -> set[tuple[str, str]]:
    """Pairs (better, worse) whose difference is beyond the 95 % quantile of the largest."""
    pairs = list(combinations(range(len(values)), 2))
    if not pairs:
        return set()
    names = list(values)
    gaps = np.column_stack([drawn[:, a] - drawn[:, b] for a, b in pairs])
    spread = gaps.std(axis=0)
    scaled = ratio(np.abs(gaps - gaps.mean(axis=0)), np.broadcast_to(spread, gaps.shape))
    limit = float(np.quantile(np.nan_to_num(scaled).max(axis=1), 1 - ALPHA))
    if key == "pearson":
        limit = float(t_quantile(normal_below(limit), groups - 1))
    spread *= np.sqrt(groups / (groups - 1))
    better = set()
    for (a, b), error in zip(pairs, spread, strict=True):
        gap = values[names[a]] - values[names[b]]
        if error > 0 and abs(gap) / error > limit:
            high, low = (a, b) if gap > 0 else (b, a)
            better.add((names[high], names[low]))
    return better


# Human ceiling of a shared task: what one annotator reaches against the gold of all others.
#
# Each annotator who judged texts that others judged too is taken as a submission: the sums that he
# or she gave are the scores, and gold is made again without them (leave-one-out, as in Mitchell and
# Lapata 2008 for correlations). The ceiling is the mean over annotators, weighted by what they
# answered.


PARTS = ("public", "final")
SHOWN = ("value", "strict", "half")
LEAST_TEXTS = 3  # Of an annotator, judged by others too.

Ceiling = dict[str, dict[str, dict[str, float]]]


def ceilings(
    judged: JudgedTexts, frozen: Frozen, places: IntArray, *, measures: Sequence[str], rule: Rule
) -> Ceiling:
    """Return {measure: {public, final: {value, strict, half, annotators}}}, numbers as on boards.

    places   (T,) of the judged texts among the frozen ones
    A measure and part without an annotator who can be compared is not in it: gold was imported, or
    nobody judged what others judged. strict and half are there for pairs only.
    """
    sums: dict[tuple[str, str], dict[str, float]] = {}
    for own, rest in _left_out(judged, frozen, places):
        submissions = {"one": SubmittedValues("score", np.nan_to_num(own))}
        for measure in measures:
            for part in PARTS:
                how = Settings(measure, rule, part, intervals=False, permutations=1)
                rows = measured(rest, submissions, how)
                if not rows or not np.isfinite(rows[0]["value"] or np.nan):
                    continue
                total = sums.setdefault((measure, part), {"weight": 0.0, "annotators": 0})
                weight = float(rows[0].get("pairs") or np.isfinite(rest.gold).sum())
                total["weight"] += weight
                total["annotators"] += 1
                for name in SHOWN:
                    if (value := rows[0].get(name)) is not None:
                        total[name] = total.get(name, 0.0) + weight * float(str(value))
    ceiling: Ceiling = {}
    for (measure, part), total in sums.items():
        shown = {name: total[name] / total["weight"] for name in SHOWN if name in total}
        ceiling.setdefault(measure, {})[part] = {**shown, "annotators": total["annotators"]}
    return ceiling


def _left_out(
    judged: JudgedTexts, frozen: Frozen, places: IntArray
) -> Iterator[tuple[FloatArray, Frozen]]:
    """Of each annotator the (T,) sums in frozen order, and the task without them."""
    n = len(judged.text)
    order = np.argsort(places)
    totals: FloatArray = np.bincount(judged.unit, judged.given, minlength=n)[order].astype(float)
    counts: FloatArray = np.bincount(judged.unit, minlength=n)[order].astype(float)
    votes = np.zeros(frozen.a.size)
    for sums in _in_order(judged, places):
        votes += _preferences(sums, frozen)
    for own in _in_order(judged, places):
        both = np.isfinite(own) & (counts > 1)
        if both.sum() < LEAST_TEXTS:
            continue
        gold = np.where(both, ratio(totals - np.nan_to_num(own), counts - 1), np.nan)
        included = both[frozen.a] & both[frozen.b]
        a, b = frozen.a[included], frozen.b[included]
        rest = np.sign(votes - _preferences(own, frozen))[included]
        yield (
            own,
            replace(
                frozen,
                gold=gold,
                a=a,
                b=b,
                pairs=[
                    one for one, there in zip(frozen.pairs, included.tolist(), strict=True) if there
                ],
                by_sum=direction(gold, a, b).astype(np.int64),
                by_majority=rest.astype(np.int64),
            ),
        )


def _in_order(judged: JudgedTexts, places: IntArray) -> Iterator[FloatArray]:
    order = np.argsort(places)
    for sums in by_annotator(judged):
        yield sums[order]


def _preferences(sums: FloatArray, frozen: Frozen) -> FloatArray:
    """(P,) 1 where an annotator prefers a, -1 for b, 0 for neither or unknown."""
    gap = np.nan_to_num(sums[frozen.a] - sums[frozen.b])
    return np.asarray(np.sign(np.where(np.abs(gap) > 1e-9, gap, 0.0)))
