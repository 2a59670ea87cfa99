"""Correlation of a metric with human values over all units.

Inputs are columns over the same units with NaN for missing values; incomplete pairs are omitted.
Undefined for fewer than three units and for constant input. p-values assume independent units;
intervals are by cluster if there are any.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from paraanno.common.texts import Sentence, say
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.pairwise import (
    MOST_PAIRS,
    cluster_pairs,
    direction,
    number_of_pairs,
)
from scoring.stats.intervals import (
    AT_END,
    LEAST_CLUSTERS,
    MOST_GROUPS,
    Bootstrap,
    attach,
    lacking,
    weights,
    without_interval,
)
from scoring.stats.resampling import ratio
from scoring.stats.significance.paired import (
    LEAST_UNITS,
    Kernel,
    Sample,
    Store,
    by_group,
    kendall_kernel,
    pearson_kernel,
    replicate,
    samples,
    spearman_kernel,
    unit_scale,
    why_not,
)
from scoring.stats.table import Estimate, FloatArray, IntArray, t_quantile, undefined

# Linearised interval of Kendall's tau-b for large samples.


# xgettext:no-python-format
LINEARISED = say("95 % linearised by cluster (Hoeffding 1948), Fisher's z, Student's t")


def unit_concordance(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return, for each unit, the number of concordant minus discordant other units, (n,).

    O(n log n log K) for K distinct x: two x codes first differ at one binary digit, so at each
    digit units are compared with the other half of their group, sorted by y.
    """
    left = np.unique(x, return_inverse=True)[1].astype(np.int64)
    right = np.unique(y, return_inverse=True)[1].astype(np.int64)
    width = int(right.max(initial=0)) + 1
    concordance = np.zeros(x.size)
    for digit in range(int(left.max(initial=0)).bit_length()):
        group, above = left >> (digit + 1), (left >> digit) & 1
        key = group * width + right
        order = np.argsort(key, kind="stable")
        # Number of upper-half units before each position; the others are lower-half units.
        upper = np.concatenate([[0], np.cumsum(above[order])])
        run_start, run_end = _edges(key[order])
        group_start, group_end = _edges(group[order])
        up = upper[run_start] - upper[group_start] - (upper[group_end] - upper[run_end])
        every = (run_start - group_start) - (group_end - run_end)
        balance = np.where(above[order] == 1, every - up, -up)
        concordance[order] += balance
    return concordance


def _edges(ordered: IntArray) -> tuple[IntArray, IntArray]:
    """Return start and end (exclusive) of the run of equal codes containing each position."""
    new = np.flatnonzero(np.diff(ordered, prepend=-1))
    of = np.cumsum(np.diff(ordered, prepend=-1) != 0) - 1
    return new[of], np.append(new[1:], ordered.size)[of]


def apart(values: FloatArray) -> FloatArray:
    """Return the (n,) number of other units with a different value."""
    _, of, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(values.size - times[of], dtype=np.float64)


def tau_b_interval(
    x: FloatArray, y: FloatArray, codes: IntArray, groups: int
) -> tuple[float, float] | None:
    """Return the cluster-robust 95 % interval of tau-b; None for a perfect tau.

    tau-b is a ratio of U-statistics: unit influences are linearised and summed by cluster, and the
    interval is computed on Fisher's z scale. Source: Hoeffding 1948 (projection), by cluster as in
    Binder 1983.
    """
    agree, first, second = unit_concordance(x, y), apart(x), apart(y)
    product = math.sqrt(float(first.sum()) * float(second.sum()))
    tau = float(agree.sum()) / product
    share = 2 * (agree / product - tau * (first / first.sum() + second / second.sum()) / 2)
    sums = by_group(share[:, None], codes, groups)[:, 0]
    error = math.sqrt(groups / max(groups - 1, 1) * float((sums**2).sum()))
    if 1 - abs(tau) < 1e-12:
        return None
    reach = float(t_quantile(0.975, min(groups, MOST_GROUPS) - 1)) * error / (1 - tau**2)
    middle = math.atanh(tau)
    return math.tanh(middle - reach), math.tanh(middle + reach)


KENDALL_EXACT = 33
KENDALL_BOOTSTRAP = 5000
SIGN_CELLS = 50_000_000
Point = Callable[[FloatArray, FloatArray], Estimate]
# How p is computed, which only `--as-in-paper` shows.
BY_T = say("t distribution (two-sided), independent units")
BY_NORMAL = say("normal approximation (two-sided), independent units")
EXACT = say("exact (two-sided), independent units")


