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
import scipy

from paraanno.common.progress import done, steps
from paraanno.common.texts import NOTHING, say
from scoring.stats import resampling
from scoring.stats.agreement import reml
from scoring.stats.agreement.coefficients import complete_units, kendall_replicates, kendall_w
from scoring.stats.agreement.icc import (
    NAMES,
    MeanSquares,
    iccs,
    is_balanced,
    mixed_iccs,
    not_crossed,
    ratings_per_unit,
    square_cells,
    stepped,
)
from scoring.stats.agreement.kappa import POOLED, cohen_kappas, kappa_replicates, no_interval
from scoring.stats.agreement.reml import PARTS, Design, Sums
from scoring.stats.intervals import Form, without_interval
from scoring.stats.resampling import Draws, Patterns, count_replicates
from scoring.stats.table import BoolArray, Estimate, FloatArray, RatingTable, t_quantile

# Linearised standard errors of the count-based coefficients, for independent units.
#
# Each is computed from the contributions of single units, as in Gwet 2008 and 2014 (chapter 5). As
# in the coefficients, units with one rating enter only the marginals.


INDEPENDENT = say("95 %, linearised standard error, t distribution, independent units (Gwet 2014)")


def t_interval(value: float, error: float, free: int) -> tuple[float, float]:
    """Return the 95 % t interval with `free` degrees of freedom; the upper limit is at most 1."""
    reach = float(t_quantile(0.975, free)) * error
    return value - reach, max(value, min(1.0, value + reach))


def standard_errors(p: Patterns) -> dict[str, float]:
    """Return the standard error by coefficient, omitting those undefined or without variance.

    Ordinal alpha is not included: its distances depend on the sample, and no formula is published.
    """
    n, many = float(p.weight.sum()), float(p.weight[p.size >= 2].sum())
    if n < 2 or many < 1 or p.levels.size < 2:
        return {}
    x = p.levels - p.levels.mean()
    span = float(x[-1] - x[0])
    spread = 2 * (p.size * (p.counts @ x**2) - (p.counts @ x) ** 2)
    equal = p.same / np.maximum(p.pairs, 1)
    near = 1 - spread / np.maximum(p.pairs, 1) / span**2
    share = scipy.sparse.csr_array(scipy.sparse.diags_array(1 / p.size) @ p.counts)
    mean = np.asarray(p.weight @ share) / n
    q = x.size
    fleiss = float(mean @ mean)
    one, quadratic = q / (q * (q - 1)), _weights_total(x, span) / (q * (q - 1))
    own = 1 - share @ mean
    none = np.zeros(p.size.size)
    # (agreement of each vector, chance agreement, its part from each vector)
    chances: dict[str, tuple[FloatArray, float, FloatArray]] = {
        "percent_agreement": (equal, 0.0, none),
        "fleiss_kappa": (equal, fleiss, 1 - own),
        "gwet_ac1": (equal, one * (1 - fleiss), one * own),
        "gwet_ac2": (near, quadratic * (1 - fleiss), quadratic * own),
        "brennan_prediger": (equal, 1 / q, none + 1 / q),
    }
    errors = {name: _error(p, n, many, *parts) for name, parts in chances.items()}
    errors["alpha_nominal"] = _alpha_error(p, equal, lambda pi: pi)
    errors["alpha_interval"] = _alpha_error(
        p, near, lambda pi: pi.sum() - (x**2 * pi.sum() - 2 * x * (pi @ x) + pi @ x**2) / span**2
    )
    return {name: error for name, error in errors.items() if error > 0}


def _weights_total(x: FloatArray, span: float) -> float:
    """Sum the quadratic weights over all pairs of levels; x is centred."""
    return float(x.size**2 - 2 * x.size * (x**2).sum() / span**2)


def _error(
    p: Patterns, n: float, many: float, agree: FloatArray, chance: float, chances: FloatArray
) -> float:
    """Gwet 2014: kappa_i = n / n' (agree_i - chance) / (1 - chance), corrected for chance_i."""
    if 1 - chance < 1e-12:
        return np.nan
    pairable = p.size >= 2
    own = np.where(pairable, n / many * (agree - chance) / (1 - chance), 0.0)
    value = float(p.weight @ own) / n
    own = own - 2 * (1 - value) * (chances - chance) / (1 - chance)
    return float(np.sqrt(p.weight @ (own - value) ** 2 / (n * (n - 1))))


