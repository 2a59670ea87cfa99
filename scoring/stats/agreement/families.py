"""Families of agreement coefficients: computation of values and replicates.

Coefficients of one family share the expensive parts: sums over texts, and draws. `OfTable` wraps a
single function, for coefficients of other packages.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from paraanno.plain.progress import steps
from paraanno.plain.sentence import NOTHING
from scoring.stats import counts
from scoring.stats.agreement.concordance import kendall_replicates, kendall_w
from scoring.stats.agreement.icc import iccs
from scoring.stats.agreement.kappa import cohen_kappas, kappa_replicates, no_interval
from scoring.stats.agreement.pooled import POOLED
from scoring.stats.agreement.variance.icc_replicates import icc_replicates
from scoring.stats.counts import Patterns
from scoring.stats.estimate import Estimate
from scoring.stats.resampling import Draws, count_replicates
from scoring.stats.table import FloatArray, RatingTable

Compute = Callable[[RatingTable, FloatArray], Estimate]
Replicates = Iterator[tuple[Draws, dict[str, FloatArray]]]


@dataclass(frozen=True, eq=False)
class ScaleData:
    """The ratings of one scale, its levels (ascending), and cached results used by several
    coefficients."""

    table: RatingTable
    levels: FloatArray

    @cached_property
    def patterns(self) -> Patterns:
        return Patterns.of(self.table, self.levels)

    @cached_property
    def kappas(self) -> dict[str, Estimate]:
        return cohen_kappas(self.table)

    @cached_property
    def iccs(self) -> dict[str, Estimate]:
        return iccs(self.table)


class Family(ABC):
    """Computation of one coefficient; the class makes the replicates of all its members."""

    @abstractmethod
    def estimate(self, data: ScaleData) -> Estimate:
        """Return the value, or the reason why it is undefined."""

    @classmethod
    @abstractmethod
    def replicates(cls, members: Mapping[str, Self], data: ScaleData, draws: Draws) -> Replicates:
        """Yield the draws, and (B,) replicates of each member by key."""

    def attach(self, estimate: Estimate, replicates: FloatArray, draws: Draws) -> Estimate:
        """Return the estimate with the interval from its replicates, or the reason for none."""
        return draws.attach(estimate, replicates)

    def value(self, data: ScaleData) -> float:
        """Return the value alone, NaN if undefined."""
        found = self.estimate(data).value
        return np.nan if found is None else found


@dataclass(frozen=True)
class OfCounts(Family):
    """A function of the number of annotators who gave each value to each text (see `counts`)."""

    compute: Compute
    statistic: counts.Statistic

    def estimate(self, data: ScaleData) -> Estimate:
        return self.compute(data.table, data.levels)

    @classmethod
    def replicates(cls, members: Mapping[str, Self], data: ScaleData, draws: Draws) -> Replicates:
        wanted = {key: member.statistic for key, member in members.items()}
        yield draws, count_replicates(data.patterns, wanted, draws)

    def value(self, data: ScaleData) -> float:
        """Return the value from the shared counts; the caller checks that it is defined."""
        return float(self.statistic(data.patterns, data.patterns.weight[None, :])[0])


@dataclass(frozen=True)
class OfPairs(Family):
    """A mean over pairs of annotators; `weights` is one of `kappa.WEIGHTS`, or of
    `pooled.POOLED` for a kappa pooled over pairs."""

    weights: str

    def estimate(self, data: ScaleData) -> Estimate:
        return data.kappas[self.weights]

    @classmethod
    def replicates(cls, members: Mapping[str, Self], data: ScaleData, draws: Draws) -> Replicates:
        made_by, found = kappa_replicates(data.table, draws)
        yield made_by, {key: found[member.weights] for key, member in members.items()}

    def attach(self, estimate: Estimate, replicates: FloatArray, draws: Draws) -> Estimate:
        why_not = NOTHING if self.weights in POOLED else no_interval(estimate)
        if why_not:
            return replace(estimate, options={**estimate.options, "no_interval": why_not})
        return super().attach(estimate, replicates, draws)


@dataclass(frozen=True)
class OfRankings(Family):
    """Kendall's concordance of the annotators' rankings."""

    def estimate(self, data: ScaleData) -> Estimate:
        return kendall_w(data.table)

    @classmethod
    def replicates(cls, members: Mapping[str, Self], data: ScaleData, draws: Draws) -> Replicates:
        made_by, found = kendall_replicates(data.table, draws)
        yield made_by, dict.fromkeys(members, found)


@dataclass(frozen=True)
class OfReliability(Family):
    """An intraclass correlation; `form` is "1", "2" or "3", `ratings` "1" or "k"."""

    form: str
    ratings: str

    @property
    def name(self) -> str:
        return f"icc_{self.form}_{self.ratings}"

    def estimate(self, data: ScaleData) -> Estimate:
        return data.iccs[self.name]

    @classmethod
    def replicates(cls, members: Mapping[str, Self], data: ScaleData, draws: Draws) -> Replicates:
        forms = "".join(sorted({member.form for member in members.values()}))
        for made_by, found in icc_replicates(data.table, draws, forms):
            yield (
                made_by,
                {key: found[one.name] for key, one in members.items() if one.name in found},
            )


@dataclass(frozen=True)
class OfTable(Family):
    """Any function of the ratings, with a jackknife interval over at most 100 groups."""

    compute: Compute

    def estimate(self, data: ScaleData) -> Estimate:
        return self.compute(data.table, data.levels)

    @classmethod
    def replicates(cls, members: Mapping[str, Self], data: ScaleData, draws: Draws) -> Replicates:
        draws, rated = draws.without_groups(), data.table.rated_units
        found: dict[str, list[float]] = {key: [] for key in members}
        for group in range(draws.groups):
            table = data.table.take_units(rated[draws.group != group])
            for key, member in members.items():
                found[key].append(member.value(ScaleData(table, data.levels)))
        yield draws, {key: np.array(values) for key, values in found.items()}


def replicates(members: Mapping[str, Family], data: ScaleData, draws: Draws) -> Replicates:
    """Yield (B,) replicates of coefficients with a defined value, one family at a time."""
    for family in steps(list(dict.fromkeys(type(one) for one in members.values()))):
        alike = {key: one for key, one in members.items() if type(one) is family}
        yield from family.replicates(alike, data, draws)
