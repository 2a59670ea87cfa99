"""How many originals would tell two metrics apart, if they differ as much as they seem to.

The standard error of the difference comes from each original's share in it (infinitesimal
jackknife by cluster), and falls with the square root of the number of originals of
the same size and kind. The observed difference is taken for the true one: after a small study it
is often far off, and planning with it gives too small a number where it came out large by luck.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from scoring.stats.clustering import correlation_shares
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.paired import sample_of, why_not
from scoring.stats.pairwise import (
    MOST_PAIRS,
    NONE_TOLD,
    TOO_MANY,
    number_of_pairs,
    pair_decisions,
)
from scoring.stats.resampling import LEAST_GROUPS
from scoring.stats.table import FloatArray, IntArray

ALPHA = 0.05
POWER = 0.8
MULTIPLES = (0.25, 0.5, 1, 2, 4, 8)
METHODS = {
    "pearson": "difference of Pearson, a - b",
    "pairwise_accuracy": "difference of pairwise accuracy within originals, a - b",
}
FEW = f"undefined: needs {LEAST_GROUPS} originals"


@dataclass(frozen=True)
class Power:
    """difference with its normal 95 % interval by cluster; `error` its standard error.

    originals, units  that were used
    power     chance that a two-sided test at .05 of as many originals finds such a difference
    needed    originals for the power asked for; units_needed at the mean number per original
    curve     (originals, power)
    """

    a: str
    b: str
    coefficient: str
    difference: Estimate
    originals: int = 0
    units: int = 0
    error: float | None = None
    power: float | None = None
    needed: int | None = None
    units_needed: int | None = None
    curve: tuple[tuple[int, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            **self.__dict__,
            "difference": self.difference.as_json(),
            "curve": [list(point) for point in self.curve],
        }


def powers(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    *,
    coefficient: str = "pearson",
    power: float = POWER,
) -> list[Power]:
    """Every pair of metrics on the units where the human column and both are present.

    coefficient  pearson, or pairwise_accuracy (with clusters alone); ValueError for another, or a
                 power outside of 0.05 to 1
    """
    if coefficient not in METHODS or not ALPHA < power < 1:
        raise ValueError(f"coefficient is one of {', '.join(METHODS)}, power between .05 and 1")
    if coefficient == "pairwise_accuracy" and clusters is None:
        raise ValueError("pairwise accuracy needs the column of the originals")
    return [
        _of_pair(human, (a, metrics[a]), (b, metrics[b]), clusters, coefficient, power)
        for a, b in combinations(metrics, 2)
    ]


def _of_pair(
    human: FloatArray,
    first: tuple[str, FloatArray],
    second: tuple[str, FloatArray],
    clusters: IntArray | None,
    coefficient: str,
    power: float,
) -> Power:
    sample = sample_of(human, {"a": first[1], "b": second[1]}, clusters)
    names, method = (first[0], second[0]), METHODS[coefficient]
    reason = FEW if sample.groups < LEAST_GROUPS else ""
    if coefficient == "pearson":
        reason = reason or why_not(sample.x, sample.y[:, 0]) or why_not(sample.x, sample.y[:, 1])
        if not reason:
            shares = correlation_shares(sample)
            sums = sample.by_group((shares[:, [0]] - shares[:, [1]]) / sample.n)[:, 0]
            r = [float(np.corrcoef(sample.x, column)[0, 1]) for column in sample.y.T]
            gap, n = r[0] - r[1], sample.n
    else:
        many = number_of_pairs(sample.codes) > MOST_PAIRS
        found = None if many else pair_decisions(sample.x, sample.y, sample.codes)
        if found is None or not found.pairs.sum():
            reason = reason or (TOO_MANY if many else NONE_TOLD)
        else:
            credit, n = found.credit[:, 0] - found.credit[:, 1], int(found.pairs.sum())
            gap = float(credit.sum()) / n
            sums = (credit - gap * found.pairs) / n
    if reason:
        return Power(*names, coefficient, undefined(reason, method=method))
    error = math.sqrt(sample.groups / (sample.groups - 1) * float((sums**2).sum()))
    reach = float(stats.norm.ppf(1 - ALPHA / 2)) * error
    estimate = Estimate(gap, n=n, method=method).with_interval(
        gap - reach,
        gap + reach,
        generalises_to=f"new {'clusters' if sample.clustered else 'units'}",
        options={"interval": "95 % linearised by cluster, normal"},
    )
    return _planned(Power(*names, coefficient, estimate, sample.groups, sample.n), error, power)


def _planned(found: Power, error: float, power: float) -> Power:
    gap = abs(found.difference.value or 0.0)
    known = {**found.__dict__, "error": error}
    if gap < 1e-12 or error < 1e-15:
        return Power(**known)
    reach = float(stats.norm.ppf(1 - ALPHA / 2) + stats.norm.ppf(power))
    needed = max(math.ceil(found.originals * (error * reach / gap) ** 2), LEAST_GROUPS)
    sizes = sorted({max(LEAST_GROUPS, round(needed * many)) for many in MULTIPLES})
    per_original = found.units / found.originals
    return Power(
        **{
            **known,
            "power": _power(gap, error),
            "needed": needed,
            "units_needed": math.ceil(needed * per_original),
            "curve": tuple(
                (size, _power(gap, error * math.sqrt(found.originals / size))) for size in sizes
            ),
        }
    )


def _power(gap: float, error: float) -> float:
    """Of a two-sided normal test at .05."""
    limit = float(stats.norm.ppf(1 - ALPHA / 2))
    return float(stats.norm.sf(limit - gap / error) + stats.norm.cdf(-limit - gap / error))
