"""Correlation of metric and human values within originals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from paraanno.plain.sentence import Sentence, say
from scoring.stats.counts import ratio
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.pairwise import MOST_PAIRS, cluster_pairs, direction, number_of_pairs
from scoring.stats.resampling import Bootstrap, attach, draws, even
from scoring.stats.significance.paired import LEAST_UNITS, Sample, by_group, samples
from scoring.stats.table import FloatArray, IntArray

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
) -> dict[str, dict[str, Estimate]]:
    """Return {metric: {pearson, spearman, kendall, kendall_pooled: Estimate}}.

    The first three are unweighted means over originals with at least three complete units and
    variation in both columns; n counts these originals. kendall_pooled pools all pairs within
    originals; n counts pairs. Intervals resample originals.
    """
    plan = plan or Bootstrap()
    found: dict[str, dict[str, Estimate]] = {}
    for sample in samples(human, metrics, clusters):
        found |= _of_sample(sample, plan)
    return {name: found[name] for name in metrics}


def _of_sample(sample: Sample, plan: Bootstrap) -> dict[str, dict[str, Estimate]]:
    found: dict[str, dict[str, Estimate]] = {name: {} for name in sample.names}
    if number_of_pairs(sample.codes) > MOST_PAIRS:
        for name in sample.names:
            found[name] = {one: undefined(TOO_MANY, method=m) for one, m in METHODS.items()}
        return found
    gap, people, machine = _orders(sample)
    small = np.bincount(sample.codes, minlength=sample.groups) < LEAST_UNITS
    ranks_x, ranks_y = ranks_within(sample.x, sample.codes), np.empty(sample.y.shape)
    for place, column in enumerate(sample.y.T):
        ranks_y[:, place] = ranks_within(column, sample.codes)
    taus = ratio(gap, np.sqrt(people[:, None] * machine))
    each = {
        "pearson": _by_original(sample.x, sample.y, sample),
        "spearman": _by_original(ranks_x, ranks_y, sample),
        "kendall": taus,
    }
    drawn_at_all = plan.replicates and sample.groups
    blocks = list(draws(plan, sample.groups, even(sample.groups))) if drawn_at_all else []
    for one, values in each.items():
        values[small] = np.nan
        there, filled = (~np.isnan(values)).astype(np.float64), np.nan_to_num(values)
        made = [ratio(drawn @ filled, drawn @ there) for drawn in blocks]
        mean = ratio(filled.sum(axis=0), there.sum(axis=0))
        _put(found, sample, one, mean, there.sum(axis=0), METHODS[one], made, plan)
    pooled = ratio(gap.sum(axis=0), np.sqrt(people.sum() * machine.sum(axis=0)))
    made = [ratio(d @ gap, np.sqrt((d @ people)[:, None] * (d @ machine))) for d in blocks]
    n = np.full(len(sample.names), number_of_pairs(sample.codes))
    _put(found, sample, "kendall_pooled", pooled, n, POOLED, made, plan)
    return found


def _put(
    found: dict[str, dict[str, Estimate]],
    sample: Sample,
    one: str,
    values: FloatArray,
    n: FloatArray | IntArray,
    method: Sentence,
    made: list[FloatArray],
    plan: Bootstrap,
) -> None:
    replicates = np.concatenate(made) if made else None
    for place, name in enumerate(sample.names):
        if np.isnan(values[place]):
            found[name][one] = undefined(NO_ORIGINAL, method=method)
            continue
        estimate = Estimate(float(values[place]), n=int(n[place]), method=method)
        if replicates is not None:
            estimate = attach(estimate, replicates[:, place], plan, sample.groups, clustered=True)
        found[name][one] = estimate


def _by_original(x: FloatArray, y: FloatArray, sample: Sample) -> FloatArray:
    """Return (G, M) Pearson within each original; NaN if a column is constant there."""
    x, y = (column / max(np.abs(column).max(initial=0.0), 1e-300) for column in (x, y))
    u, v = _centred(x[:, None], sample), _centred(y, sample)
    squares = [sample.by_group(cells) for cells in (u * u, v * v)]
    flat = [
        total <= (1e-9 * np.abs(column).max(axis=0, initial=0.0)) ** 2
        for total, column in zip(squares, (x[:, None], y), strict=True)
    ]
    spread = np.sqrt(squares[0]) * np.sqrt(squares[1])
    found = sample.by_group(u * v) / np.where(flat[0] | flat[1], np.inf, spread)
    return np.where(flat[0] | flat[1], np.nan, found)


def _centred(values: FloatArray, sample: Sample) -> FloatArray:
    sizes = np.bincount(sample.codes, minlength=sample.groups)[:, None]
    return np.asarray(values - (sample.by_group(values) / sizes)[sample.codes])


def ranks_within(values: FloatArray, codes: IntArray) -> FloatArray:
    """Return the (n,) mid-rank of each row within its cluster, up to a constant per cluster."""
    order = np.lexsort((values, codes))
    new = (np.diff(values[order], prepend=np.nan) != 0) | (np.diff(codes[order], prepend=-1) != 0)
    run = np.cumsum(new) - 1
    starts = np.flatnonzero(new)
    middle = starts + (np.diff(np.append(starts, values.size)) - 1) / 2
    found = np.empty(values.size)
    found[order] = middle[run]
    return found


def _orders(sample: Sample) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return, per original, concordant minus discordant pairs (G, M), and the pairs untied in the
    human column (G,) and in each metric (G, M)."""
    groups, m = sample.groups, len(sample.names)
    gap, people, machine = np.zeros((groups, m)), np.zeros(groups), np.zeros((groups, m))
    for i, j in cluster_pairs(sample.codes):
        x, y = direction(sample.x, i, j), direction(sample.y, i, j)
        of = sample.codes[i]
        gap += by_group((x[:, None] * y).astype(np.float64), of, groups)
        people += np.bincount(of, np.abs(x), minlength=groups)
        machine += by_group(np.abs(y).astype(np.float64), of, groups)
    return gap, people, machine
