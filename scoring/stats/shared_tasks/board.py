"""Boards: values with intervals, simultaneous rank intervals, and groups not told apart.

A value is a sum of numerators over a sum of denominators by original. Intervals draw originals;
pairs of submissions are compared by swapping them in whole originals, all pairs at once by
step-down max-T, so that the rank intervals of a board jointly contain all true ranks with 95 %
confidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from string import ascii_uppercase
from typing import TypedDict

import numpy as np

from scoring.stats.counts import ratio
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, draws, even, percentile_interval
from scoring.stats.significance.max_t import max_t, rank_intervals
from scoring.stats.table import FloatArray

ALPHA = 0.05
MOST_ROWS = 40


class BoardRowJson(TypedDict):
    """One line of a board; None where undefined. `group` has a letter for each set of submissions
    that are not told apart."""

    submission: str
    value: float | None
    ci_low: float | None
    ci_high: float | None
    rank_low: int
    rank_high: int
    group: str


@dataclass(frozen=True, eq=False)
class Ratios:
    """(G, M) numerators and denominators of M named submissions in G originals."""

    names: Sequence[str]
    top: FloatArray
    bottom: FloatArray

    @property
    def values(self) -> FloatArray:
        return np.asarray(ratio(self.top.sum(axis=0), self.bottom.sum(axis=0)))


def board_rows(
    ratios: Ratios, *, replicates: int = 1000, permutations: int = 10_000, seed: int = 0
) -> list[BoardRowJson]:
    """Rank submissions by their values, the highest first.

    A submission without a value has no place. Intervals need 5 originals.
    """
    values = {n: float(v) for n, v in zip(ratios.names, ratios.values, strict=True)}
    known = {name: value for name, value in values.items() if not np.isnan(value)}
    better = told_apart(ratios, permutations=permutations, seed=seed)
    intervals = _intervals(ratios, Bootstrap(replicates, seed))
    return rows_of(known, intervals, better)


def rows_of(
    values: Mapping[str, float],
    intervals: Mapping[str, tuple[float, float] | None],
    better: Set[tuple[str, str]],
) -> list[BoardRowJson]:
    """Rows in order of value, from intervals and the pairs (better, worse) told apart together."""
    ranks = rank_intervals(values, better)
    letters = group_letters(list(ranks), better)
    rows: list[BoardRowJson] = []
    for name, (low, high) in ranks.items():
        interval = intervals.get(name)
        rows.append(
            {
                "submission": name,
                "value": values[name],
                "ci_low": interval[0] if interval else None,
                "ci_high": interval[1] if interval else None,
                "rank_low": low,
                "rank_high": high,
                "group": letters[name],
            }
        )
    return rows


def told_apart(
    ratios: Ratios, *, permutations: int = 10_000, seed: int = 0
) -> set[tuple[str, str]]:
    """Return the pairs (better, worse) that differ, with 5 % of error over all pairs together."""
    pairs = list(combinations(range(len(ratios.names)), 2))
    groups = ratios.top.shape[0]
    if not pairs or not groups:
        return set()
    # Of equal denominators (the same pairs for all), a difference of sums is one of values.
    share = ratio(ratios.top, ratios.bottom.sum(axis=0)[None, :])
    gaps = np.nan_to_num(np.array([share[:, a] - share[:, b] for a, b in pairs]))
    there = np.array([(ratios.bottom[:, a] + ratios.bottom[:, b]) > 0 for a, b in pairs])
    found = set()
    for (a, b), gap, p in zip(
        pairs, gaps.sum(axis=1), max_t(gaps, there, permutations=permutations, seed=seed),
        strict=True,
    ):  # fmt: skip
        if p is not None and p < ALPHA and gap:
            high, low = (a, b) if gap > 0 else (b, a)
            found.add((ratios.names[high], ratios.names[low]))
    return found


def _intervals(ratios: Ratios, plan: Bootstrap) -> dict[str, tuple[float, float] | None]:
    groups = ratios.top.shape[0]
    if not plan.replicates or groups < LEAST_GROUPS:
        return {}
    drawn = np.concatenate(
        [
            ratio(block @ ratios.top, block @ ratios.bottom)
            for block in draws(plan, groups, even(groups), len(ratios.names))
        ]
    )
    return {name: percentile_interval(drawn[:, place]) for place, name in enumerate(ratios.names)}


def group_letters(ranked: Sequence[str], better: Set[tuple[str, str]]) -> dict[str, str]:
    """Return the letters of each name: names in order that share a letter are not told apart.

    A letter stands for a longest run of neighbours no two of which differ.
    """
    runs: list[tuple[int, int]] = []
    for start in range(len(ranked)):
        end = start + 1
        while end < len(ranked) and not any(
            (name, ranked[end]) in better or (ranked[end], name) in better
            for name in ranked[start:end]
        ):
            end += 1
        if not runs or end > runs[-1][1]:
            runs.append((start, end))
    return {
        name: "".join(_letter(n) for n, (low, high) in enumerate(runs) if low <= place < high)
        for place, name in enumerate(ranked)
    }


def _letter(number: int) -> str:
    """A to Z, then A2, B2 and so on."""
    turn, place = divmod(number, len(ascii_uppercase))
    return ascii_uppercase[place] + (str(turn + 1) if turn else "")
