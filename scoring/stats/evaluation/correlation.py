"""Correlation of a metric with human values over all units.

Inputs are columns over the same units with NaN for missing values; incomplete pairs are omitted.
Undefined for fewer than three units and for constant input. p-values assume independent units;
intervals resample whole clusters if there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import scipy

from paraanno.plain.sentence import Sentence, say
from scoring.stats.estimate import UNITS, Estimate, undefined
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.pairwise import pairwise_accuracy
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, attach
from scoring.stats.significance.kendall import LINEARISED, tau_b_interval
from scoring.stats.significance.paired import Sample, samples, unit_scale, why_not
from scoring.stats.significance.replicates import (
    Kernel,
    Store,
    kendall_kernel,
    pearson_kernel,
    replicate,
    spearman_kernel,
)
from scoring.stats.table import FloatArray, IntArray

__all__ = ["coefficients", "kendall", "pairwise_accuracy", "pearson", "spearman"]

KENDALL_EXACT = 33
KENDALL_BOOTSTRAP = 5000
SIGN_CELLS = 50_000_000
Point = Callable[[FloatArray, FloatArray], Estimate]


def _pearson(x: FloatArray, y: FloatArray) -> Estimate:
    found = scipy.stats.pearsonr(unit_scale(x), unit_scale(y))
    method = say("Pearson, p by t distribution (two-sided)")
    return _estimate(x, method, found.statistic, found.pvalue)


def _spearman(x: FloatArray, y: FloatArray) -> Estimate:
    found = scipy.stats.spearmanr(x, y)
    method = say("Spearman, p by t approximation (two-sided)")
    return _estimate(x, method, found.statistic, found.pvalue)


def _kendall(x: FloatArray, y: FloatArray, variant: str = "b") -> Estimate:
    ties = np.unique(x).size < x.size or np.unique(y).size < y.size
    exact = not ties and x.size <= KENDALL_EXACT
    method = say(
        "Kendall tau-%(variant)s, p %(how)s (two-sided)",
        variant=variant,
        how=say("exact") if exact else say("by normal approximation"),
    )
    found = scipy.stats.kendalltau(x, y, method="exact" if exact else "asymptotic", variant=variant)
    return _estimate(x, method, found.statistic, found.pvalue)


def _kendall_c(x: FloatArray, y: FloatArray) -> Estimate:
    return _kendall(x, y, "c")


def _estimate(x: FloatArray, method: Sentence, value: float, p_value: float) -> Estimate:
    return Estimate(float(value), n=int(x.size), method=method, details={"p_value": float(p_value)})


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

    human, metrics  (n,) columns; clusters  (n,) codes. If `plan` has replicates, intervals are
    percentiles of a cluster bootstrap; above 5,000 units tau-b is linearised and tau-c has none.
    All metrics share the resamples, so their replicates are comparable; `store` keeps those of
    Pearson and Spearman.
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
                    else POINTS[one](sample.x, sample.column(name))
                )
        if defined and plan.replicates:
            _intervals(found, sample.only(defined), names, plan, store or Store())
    return found


def _undefined(reason: Sentence, sample: Sample, name: str) -> Estimate:
    method = catalogue.COEFFICIENTS[name].named
    return undefined(reason, n=sample.n, method=method, details={"p_value": None})


def _intervals(
    found: dict[str, dict[str, Estimate]],
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
    """Return (B, M) replicates of tau-b and tau-c, in blocks of metrics to limit memory."""
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
        no_interval = say("tau is ±1, or too few clusters")
        return replace(estimate, options={**estimate.options, "no_interval": no_interval})
    return estimate.with_interval(
        *interval,
        generalises_to=say(
            "new %(clusters)s", clusters=plan.clusters if sample.clustered else UNITS
        ),
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
    """Return Pearson's r; p by the t distribution; cluster bootstrap interval."""
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
    """Return Kendall's tau-b; p exact for up to 33 units without ties, else normal (see method).

    Cluster bootstrap interval up to 5,000 units, linearised interval above.
    """
    return _single("kendall", human, metric, clusters, plan)