def _alpha_error(
    p: Patterns, agree: FloatArray, weigh: Callable[[FloatArray], FloatArray]
) -> float:
    """Gwet 2014, chapter 5: units are weighted by their ratings; those with one are excluded."""
    rows = np.flatnonzero(p.size >= 2)
    weight, size, counts = p.weight[rows], p.size[rows], p.counts[rows]
    n = float(weight.sum())
    if n < 2:
        return np.nan
    mean_size = float(weight @ size) / n
    relative = size / mean_size
    observed = agree[rows] * relative
    plain = float(weight @ observed) / n
    pi = np.asarray(weight @ counts) / (n * mean_size)
    weighed = weigh(pi)
    chance = float(pi @ weighed)
    if 1 - chance < 1e-12:
        return np.nan
    value = (plain - chance) / (1 - chance)
    own = (observed - plain * (relative - 1) - chance) / (1 - chance)
    chances = (counts @ weighed) / mean_size - chance * (relative - 1)
    own = own - 2 * (1 - value) * (chances - chance) / (1 - chance)
    return float(np.sqrt(weight @ (own - value) ** 2 / (n * (n - 1))))


# Replicates of the intraclass correlations: ANOVA formulas for complete data, else REML.


# Multiplications for all replicates above which the jackknife replaces the bootstrap: a second or
# two.
BOOTSTRAP_COST = 3e9
BLOCK_CELLS = 4_000_000
Replicates = tuple[Draws, dict[str, FloatArray]]


def icc_replicates(table: RatingTable, draws: Draws, forms: str = "123") -> Iterator[Replicates]:
    """Yield the draws and (B,) replicates of the coefficients of these forms.

    Replicates of complete ratings are complete. Otherwise every replicate is fitted by REML, even
    if its units happen to be complete. Form 1 is always bootstrapped; forms 2 and 3 use the grouped
    jackknife for very many annotators or ratings.
    """
    if is_balanced(table):
        k = table.n_ratings // table.rated_units.size
        parts = [MeanSquares.of(part, k).iccs() for part in draws.sums(square_cells(table))]
        joined = {name: np.concatenate([one[name] for one in parts]) for name in NAMES}
        yield draws, {name: values for name, values in joined.items() if name[4] in forms}
        return
    if "1" in forms:
        yield draws, _one_way(table, draws)
    if "2" in forms or "3" in forms:
        design = Design.of(table, with_annotators=True)
        width, sizes = table.used_annotators.size, design.m.size
        work = design.cost + 60 * width**2 * (width + sizes)
        if work * draws.plan.replicates > BOOTSTRAP_COST:
            draws = draws.without_groups()
        yield draws, _two_way(table, design, draws)


def _one_way(table: RatingTable, draws: Draws) -> dict[str, FloatArray]:
    design, full = Design.of(table, with_annotators=False), reml.one_way(table)
    parts = []
    for block in draws.sums(design.cells()):
        sums = design.from_cells(block)
        parts.append(_coefficients(table, sums, _varies(sums), full, None))
    return {name: np.concatenate([one[name] for one in parts]) for name in ("icc_1_1", "icc_1_k")}


def _two_way(table: RatingTable, design: Design, draws: Draws) -> dict[str, FloatArray]:
    full = reml.two_way(table)
    names = [name for name in NAMES if name[4] != "1"]
    if full.residual <= 0:
        return {name: np.full(draws.count, np.nan) for name in names}
    parts, made = [], 0
    for block in _blocks(design, draws):
        usable = _varies(block)
        many = block.shared[:, block.m >= 2].sum(axis=1)
        units = block.units[:, block.m >= 2].sum(axis=1)
        for row in np.flatnonzero(usable):
            usable[row] = not not_crossed(many[row], units[row])
        parts.append(_coefficients(table, block, usable, full, full.annotator / full.residual))
        made += usable.size
        done(made / draws.count)
    return {name: np.concatenate([one[name] for one in parts]) for name in names}


