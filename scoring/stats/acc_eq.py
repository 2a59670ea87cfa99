"""Pairwise accuracy with credit for correct ties, and the tie threshold of a metric.

Source: Deutsch, Foster and Freitag 2023. A pair is right where humans and metric give the same of
better, worse and tied; |difference| <= epsilon counts as a tie of the metric. Epsilon is calibrated
to give the greatest accuracy: on the pairs it is judged by (as in the source, so too good), or on
other originals (cross-fitted).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scoring.stats.estimate import Estimate, undefined
from scoring.stats.paired import Sample, samples
from scoring.stats.pairwise import cluster_pairs, direction, number_of_pairs, one_cluster
from scoring.stats.table import BoolArray, FloatArray, IntArray

MOST_TIED = 20_000_000
FOLDS = 5
NO_PAIR = "undefined: no pair of units"
FEW_FOLDS = "undefined: needs two folds with pairs"
TOO_MANY = f"undefined: over {MOST_TIED:,} pairs; name the column of the clusters"


@dataclass(frozen=True, eq=False)
class TieCounts:
    """Absolute differences of a metric, ascending: of pairs it orders as the humans do, and of
    pairs the humans tie; `total` counts all pairs."""

    right: FloatArray
    tied: FloatArray
    total: int

    def accuracy(self, epsilon: float) -> float:
        ties = np.searchsorted(self.tied, epsilon, side="right")
        lost = np.searchsorted(self.right, epsilon, side="right")
        return float(ties + self.right.size - lost) / self.total

    def best(self) -> float:
        """The smallest epsilon of the greatest accuracy: 0 or a difference of a human tie, for
        between two of those accuracy can only fall."""
        candidates = np.concatenate([[0.0], self.tied])
        ties = np.searchsorted(self.tied, candidates, side="right")
        lost = np.searchsorted(self.right, candidates, side="right")
        return float(candidates[np.argmax(ties - lost)])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """All pairs: human direction, absolute difference, whether ordered alike, folds of the two."""

    people: IntArray
    size: FloatArray
    alike: BoolArray
    first: IntArray
    second: IntArray

    def counts(self, chosen: BoolArray) -> TieCounts:
        tied = chosen & (self.people == 0)
        right = chosen & self.alike & (self.people != 0)
        return TieCounts(np.sort(self.size[right]), np.sort(self.size[tied]), int(chosen.sum()))


def tie_accuracies(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> dict[str, dict[str, Estimate]]:
    """{metric: {acc_eq, acc_eq_calibrated, acc_eq_crossfit}}; n counts pairs.

    Pairs within an original; without clusters all pairs of units. acc_eq has epsilon 0;
    `details.epsilon` is the calibrated one, in the cross-fitted form the list over folds. Folds
    are random parts of the originals (of the units without clusters): epsilon comes from the pairs
    outside of a fold, and pairs inside of it are judged.
    """
    found: dict[str, dict[str, Estimate]] = {}
    for sample in samples(human, metrics, clusters):
        codes = one_cluster(sample)
        n = number_of_pairs(codes)
        reason = NO_PAIR if n == 0 else TOO_MANY if n > MOST_TIED else ""
        if reason:
            none = undefined(reason, method="accuracy with ties", details={"epsilon": None})
            names = ("acc_eq", "acc_eq_calibrated", "acc_eq_crossfit")
            found |= {name: dict.fromkeys(names, none) for name in sample.names}
            continue
        found |= _of_sample(sample, codes, folds, seed)
    return {name: found[name] for name in metrics}


def _of_sample(
    sample: Sample, codes: IntArray, folds: int, seed: int
) -> dict[str, dict[str, Estimate]]:
    fold = np.random.default_rng(seed).permutation(sample.groups) % max(folds, 2)
    of = fold[sample.codes]
    i, j = (np.concatenate(side) for side in zip(*cluster_pairs(codes), strict=True))
    people = direction(sample.x, i, j)
    where = "pairs within a cluster" if sample.clustered else "all pairs of units"
    found = {}
    for place, name in enumerate(sample.names):
        column = sample.y[:, place]
        # Steps of 1e-12 of the greatest value: equal differences are equal but for rounding.
        step = 1e-12 * (float(np.abs(column).max()) or 1.0)
        size = np.round(np.abs(column[i] - column[j]) / step) * step
        machine = direction(column, i, j)
        size[machine == 0] = 0.0
        pairs = _Pairs(people, size, machine == people, of[i], of[j])
        found[name] = _estimates(pairs, where, seed)
    return found


def _estimates(pairs: _Pairs, where: str, seed: int) -> dict[str, Estimate]:
    every = pairs.counts(np.ones(pairs.people.size, dtype=bool))
    best = every.best()
    plain = f"{where}, accuracy with credit for ties of both"
    return {
        "acc_eq": Estimate(
            every.accuracy(0.0), n=every.total, method=plain, details={"epsilon": 0.0}
        ),
        "acc_eq_calibrated": Estimate(
            every.accuracy(best),
            n=every.total,
            method=f"{plain}, epsilon calibrated on the same pairs",
            details={"epsilon": best},
        ),
        "acc_eq_crossfit": _crossfit(pairs, plain, seed),
    }


def _crossfit(pairs: _Pairs, plain: str, seed: int) -> Estimate:
    method = f"{plain}, epsilon calibrated on other folds"
    right, total, chosen = 0.0, 0, []
    for fold in range(int(pairs.first.max(initial=-1)) + 1):
        inside = pairs.counts((pairs.first == fold) & (pairs.second == fold))
        outside = pairs.counts((pairs.first != fold) & (pairs.second != fold))
        if not inside.total or not outside.total:
            continue
        epsilon = outside.best()
        chosen.append(epsilon)
        right += inside.accuracy(epsilon) * inside.total
        total += inside.total
    if len(chosen) < 2:
        return undefined(FEW_FOLDS, method=method, details={"epsilon": None})
    return Estimate(
        right / total, n=total, method=method, seed=seed,
        options={"folds": len(chosen)}, details={"epsilon": chosen},
    )  # fmt: skip
