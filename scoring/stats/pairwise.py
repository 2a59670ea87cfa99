"""Which of two paraphrases of one original is better: does a metric say what the humans say?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from scoring.stats.counts import ratio
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.paired import Sample, samples
from scoring.stats.resampling import Bootstrap, attach, draws, even
from scoring.stats.table import FloatArray, IntArray

MOST_PAIRS = 200_000_000
PAIR_CELLS = 4_000_000
NONE_TOLD = "undefined: humans tell no pair apart"
TOO_MANY = f"undefined: over {MOST_PAIRS:,} pairs; name the column of the clusters"
HALF = "that humans tell apart, half credit for a tie of the metric"


@dataclass(frozen=True, eq=False)
class PairDecisions:
    """Pairs that the humans told apart, and how M metrics ordered them.

    pairs        (G,) per cluster
    right, tied  (G, M) of them ordered alike, and tied by the metric
    only         (M, M) pairs that the metric of the row alone ordered alike
    """

    pairs: FloatArray
    right: FloatArray
    tied: FloatArray
    only: FloatArray

    @property
    def credit(self) -> FloatArray:
        """(G, M) a tie of the metric counts half."""
        return self.right + self.tied / 2


def cluster_pairs(codes: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """All pairs of rows within a cluster, one block per distance after sorting by cluster."""
    order = np.argsort(codes, kind="stable")
    largest = int(np.bincount(codes).max(initial=0))
    sorted_codes = codes[order]
    for step in range(1, largest):
        row = np.flatnonzero(sorted_codes[step:] == sorted_codes[:-step])
        yield order[row], order[row + step]


def direction(values: FloatArray, i: IntArray, j: IntArray) -> IntArray:
    """-1, 0 or 1: how values[i] compares with values[j]; rounding noise is a tie.

    values  (n,) or (n, M)
    """
    difference = values[i] - values[j]
    noise = 1e-9 * np.abs(values).max(axis=0, initial=0.0)
    return np.asarray((difference > noise).astype(np.int8) - (difference < -noise))


def number_of_pairs(codes: IntArray) -> int:
    """Pairs of rows within a cluster."""
    sizes = np.bincount(codes)
    return int((sizes * (sizes - 1) // 2).sum())


def one_cluster(sample: Sample) -> IntArray:
    """The codes within which pairs are made: all rows are one cluster where none were given."""
    return sample.codes if sample.clustered else np.zeros(sample.n, dtype=np.int64)


def pair_decisions(human: FloatArray, metrics: FloatArray, codes: IntArray) -> PairDecisions:
    """human (n,), metrics (n, M), codes (n,) from 0 on; no missing values."""
    groups, m = int(codes.max(initial=-1)) + 1, metrics.shape[1]
    pairs, right, tied = np.zeros(groups), np.zeros((groups, m)), np.zeros((groups, m))
    only = np.zeros((m, m))
    step = max(1, PAIR_CELLS // max(m, 1))
    for i_all, j_all in cluster_pairs(codes):
        people = direction(human, i_all, j_all)
        told = np.flatnonzero(people)
        for start in range(0, told.size, step):
            part = told[start : start + step]
            i, j = i_all[part], j_all[part]
            machine = direction(metrics, i, j)
            alike = machine == people[part, None]
            of = codes[i]
            pairs += np.bincount(of, minlength=groups)
            for place in range(m):
                right[:, place] += np.bincount(of[alike[:, place]], minlength=groups)
                tied[:, place] += np.bincount(of[machine[:, place] == 0], minlength=groups)
            yes = alike.astype(np.float32)
            only += (yes.T @ (1 - yes)).astype(np.float64)
    return PairDecisions(pairs, right, tied, only)


def accuracies(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Estimate]:
    """{metric: share of pairs within an original that it orders as the humans do}.

    Pairs that the humans tie are left out. A tie of the metric counts half: that is what guessing
    would earn, so a coarse metric is not punished and .5 is chance. `details` has `strict`, where
    such a tie is wrong, and `mean_over_originals`, the mean of the shares of the originals with a
    pair (each original weighs the same, in place of each pair). Without clusters all rows are one
    cluster, and there is no interval. n counts pairs. Compare White 2012; Deutsch, Foster and
    Freitag 2023.
    """
    plan = plan or Bootstrap()
    found: dict[str, Estimate] = {}
    for sample in samples(human, metrics, clusters):
        codes = one_cluster(sample)
        where = "pairs within a cluster" if sample.clustered else "all pairs of units"
        method = f"{where} {HALF}"
        details = {"strict": None, "mean_over_originals": None, "originals": None}
        if number_of_pairs(codes) > MOST_PAIRS:
            none = undefined(TOO_MANY, method=method, details=details)
            found |= dict.fromkeys(sample.names, none)
            continue
        decisions = pair_decisions(sample.x, sample.y, codes)
        if not decisions.pairs.sum():
            none = undefined(NONE_TOLD, method=method, details=details)
            found |= dict.fromkeys(sample.names, none)
            continue
        found |= _of_sample(sample, decisions, method, plan)
    return {name: found[name] for name in metrics}


def _of_sample(
    sample: Sample, decisions: PairDecisions, method: str, plan: Bootstrap
) -> dict[str, Estimate]:
    total = float(decisions.pairs.sum())
    some = decisions.pairs > 0
    share = ratio(decisions.credit, decisions.pairs[:, None])[some].mean(axis=0)
    replicates = None
    if sample.clustered and plan.replicates:
        blocks = draws(plan, some.size, even(some.size))
        replicates = np.concatenate(
            [ratio(b @ decisions.credit, (b @ decisions.pairs)[:, None]) for b in blocks]
        )
    found = {}
    for place, name in enumerate(sample.names):
        estimate = Estimate(
            float(decisions.credit[:, place].sum()) / total,
            n=int(total),
            method=method,
            details={
                "strict": float(decisions.right[:, place].sum()) / total,
                "mean_over_originals": float(share[place]) if sample.clustered else None,
                "originals": int(some.sum()) if sample.clustered else None,
            },
        )
        if replicates is not None:
            estimate = attach(estimate, replicates[:, place], plan, some.size, clustered=True)
        found[name] = estimate
    return found


def pairwise_accuracy(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """The accuracy of one metric: see `accuracies`."""
    return accuracies(human, {"metric": metric}, clusters, plan)["metric"]