def _blocks(design: Design, draws: Draws) -> Iterator[Sums]:
    if not draws.jackknife:
        yield from map(design.from_cells, draws.sums(design.cells()))
        return
    total = design.sums()
    step = max(1, BLOCK_CELLS // (design.who.shape[1] ** 2 * design.m.size))
    for start in range(0, draws.groups, step):
        left_out = [design.sums(units) for units in draws.members[start : start + step]]
        yield Sums(
            total.m,
            *(
                np.stack([getattr(total, name) - getattr(part, name) for part in left_out])
                for name in PARTS
            ),
        )


def _varies(s: Sums) -> BoolArray:
    spread = s.yy - s.y**2 / np.maximum(s.n, 1)
    return np.asarray((s.units[:, s.m >= 2].sum(axis=1) >= 2) & (spread > 1e-12 * s.yy))


def _coefficients(
    table: RatingTable,
    s: Sums,
    usable: BoolArray,
    full: reml.Components,
    annotator: float | None,
) -> dict[str, FloatArray]:
    answers = {name: np.full(usable.size, np.nan) for name in NAMES}
    if usable.any():
        part = s.only(usable)
        unit = full.unit / max(full.residual, 1e-300)
        parts = reml.components(part, unit, annotator)
        k = part.units.sum(axis=1) / (part.units / part.m).sum(axis=1)
        scale = np.full(k.size, float(table.value.var()))
        values = mixed_iccs(parts.unit, parts.annotator, parts.residual, k, scale)
        for name in NAMES:
            answers[name][usable] = values[name]
    return answers


Compute = Callable[[RatingTable, FloatArray], Estimate]
OF_INTERVAL = ("interval", "jackknife", "clusters")  # Options that say how an interval was made.
FamiliesReplicates = Iterator[tuple[Draws, dict[str, FloatArray]]]


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
    def pairable(self) -> BoolArray:
        """(U,) which rated units have two ratings or more."""
        return self.table.ratings_per_unit[self.table.rated_units] >= 2

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
    def replicates(
        cls, members: Mapping[str, Self], data: ScaleData, draws: Draws
    ) -> FamiliesReplicates:
        """Yield the draws, and (B,) replicates of each member by key."""

    def attach(
        self, estimate: Estimate, replicates: FloatArray, draws: Draws, data: ScaleData
    ) -> Estimate:
        """Return the estimate with the interval from its replicates, or the reason for none."""
        return draws.attach(estimate, replicates, used=data.pairable)

    def value(self, data: ScaleData) -> float:
        """Return the value alone, NaN if undefined."""
        result = self.estimate(data).value
        return np.nan if result is None else result


@dataclass(frozen=True)
class OfCounts(Family):
    """A function of the number of annotators who gave each value to each text (see `counts`);
    `form` is the scale of its interval."""

    compute: Compute
    statistic: resampling.Statistic
    form: Form = "z"

    def estimate(self, data: ScaleData) -> Estimate:
        return self.compute(data.table, data.levels)

    @classmethod
    def replicates(
        cls, members: Mapping[str, Self], data: ScaleData, draws: Draws
    ) -> FamiliesReplicates:
        wanted = {key: member.statistic for key, member in members.items()}
        yield draws, count_replicates(data.patterns, wanted, draws)

    def attach(
        self, estimate: Estimate, replicates: FloatArray, draws: Draws, data: ScaleData
    ) -> Estimate:
        return draws.attach(estimate, replicates, self.form, data.pairable)

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
    def replicates(
        cls, members: Mapping[str, Self], data: ScaleData, draws: Draws
    ) -> FamiliesReplicates:
        made_by, values = kappa_replicates(data.table, draws)
        yield made_by, {key: values[member.weights] for key, member in members.items()}

    def attach(
        self, estimate: Estimate, replicates: FloatArray, draws: Draws, data: ScaleData
    ) -> Estimate:
        why_not = NOTHING if self.weights in POOLED else no_interval(estimate)
        if why_not:
            return without_interval(estimate, why_not)
        return super().attach(estimate, replicates, draws, data)


@dataclass(frozen=True)
class OfRankings(Family):
    """Kendall's concordance of the annotators' rankings."""

    def estimate(self, data: ScaleData) -> Estimate:
        return kendall_w(data.table)

    @classmethod
    def replicates(
        cls, members: Mapping[str, Self], data: ScaleData, draws: Draws
    ) -> FamiliesReplicates:
        made_by, values = kendall_replicates(data.table, draws)
        yield made_by, dict.fromkeys(members, values)

    def attach(
        self, estimate: Estimate, replicates: FloatArray, draws: Draws, data: ScaleData
    ) -> Estimate:
        complete = np.zeros(data.table.rated_units.size, dtype=bool)
        complete[complete_units(data.table)] = True
        return draws.attach(estimate, replicates, "logit", complete)


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
    def replicates(
        cls, members: Mapping[str, Self], data: ScaleData, draws: Draws
    ) -> FamiliesReplicates:
        forms = "".join(sorted({member.form for member in members.values()}))
        for made_by, values in icc_replicates(data.table, draws, forms):
            named = {key: one.name for key, one in members.items()}
            if made_by.jackknife:
                named = {key: f"icc_{one.form}_1" for key, one in members.items()}
            yield made_by, {key: values[name] for key, name in named.items() if name in values}

    def attach(
        self, estimate: Estimate, replicates: FloatArray, draws: Draws, data: ScaleData
    ) -> Estimate:
        """The interval of the mean of k ratings is that of a single one, stepped up."""
        if self.ratings == "1" or not draws.jackknife:
            return draws.attach(estimate, replicates, "z", data.pairable)
        single = data.iccs[f"icc_{self.form}_1"]
        if single.value is None:
            return without_interval(estimate, single.reason)
        attached = draws.attach(bare(single), replicates, "z", data.pairable)
        if attached.ci_low is None or attached.ci_high is None or not attached.generalises_to:
            return without_interval(estimate, attached.options["no_interval"])
        return stepped_up(estimate, attached, ratings_per_unit(data.table))


def bare(estimate: Estimate) -> Estimate:
    """Return the estimate without its interval."""
    options = {name: one for name, one in estimate.options.items() if name not in OF_INTERVAL}
    return replace(estimate, ci_low=None, ci_high=None, generalises_to=None, options=options)


def stepped_up(estimate: Estimate, single: Estimate, k: float) -> Estimate:
    """Return an ICC of the mean of k ratings with the interval of that of a single one, stepped up.

    An interval that reaches below -1 / (k - 1) would step up to anything: it ends at -1.
    """
    if single.ci_low is None or single.ci_high is None or not single.generalises_to:
        return estimate
    value = -1.0 if estimate.value is None else estimate.value
    low, high = (min(max(stepped(end, k), -1.0), 1.0) for end in (single.ci_low, single.ci_high))
    return estimate.with_interval(
        min(low, value),
        max(high, value),
        generalises_to=single.generalises_to,
        options={
            **{name: single.options[name] for name in OF_INTERVAL if name in single.options},
        },
        seed=single.seed,
    )


@dataclass(frozen=True)
class OfTable(Family):
    """Any function of the ratings, with a jackknife interval over at most 100 groups."""

    compute: Compute

    def estimate(self, data: ScaleData) -> Estimate:
        return self.compute(data.table, data.levels)

    @classmethod
    def replicates(
        cls, members: Mapping[str, Self], data: ScaleData, draws: Draws
    ) -> FamiliesReplicates:
        draws, rated = draws.without_groups(), data.table.rated_units
        by_member: dict[str, list[float]] = {key: [] for key in members}
        for group in range(draws.groups):
            table = data.table.take_units(rated[draws.group != group])
            for key, member in members.items():
                by_member[key].append(member.value(ScaleData(table, data.levels)))
        yield draws, {key: np.array(values) for key, values in by_member.items()}


def replicates(members: Mapping[str, Family], data: ScaleData, draws: Draws) -> FamiliesReplicates:
    """Yield (B,) replicates of coefficients with a defined value, one family at a time."""
    for family in steps(list(dict.fromkeys(type(one) for one in members.values()))):
        alike = {key: one for key, one in members.items() if type(one) is family}
        yield from family.replicates(alike, data, draws)
