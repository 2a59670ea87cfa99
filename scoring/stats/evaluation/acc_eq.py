"""Pairwise accuracy with credit for correct ties, and the tie threshold of a metric.

Source: Deutsch, Foster and Freitag 2023. A pair is correct if humans and metric agree on better,
worse or tied; |difference| <= epsilon counts as a metric tie. Epsilon is calibrated to maximise
accuracy: on the evaluated pairs (as in the source, hence optimistic), or on other originals
(cross-fitted).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.pairwise import (
    NO_PAIR,
    cluster_pairs,
    direction,
    number_of_pairs,
    one_cluster,
)
from scoring.stats.significance.paired import Sample, samples
from scoring.stats.table import BoolArray, FloatArray, IntArray

MOST_TIED = 20_000_000
FOLDS = 5
NAMES = tuple(key for key in catalogue.at("further") if key.startswith("acc_eq"))
FEW_FOLDS = say("undefined: needs two folds with pairs")
TOO_MANY = say("undefined: over %(n)s pairs; name the column of the clusters", n=f"{MOST_TIED:,}")


@dataclass(frozen=True, eq=False)
class TieCounts:
    """Sorted absolute differences of a metric: of pairs ordered as by humans, and of pairs tied by
    humans; `total` counts all pairs."""

    right: FloatArray
    tied: FloatArray
    total: int

    def accuracy(self, epsilon: float) -> float:
        ties = np.searchsorted(self.tied, epsilon, side="right")
        lost = np.searchsorted(self.right, epsilon, side="right")
        return float(ties + self.right.size - lost) / self.total

    def best(self) -> float:
        """Return the smallest epsilon with maximal accuracy.

        Candidates are 0 and the differences of pairs tied by humans: between two of those the
        accuracy cannot increase.
        """
        candidates = np.concatenate([[0.0], self.tied])
        ties = np.searchsorted(self.tied, candidates, side="right")
        lost = np.searchsorted(self.right, candidates, side="right")
        return float(candidates[np.argmax(ties - lost)])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """All pairs: human direction, absolute metric difference, concordance, folds of both units."""

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
    """Return {metric: {acc_eq, acc_eq_calibrated, acc_eq_crossfit}}; n counts pairs.

    Uses pairs within an original; without clusters all pairs of units. acc_eq has epsilon 0;
    `details.epsilon` is the calibrated epsilon, for acc_eq_crossfit a list over folds. Folds are
    random partitions of the originals (without clusters: of the units); epsilon is calibrated on
    pairs outside a fold and evaluated on pairs inside it.
    """
    found: dict[str, dict[str, Estimate]] = {}
    for sample in samples(human, metrics, clusters):
        codes = one_cluster(sample)
        n = number_of_pairs(codes)
        reason = NO_PAIR if n == 0 else TOO_MANY if n > MOST_TIED else NOTHING
        if reason:
            none = undefined(reason, method=say("accuracy with ties"), details={"epsilon": None})
            found |= {name: dict.fromkeys(NAMES, none) for name in sample.names}
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
    where = say("pairs within a cluster") if sample.clustered else say("all pairs of units")
    found = {}
    for place, name in enumerate(sample.names):
        column = sample.y[:, place]
        # Round to 1e-12 of the largest value, so that differences equal up to rounding are equal.
        step = 1e-12 * (float(np.abs(column).max()) or 1.0)
        size = np.round(np.abs(column[i] - column[j]) / step) * step
        machine = direction(column, i, j)
        size[machine == 0] = 0.0
        pairs = _Pairs(people, size, machine == people, of[i], of[j])
        found[name] = _estimates(pairs, where, seed)
    return found


def _estimates(pairs: _Pairs, where: Sentence, seed: int) -> dict[str, Estimate]:
    every = pairs.counts(np.ones(pairs.people.size, dtype=bool))
    best = every.best()
    plain = say("%(pairs)s, accuracy with credit for correct ties", pairs=where)
    return {
        "acc_eq": Estimate(
            every.accuracy(0.0), n=every.total, method=plain, details={"epsilon": 0.0}
        ),
        "acc_eq_calibrated": Estimate(
            every.accuracy(best),
            n=every.total,
            method=say("%(method)s, epsilon calibrated on the same pairs", method=plain),
            details={"epsilon": best},
        ),
        "acc_eq_crossfit": _crossfit(pairs, plain, seed),
    }


def _crossfit(pairs: _Pairs, plain: str, seed: int) -> Estimate:
    method = say("%(method)s, epsilon calibrated on other folds", method=plain)
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
