"""Cohen's kappa pooled over pairs of annotators, each pair weighing as much as the units it shares.

The mean of the kappas of pairs is no summary of a sparse design: a pair with two shared units
weighs as much as one with two hundred, a pair that agrees throughout has no kappa and drops out,
and kappa on few units is biased downwards, because the frequencies from which chance is computed
come from the same few units. Here sums are divided instead of kappas averaged, and the
frequencies of an annotator come from all their units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paraanno.plain.sentence import Sentence, say
from scoring.stats.agreement.coefficients import NO_VARIATION
from scoring.stats.agreement.pairs import PairCounts, Pairs
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import FloatArray, IntArray

POOLED: Mapping[str, Sentence] = {
    "pooled_nominal": say(
        "Cohen's kappa (1960) pooled over pairs of annotators, weighted by shared units; "
        "frequencies of each annotator from all their units (Conger 1980; Gwet 2014)"
    ),
    "pooled_linear": say(
        "Cohen's weighted kappa (1968), weights |x - y| on scale values, pooled over pairs of "
        "annotators, weighted by shared units; frequencies of each annotator from all their units "
        "(Conger 1980; Gwet 2014)"
    ),
    "pooled_quadratic": say(
        "Cohen's weighted kappa (1968), weights (x - y)^2 on scale values, pooled over pairs of "
        "annotators, weighted by shared units; frequencies of each annotator from all their units "
        "(Conger 1980; Gwet 2014)"
    ),
}


def chance_disagreement(
    left: FloatArray, right: FloatArray, levels: FloatArray
) -> dict[str, FloatArray]:
    """Return (P,) expected disagreement under each weighting from (P, V) shares of the levels."""
    up_left, up_right = np.cumsum(left, axis=1)[:, :-1], np.cumsum(right, axis=1)[:, :-1]
    crossing = up_left * (1 - up_right) + up_right * (1 - up_left)
    x = levels - levels.mean() if levels.size else levels
    return {
        "nominal": 1 - (left * right).sum(axis=1),
        "linear": crossing @ np.diff(levels),
        "quadratic": left @ x**2 + right @ x**2 - 2 * (left @ x) * (right @ x),
    }


@dataclass(frozen=True, eq=False)
class Marginals:
    """How often each annotator gave each level on units with two ratings or more.

    cell   (R,) annotator * levels + level of each rating, sorted by unit
    start  (U + 1,) first rating of each rated unit
    alone  (U,) units with one rating, which are no part of the marginals
    """

    cell: IntArray
    start: IntArray
    alone: IntArray
    shape: tuple[int, int]

    @classmethod
    def of(cls, pairs: Pairs) -> Marginals:
        _, annotator, value = pairs.table.by_unit
        sizes = pairs.table.ratings_per_unit[pairs.table.rated_units]
        code = np.searchsorted(pairs.levels, value).astype(np.int64)
        return cls(
            annotator * pairs.levels.size + code,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.flatnonzero(sizes == 1).astype(np.int64),
            (pairs.table.n_annotators, pairs.levels.size),
        )

    def counts(self, units: IntArray | None = None) -> FloatArray:
        """Return (A, V) frequencies over the rated units at these positions, default all."""
        used = np.ones(self.start.size - 1, dtype=bool)
        if units is not None:
            used[:] = False
            used[units] = True
        used[self.alone] = False
        rows = np.repeat(used, np.diff(self.start))
        found = np.bincount(self.cell[rows], minlength=self.shape[0] * self.shape[1])
        return found.reshape(self.shape).astype(np.float64)


def pooled_kappas(counts: PairCounts, used: FloatArray, pairs: Pairs) -> dict[str, float]:
    """Return 1 - observed / expected disagreement, both summed over pairs; NaN if none is expected.

    used (A, V): see `Marginals`. On complete data this is Conger's kappa (1980), for two annotators
    Cohen's.
    """
    share = used / np.maximum(used.sum(axis=1, keepdims=True), 1)
    expected = chance_disagreement(share[pairs.first], share[pairs.second], counts.levels)
    observed = {
        "nominal": counts.n.sum() - counts.agree.sum(),
        "linear": counts.linear.sum(),
        "quadratic": counts.quadratic.sum(),
    }
    found = {}
    for name, seen in observed.items():
        chance = float(counts.n @ expected[name])
        varied = (used.sum(axis=0) > 0).sum() > 1 and chance > 0
        found[f"pooled_{name}"] = float(1 - seen / chance) if varied else np.nan
    return found


def pooled_estimates(pairs: Pairs, counts: PairCounts) -> dict[str, Estimate]:
    """Return the pooled kappas; undefined without variation."""
    n = pairs.table.n_pairable
    found = pooled_kappas(counts, Marginals.of(pairs).counts(), pairs)
    return {
        name: undefined(NO_VARIATION, n=n, method=POOLED[name])
        if np.isnan(value)
        else Estimate(value, n=n, method=POOLED[name])
        for name, value in found.items()
    }