def _pearson(x: FloatArray, y: FloatArray) -> Estimate:
    result = scipy.stats.pearsonr(unit_scale(x), unit_scale(y))
    return _estimate(x, "pearson", result.statistic, result.pvalue, BY_T)


def _spearman(x: FloatArray, y: FloatArray) -> Estimate:
    result = scipy.stats.spearmanr(x, y)
    return _estimate(x, "spearman", result.statistic, result.pvalue, BY_T)


def _kendall(x: FloatArray, y: FloatArray, variant: str = "b") -> Estimate:
    ties = np.unique(x).size < x.size or np.unique(y).size < y.size
    exact = not ties and x.size <= KENDALL_EXACT
    result = scipy.stats.kendalltau(
        x, y, method="exact" if exact else "asymptotic", variant=variant
    )
    name = "kendall" if variant == "b" else "kendall_c"
    return _estimate(x, name, result.statistic, result.pvalue, EXACT if exact else BY_NORMAL)


def _kendall_c(x: FloatArray, y: FloatArray) -> Estimate:
    return _kendall(x, y, "c")


def _estimate(
    x: FloatArray, name: str, value: float, p_value: float, p_method: Sentence
) -> Estimate:
    return Estimate(
        float(value),
        n=int(x.size),
        method=catalogue.COEFFICIENTS[name].named,
        details={"p_value": float(p_value), "p_method": p_method},
    )


POINTS: Mapping[str, Point] = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall": _kendall,
    "kendall_c": _kendall_c,
}


def coefficients(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    names: Sequence[str] = tuple(POINTS),
    store: Store | None = None,
) -> dict[str, dict[str, Estimate]]:
    """Return {metric: {pearson, spearman, kendall, kendall_c: Estimate}}, or those of `names`.

    human, metrics  (n,) columns; clusters  (n,) codes. There are intervals if there is a `plan`, by
    default on Fisher's z; above 5,000 units tau-b is linearised and tau-c has none. All metrics
    share the weights of clusters, so their replicates are comparable; `store` keeps those of
    Pearson and Spearman.
    """
    estimates: dict[str, dict[str, Estimate]] = {name: {} for name in metrics}
    for sample in samples(human, metrics, clusters):
        defined = []
        for name in sample.names:
            reason = why_not(sample.x, sample.column(name))
            if not reason:
                defined.append(name)
            for one in names:
                estimates[name][one] = (
                    _undefined(reason, sample, one)
                    if reason
                    else POINTS[one](sample.x, sample.column(name))
                )
        if defined and plan is not None:
            _intervals(estimates, sample.only(defined), names, plan, store or Store())
    return estimates


def _undefined(reason: Sentence, sample: Sample, name: str) -> Estimate:
    method = catalogue.COEFFICIENTS[name].named
    return undefined(reason, n=sample.n, method=method, details={"p_value": None})


def _intervals(
    estimates: dict[str, dict[str, Estimate]],
    sample: Sample,
    names: Sequence[str],
    plan: Bootstrap,
    store: Store,
) -> None:
    """Add intervals to the estimates of these metrics."""
    taus = [name for name in ("kendall", "kendall_c") if name in names]
    kernels: dict[str, Kernel] = {}
    if "pearson" in names:
        kernels["pearson"] = pearson_kernel(sample)
    if "spearman" in names:
        kernels["spearman"] = spearman_kernel(sample)
    made = replicate(kernels, plan, sample.groups, sample.n) if kernels else {}
    if taus and sample.n <= KENDALL_BOOTSTRAP:
        made["kendall"], made["kendall_c"] = _taus(sample, plan)
    elif "kendall" in taus:
        for name in sample.names:
            estimates[name]["kendall"] = _linearised(
                estimates[name]["kendall"], sample, sample.column(name), plan
            )
    for one in set(made) & {"pearson", "spearman"}:
        store.keep(one, sample, made[one])
    for one in set(made) & set(names):
        for place, name in enumerate(sample.names):
            estimates[name][one] = attach(
                estimates[name][one],
                made[one][:, place],
                plan,
                sample.groups,
                sample.clustered,
                form="z",
            )


