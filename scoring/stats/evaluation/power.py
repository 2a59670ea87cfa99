"""Sample size and power for detecting the difference between two metrics.

The standard error of the difference is an infinitesimal jackknife by cluster, and is inversely
proportional to the square root of the number of originals. The observed difference is used as the
true effect; after a small study it is imprecise, and an overestimate gives too small a sample size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from paraanno.plain.progress import steps
from paraanno.plain.sentence import NOTHING, say
from scoring.stats.distributions import normal_above, normal_below, normal_quantile
from scoring.stats.estimate import CLUSTERS, UNITS, Estimate, undefined
from scoring.stats.evaluation.json_types import PowerJson
from scoring.stats.evaluation.pairwise import (
    MOST_PAIRS,
    number_of_pairs,
    pair_decisions,
    why_undecided,
)
from scoring.stats.resampling import LEAST_GROUPS
from scoring.stats.significance.clustering import correlation_shares
from scoring.stats.significance.paired import sample_of, why_not
from scoring.stats.table import FloatArray, IntArray

ALPHA = 0.05
POWER = 0.8
MULTIPLES = (0.25, 0.5, 1, 2, 4, 8)
METHODS = {
    "pearson": say("difference of Pearson, a - b"),
    "pairwise_accuracy": say("difference of pairwise accuracy within originals, a - b"),
}
FEW = say("undefined: needs %(n)s originals", n=LEAST_GROUPS)


@dataclass(frozen=True)
class Power:
    """Power analysis of one pair of metrics.

    difference        with its normal 95 % interval by cluster; `error` is its standard error
    originals, units  number used
    power     of a two-sided test at .05 with the same number of originals
    needed    originals for the requested power; units_needed at the mean number per original
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

    def to_json(self) -> PowerJson:
        return {
            "a": self.a,
            "b": self.b,
            "coefficient": self.coefficient,
            "difference": self.difference.as_json(),
            "originals": self.originals,
            "units": self.units,
            "error": self.error,
            "power": self.power,
            "needed": self.needed,
            "units_needed": self.units_needed,
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
    """Return the power analysis of every pair of metrics, on the units with all three values.

    coefficient  pearson, or pairwise_accuracy (needs clusters); raises ValueError for another, or
                 for a power outside 0.05 to 1
    """
    if coefficient not in METHODS or not ALPHA < power < 1:
        raise ValueError(f"coefficient is one of {', '.join(METHODS)}, power between .05 and 1")
    if coefficient == "pairwise_accuracy" and clusters is None:
        raise ValueError("pairwise accuracy needs the column of the originals")
    return [
        _of_pair(human, (a, metrics[a]), (b, metrics[b]), clusters, coefficient, power)
        for a, b in steps(list(combinations(metrics, 2)))
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
    reason = FEW if sample.groups < LEAST_GROUPS else NOTHING
    if coefficient == "pearson":
        reason = reason or why_not(sample.x, sample.y[:, 0]) or why_not(sample.x, sample.y[:, 1])
        if not reason:
            shares = correlation_shares(sample)
            sums = sample.by_group((shares[:, [0]] - shares[:, [1]]) / sample.n)[:, 0]
            r = [float(np.corrcoef(sample.x, column)[0, 1]) for column in sample.y.T]
            gap, n = r[0] - r[1], sample.n
    else:
        every = number_of_pairs(sample.codes)
        found = None if every > MOST_PAIRS else pair_decisions(sample.x, sample.y, sample.codes)
        if found is None or not found.pairs.sum():
            reason = reason or why_undecided(every)
        else:
            credit, n = found.credit[:, 0] - found.credit[:, 1], int(found.pairs.sum())
            gap = float(credit.sum()) / n
            sums = (credit - gap * found.pairs) / n
    if reason:
        return Power(*names, coefficient, undefined(reason, method=method))
    error = math.sqrt(sample.groups / (sample.groups - 1) * float((sums**2).sum()))
    reach = float(normal_quantile(1 - ALPHA / 2)) * error
    estimate = Estimate(gap, n=n, method=method).with_interval(
        gap - reach,
        gap + reach,
        generalises_to=say("new %(clusters)s", clusters=CLUSTERS if sample.clustered else UNITS),
        # xgettext:no-python-format
        options={"interval": say("95 % linearised by cluster, normal")},
    )
    return _planned(Power(*names, coefficient, estimate, sample.groups, sample.n), error, power)


def _planned(found: Power, error: float, power: float) -> Power:
    gap = abs(found.difference.value or 0.0)
    known = {**found.__dict__, "error": error}
    if gap < 1e-12 or error < 1e-15:
        return Power(**known)
    reach = float(normal_quantile(1 - ALPHA / 2) + normal_quantile(power))
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
    """Return the power of a two-sided normal test at .05."""
    limit = float(normal_quantile(1 - ALPHA / 2))
    return float(normal_above(limit - gap / error) + normal_below(-limit - gap / error))
