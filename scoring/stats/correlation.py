"""Metric against human: correlation over all units.

Inputs are columns on the same units with NaN for a missing value; a unit enters where both are
present. Undefined for fewer than three units (two always lie on a line) and for constant input.
p-values take units for independent; the intervals draw whole clusters where there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from scoring.stats.estimate import Estimate, undefined
from scoring.stats.kendall import LINEARISED, tau_b_interval
from scoring.stats.paired import Sample, samples, unit_scale, why_not
from scoring.stats.pairwise import pairwise_accuracy
from scoring.stats.replicates import (
    Kernel,
    Store,
    kendall_kernel,
    pearson_kernel,
    replicate,
    spearman_kernel,
)
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, attach
from scoring.stats.table import FloatArray, IntArray

__all__ = ["coefficients", "kendall", "pairwise_accuracy", "pearson", "spearman"]

KENDALL_EXACT = 33
KENDALL_BOOTSTRAP = 5000
SIGN_CELLS = 50_000_000
Point = Callable[[FloatArray, FloatArray], Estimate]


def _pearson(x: FloatArray, y: FloatArray) -> Estimate:
    found = stats.pearsonr(unit_scale(x), unit_scale(y))
    method = "Pearson, p by t distribution (two-sided)"
    return _estimate(x, method, found.statistic, found.pvalue)


def _spearman(x: FloatArray, y: FloatArray) -> Estimate:
    found = stats.spearmanr(x, y)
    method = "Spearman, p by t approximation (two-sided)"
    return _estimate(x, method, found.statistic, found.pvalue)


def _kendall(x: FloatArray, y: FloatArray, variant: str = "b") -> Estimate:
    ties = np.unique(x).size < x.size or np.unique(y).size < y.size
    exact = not ties and x.size <= KENDALL_EXACT
    method = (
        f"Kendall tau-{variant}, p {'exact' if exact else 'by normal approximation'} (two-sided)"
    )
    found = stats.kendalltau(x, y, method="exact" if exact else "asymptotic", variant=variant)
    return _estimate(x, method, found.statistic, found.pvalue)


def _kendall_c(x: FloatArray, y: FloatArray) -> Estimate:
    return _kendall(x, y, "c")


def _estimate(x: FloatArray, method: str, value: float, p_value: float) -> Estimate:
    return Estimate(float(value), n=int(x.size), method=method, details={"p_value": float(p_value)})


@dataclass(frozen=True)
class _Coefficient:
    """undefined_as is the method that an undefined one names."""

    point: Point
    undefined_as: str


COEFFICIENTS = {
    "pearson": _Coefficient(_pearson, "Pearson"),
    "spearman": _Coefficient(_spearman, "Spearman"),
    "kendall": _Coefficient(_kendall, "Kendall tau-b"),
    "kendall_c": _Coefficient(_kendall_c, "Kendall tau-c"),
}


def coefficients(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    names: Sequence[str] = tuple(COEFFICIENTS),
    store: Store | None = None,
) -> dict[str, dict[str, Estimate]]:
    """{metric: {pearson, spearman, kendall, kendall_c: Estimate}}, or those of `names`.

    human, metrics  (n,) columns; clusters  (n,) codes; intervals where `plan` has replicates:
    percentiles of draws of clusters with replacement, tau beyond 5,000 units by linearisation
    (tau-b alone). All metrics share the draws, so their replicates may be compared:
    `store` keeps those of Pearson and Spearman.
    """
    plan = plan or Bootstrap()
    found: dict[str, dict[str, Estimate]] = {name: {} for name in metrics}
    for sample in samples(human, metrics, clusters):
        defined = []
        for name in sample.names:
            reason = why_not(sample.x, sample.column(name))
            if not reason:
                defined.append(name)
            for one in names:
                found[name][one] = (
                    _undefined(reason, sample, one)
                    if reason
                    else COEFFICIENTS[one].point(sample.x, sample.column(name))
                )
        if defined and plan.replicates:
            _intervals(found, sample.only(defined), names, plan, store or Store())
    return found


def _undefined(reason: str, sample: Sample, name: str) -> Estimate:
    return undefined(
        reason, n=sample.n, method=COEFFICIENTS[name].undefined_as, details={"p_value": None}
    )


def _intervals(
    found: dict[str, dict[str, Estimate]],
    sample: Sample,
    names: Sequence[str],
    plan: Bootstrap,
    store: Store,
) -> None:
    """Put intervals to the estimates of these metrics."""
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
            found[name]["kendall"] = _linearised(
                found[name]["kendall"], sample, sample.column(name), plan
            )
    for one in set(made) & {"pearson", "spearman"}:
        store.keep(one, sample, made[one])
    for one in set(made) & set(names):
        for place, name in enumerate(sample.names):
            found[name][one] = attach(
                found[name][one], made[one][:, place], plan, sample.groups, sample.clustered
            )


def _taus(sample: Sample, plan: Bootstrap) -> tuple[FloatArray, FloatArray]:
    """(B, M) replicates of tau-b and tau-c, for as many metrics at a time as memory allows."""
    step = max(1, SIGN_CELLS // sample.groups**2)
    parts = []
    for start in range(0, len(sample.names), step):
        kernel = kendall_kernel(sample.only(sample.names[start : start + step]))
        made = replicate({"taus": kernel}, plan, sample.groups, sample.n)["taus"]
        parts.append(np.hsplit(made, 2))
    return np.hstack([b for b, _ in parts]), np.hstack([c for _, c in parts])


def _linearised(estimate: Estimate, sample: Sample, y: FloatArray, plan: Bootstrap) -> Estimate:
    interval = tau_b_interval(sample.x, y, sample.codes, sample.groups)
    if interval is None or sample.groups < LEAST_GROUPS:
        no_interval = "a perfect order, or too few clusters"
        return replace(estimate, options={**estimate.options, "no_interval": no_interval})
    return estimate.with_interval(
        *interval,
        generalises_to=f"new {plan.clusters if sample.clustered else 'units'}",
        options={"interval": LINEARISED},
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
    """Pearson's r; p by the t distribution; interval by drawing clusters."""
    return _single("pearson", human, metric, clusters, plan)


def spearman(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Spearman's rho on mid-ranks; p by the t approximation; ranks anew in every replicate."""
    return _single("spearman", human, metric, clusters, plan)


def kendall(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Kendall's tau-b; p exact for up to 33 units without ties, else normal (said in method).

    Interval by drawing clusters up to 5,000 units, by linearisation beyond.
    """
    return _single("kendall", human, metric, clusters, plan)