def _taus(sample: Sample, plan: Bootstrap) -> tuple[FloatArray, FloatArray]:
    """Return (B, M) replicates of tau-b and tau-c, in blocks of metrics to limit memory."""
    step = max(1, SIGN_CELLS // sample.groups**2)
    parts = []
    for start in range(0, len(sample.names), step):
        kernel = kendall_kernel(sample.only(sample.names[start : start + step]))
        made = replicate({"taus": kernel}, plan, sample.groups, sample.n)["taus"]
        parts.append(np.hsplit(made, 2))
    return np.hstack([b for b, _ in parts]), np.hstack([c for _, c in parts])


def _linearised(estimate: Estimate, sample: Sample, y: FloatArray, plan: Bootstrap) -> Estimate:
    named = plan.named(sample.clustered)
    if why := lacking(sample.groups, LEAST_CLUSTERS, named):
        return without_interval(estimate, why)
    interval = tau_b_interval(sample.x, y, sample.codes, sample.groups)
    if interval is None:
        return without_interval(estimate, AT_END)
    return estimate.with_interval(
        *interval,
        generalises_to=say("new %(clusters)s", clusters=named),
        options={"interval": LINEARISED, "clusters": sample.groups},
    )


def _single(
    name: str,
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> Estimate:
    return coefficients(human, {"metric": metric}, clusters, plan, [name])["metric"][name]


def pearson(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Return Pearson's r; p by the t distribution; interval by cluster."""
    return _single("pearson", human, metric, clusters, plan)


def spearman(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Return Spearman's rho; p by the t approximation; data are re-ranked in every replicate."""
    return _single("spearman", human, metric, clusters, plan)


def kendall(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Return Kendall's tau-b; p exact for up to 33 units without ties, else normal (`p_method`).

    Interval of replicates up to 5,000 units, linearised above.
    """
    return _single("kendall", human, metric, clusters, plan)


# Correlation of metric and human values within originals.


NO_ORIGINAL = say("undefined: no original has 3 units that vary")
TOO_MANY = say("undefined: over %(n)s pairs", n=f"{MOST_PAIRS:,}")
POOLED = say("Kendall tau-b, pairs within an original pooled")
METHODS = {
    name: say(
        "%(label)s, mean over originals with 3 units or more that vary",
        label=catalogue.COEFFICIENTS[name].named,
    )
    if name != "kendall_pooled"
    else POOLED
    for name in catalogue.at("within")
}


def within_originals(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray,
    plan: Bootstrap | None = None,
    items: IntArray | None = None,
) -> dict[str, dict[str, Estimate]]:
    """Return {metric: {pearson, spearman, kendall, kendall_pooled: Estimate}}.

    The first three are unweighted means over originals (`items`, by default the clusters) with at
    least three complete units and variation in both columns; n counts these originals.
    kendall_pooled pools all pairs within originals; n counts pairs. Intervals are by cluster, of
    those clusters that contribute.
    """
    estimates: dict[str, dict[str, Estimate]] = {}
    for sample in samples(human, metrics, clusters, items):
        estimates |= _of_sample(sample, plan)
    return {name: estimates[name] for name in metrics}


def _of_sample(sample: Sample, plan: Bootstrap | None) -> dict[str, dict[str, Estimate]]:
    estimates: dict[str, dict[str, Estimate]] = {name: {} for name in sample.names}
    if number_of_pairs(sample.within) > MOST_PAIRS:
        for name in sample.names:
            estimates[name] = {one: undefined(TOO_MANY, method=m) for one, m in METHODS.items()}
        return estimates
    gap, people, machine = _orders(sample)
    small = np.bincount(sample.within, minlength=people.size) < LEAST_UNITS
    ranks_x, ranks_y = ranks_within(sample.x, sample.within), np.empty(sample.y.shape)
    for place, column in enumerate(sample.y.T):
        ranks_y[:, place] = ranks_within(column, sample.within)
    each = {
        "pearson": _by_original(sample.x, sample.y, sample),
        "spearman": _by_original(ranks_x, ranks_y, sample),
        "kendall": ratio(gap, np.sqrt(people[:, None] * machine)),
    }
    for one, values in each.items():
        values[small] = np.nan
        there = (~np.isnan(values)).astype(np.float64)
        parts = _Parts.of(sample, np.nan_to_num(values), there)
        _put(estimates, sample, one, parts, there.sum(axis=0), plan)
    across = np.broadcast_to(people[:, None], machine.shape)
    parts = _Parts.of(sample, gap, across, machine)
    n = np.full(len(sample.names), number_of_pairs(sample.within))
    _put(estimates, sample, "kendall_pooled", parts, n, plan)
    return estimates


@dataclass(frozen=True, eq=False)
class _Parts:
    """(G, M) sums by cluster: a numerator, and one or two denominators whose geometric mean
    divides it."""

    top: FloatArray
    below: tuple[FloatArray, ...]

    @classmethod
    def of(cls, sample: Sample, top: FloatArray, *below: FloatArray) -> _Parts:
        """Sum (items, M) parts by cluster."""
        return cls(sample.by_cluster(top), tuple(sample.by_cluster(one) for one in below))

    def values(self, weight: FloatArray) -> FloatArray:
        """Return (b, M) coefficients with (b, G) weights of clusters."""
        divisor = np.prod([weight @ one for one in self.below], axis=0)
        return ratio(weight @ self.top, divisor ** (1 / len(self.below)))


def _put(
    estimates: dict[str, dict[str, Estimate]],
    sample: Sample,
    one: str,
    parts: _Parts,
    n: FloatArray | IntArray,
    plan: Bootstrap | None,
) -> None:
    made = None
    if plan is not None and sample.groups:
        made = np.concatenate([parts.values(block) for block in weights(plan, sample.groups)])
    values = parts.values(np.ones((1, sample.groups)))[0]
    for place, name in enumerate(sample.names):
        if np.isnan(values[place]):
            estimates[name][one] = undefined(NO_ORIGINAL, method=METHODS[one])
            continue
        estimate = Estimate(float(values[place]), n=int(n[place]), method=METHODS[one])
        if made is not None and plan is not None:
            estimate = attach(
                estimate,
                made[:, place],
                plan,
                sample.groups,
                clustered=True,
                form="z",
                contributing=parts.below[0][:, place] > 0,
            )
        estimates[name][one] = estimate


def _by_original(x: FloatArray, y: FloatArray, sample: Sample) -> FloatArray:
    """Return (G, M) Pearson within each original; NaN if a column is constant there."""
    x, y = (column / max(np.abs(column).max(initial=0.0), 1e-300) for column in (x, y))
    size = sample.cluster_of.size
    u, v = _centred(x[:, None], sample), _centred(y, sample)
    squares = [by_group(cells, sample.within, size) for cells in (u * u, v * v)]
    flat = [
        total <= (1e-9 * np.abs(column).max(axis=0, initial=0.0)) ** 2
        for total, column in zip(squares, (x[:, None], y), strict=True)
    ]
    spread = np.sqrt(squares[0]) * np.sqrt(squares[1])
    values = by_group(u * v, sample.within, size) / np.where(flat[0] | flat[1], np.inf, spread)
    return np.where(flat[0] | flat[1], np.nan, values)


def _centred(values: FloatArray, sample: Sample) -> FloatArray:
    sizes = np.bincount(sample.within)[:, None]
    sums = by_group(values, sample.within, sizes.size)
    return np.asarray(values - (sums / sizes)[sample.within])


def ranks_within(values: FloatArray, codes: IntArray) -> FloatArray:
    """Return the (n,) mid-rank of each row within its cluster, up to a constant per cluster."""
    order = np.lexsort((values, codes))
    new = (np.diff(values[order], prepend=np.nan) != 0) | (np.diff(codes[order], prepend=-1) != 0)
    run = np.cumsum(new) - 1
    starts = np.flatnonzero(new)
    middle = starts + (np.diff(np.append(starts, values.size)) - 1) / 2
    ranks = np.empty(values.size)
    ranks[order] = middle[run]
    return ranks


def _orders(sample: Sample) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return, per original, concordant minus discordant pairs (G, M), and the pairs untied in the
    human column (G,) and in each metric (G, M)."""
    groups, m = sample.cluster_of.size, len(sample.names)
    gap, people, machine = np.zeros((groups, m)), np.zeros(groups), np.zeros((groups, m))
    for i, j in cluster_pairs(sample.within):
        x, y = direction(sample.x, i, j), direction(sample.y, i, j)
        of = sample.within[i]
        gap += by_group((x[:, None] * y).astype(np.float64), of, groups)
        people += np.bincount(of, np.abs(x), minlength=groups)
        machine += by_group(np.abs(y).astype(np.float64), of, groups)
    return gap, people, machine
