"""Pairwise accuracy: does a metric order two paraphrases of one original as humans do?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.evaluation import catalogue
from scoring.stats.intervals import Bootstrap, Form, attach, weights, without_interval
from scoring.stats.resampling import ratio
from scoring.stats.significance.paired import Sample, samples
from scoring.stats.table import BoolArray, Estimate, FloatArray, IntArray, undefined

MOST_PAIRS = 200_000_000
PAIR_CELLS = 4_000_000
NO_PAIR = say("undefined: no pair of units")
NO_CLUSTERS = say("no interval without the column of the originals")
SAME_PAIRS = say("no interval: epsilon is chosen on the same pairs")
NONE_TOLD = say("undefined: humans tie every pair")
TOO_MANY = say("undefined: over %(n)s pairs; name the column of the clusters", n=f"{MOST_PAIRS:,}")


@dataclass(frozen=True, eq=False)
class PairDecisions:
    """Pairs not tied by humans, and how M metrics ordered them.

    pairs        (G,) number of pairs per cluster
    right, tied  (G, M) number of them ordered as by humans, and tied by the metric
    only         (M, M) number of pairs correct by the row's metric but not by the column's
    """

    pairs: FloatArray
    right: FloatArray
    tied: FloatArray
    only: FloatArray

    @property
    def credit(self) -> FloatArray:
        """(G, M) number of correct pairs, a metric tie counting half."""
        return self.right + self.tied / 2

    def by_cluster(self, sample: Sample) -> PairDecisions:
        """Return the decisions within items summed by cluster of the sample."""
        if not sample.clustered:
            return self
        right, tied = sample.by_cluster(self.right), sample.by_cluster(self.tied)
        pairs = sample.by_cluster(self.pairs[:, None])[:, 0]
        return PairDecisions(pairs, right, tied, self.only)


def cluster_pairs(codes: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield all pairs of rows within clusters, one block per distance after sorting by cluster."""
    order = np.argsort(codes, kind="stable")
    largest = int(np.bincount(codes).max(initial=0))
    sorted_codes = codes[order]
    for step in range(1, largest):
        row = np.flatnonzero(sorted_codes[step:] == sorted_codes[:-step])
        yield order[row], order[row + step]


def direction(values: FloatArray, i: IntArray, j: IntArray) -> IntArray:
    """Return the sign of values[i] - values[j], 0 for differences within rounding error, and where
    one of the two is NaN.

    values  (n,) or (n, M)
    """
    difference = values[i] - values[j]
    noise = 1e-9 * np.fmax.reduce(np.abs(values), axis=0, initial=0.0)
    return np.asarray((difference > noise).astype(np.int8) - (difference < -noise))


@dataclass(frozen=True, eq=False)
class Majority:
    """Which text of a pair most annotators with a preference prefer (White 2012, section 4).

    An annotator prefers the text that he or she gave the greater value, and has a preference only
    among texts that he or she judged both.

    annotator, unit, given   (J,) the value that an annotator gave to a text, greater is better
    value                    (T,) gold: pairs of texts that nobody judged (whose gold was imported)
                             follow it
    """

    annotator: IntArray
    unit: IntArray
    given: FloatArray
    value: FloatArray

    def __call__(self, a: IntArray, b: IntArray) -> IntArray:
        """Return the (P,) directions of pairs: 1 for a, -1 for b, 0 for a tie."""
        votes, voters = np.zeros(a.size), np.zeros(a.size)
        for values in self._by_annotator():
            gap = values[a] - values[b]
            both = ~np.isnan(gap)
            votes[both] += np.sign(np.where(np.abs(gap[both]) > 1e-9, gap[both], 0.0))
            voters += both
        judged = np.zeros(self.value.size, dtype=bool)
        judged[self.unit] = True
        nobody = (voters == 0) & ~judged[a] & ~judged[b]
        directions = np.where(nobody, direction(self.value, a, b), np.sign(votes))
        return np.asarray(directions, dtype=np.int64)

    def _by_annotator(self) -> Iterator[FloatArray]:
        """The (T,) values of each annotator, NaN where missing."""
        order = np.argsort(self.annotator, kind="stable")
        starts = np.flatnonzero(np.diff(self.annotator[order], prepend=-1))
        for rows in np.split(order, starts[1:]) if order.size else []:
            values = np.full(self.value.size, np.nan)
            values[self.unit[rows]] = self.given[rows]
            yield values


def number_of_pairs(codes: IntArray) -> int:
    """Count the pairs of rows within clusters."""
    sizes = np.bincount(codes)
    return int((sizes * (sizes - 1) // 2).sum())


def why_undecided(every: int) -> Sentence:
    """Why there is no decision of people among `every` pair within clusters."""
    if every > MOST_PAIRS:
        return TOO_MANY
    return NONE_TOLD if every else NO_PAIR


def one_cluster(sample: Sample) -> IntArray:
    """Return the codes of what pairs stay within; without clusters all rows form one."""
    return sample.within if sample.clustered else np.zeros(sample.n, dtype=np.int64)


def pair_decisions(
    human: FloatArray,
    metrics: FloatArray,
    codes: IntArray,
    prefer: Callable[[IntArray, IntArray], IntArray] | None = None,
) -> PairDecisions:
    """Count pair decisions. human (n,), metrics (n, M), codes (n,) from 0; no missing values.

    `prefer` gives the directions of people for rows i and j; default: those of `human`.
    """
    groups, m = int(codes.max(initial=-1)) + 1, metrics.shape[1]
    pairs, right, tied = np.zeros(groups), np.zeros((groups, m)), np.zeros((groups, m))
    only = np.zeros((m, m))
    step = max(1, PAIR_CELLS // max(m, 1))
    for i_all, j_all in cluster_pairs(codes):
        people = direction(human, i_all, j_all) if prefer is None else prefer(i_all, j_all)
        untied = np.flatnonzero(people)
        for start in range(0, untied.size, step):
            part = untied[start : start + step]
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
    items: IntArray | None = None,
) -> dict[str, Estimate]:
    """Return {metric: share of pairs within an original ordered as by humans}.

    Originals are the `items`, by default the clusters, by which the intervals are.

    Pairs tied by humans are omitted. A metric tie counts half, the expected score of guessing, so
    that chance is .5. `details` has `strict`, where a metric tie is wrong, and
    `mean_over_originals`, where originals rather than pairs have equal weight. Without clusters all
    rows form one cluster, and there is no interval. n counts pairs. Compare White 2012; Deutsch,
    Foster and Freitag 2023.
    """
    estimates: dict[str, Estimate] = {}
    for sample in samples(human, metrics, clusters, items):
        codes = one_cluster(sample)
        where = say("pairs within a cluster") if sample.clustered else say("all pairs of units")
        method = say("%(pairs)s not tied by humans, half credit for a metric tie", pairs=where)
        details = {"strict": None, "mean_over_originals": None, "originals": None}
        every = number_of_pairs(codes)
        decisions = None if every > MOST_PAIRS else pair_decisions(sample.x, sample.y, codes)
        if decisions is None or not decisions.pairs.sum():
            none = undefined(why_undecided(every), method=method, details=details)
            estimates |= dict.fromkeys(sample.names, none)
            continue
        estimates |= _of_sample(sample, decisions, method, plan)
    return {name: estimates[name] for name in metrics}


def shares_by_cluster(
    estimates: Sequence[Estimate],
    top: FloatArray,
    bottom: FloatArray,
    plan: Bootstrap | None,
    *,
    clustered: bool,
    form: Form = "logit",
) -> list[Estimate]:
    """Return the estimates of sum(top) / sum(bottom) with their intervals by cluster.

    top  (G, M), bottom  (G,) by cluster; clusters with bottom 0 do not count
    """
    if plan is None:
        return list(estimates)
    if not clustered:
        return [without_interval(one, NO_CLUSTERS) for one in estimates]
    blocks = weights(plan, bottom.size)
    made = np.concatenate([ratio(block @ top, (block @ bottom)[:, None]) for block in blocks])
    return [
        attach(
            one,
            made[:, place],
            plan,
            bottom.size,
            clustered=True,
            form=form,
            ends=(-1.0, 1.0),
            contributing=bottom > 0,
        )
        for place, one in enumerate(estimates)
    ]


def _of_sample(
    sample: Sample, decisions: PairDecisions, method: Sentence, plan: Bootstrap | None
) -> dict[str, Estimate]:
    total = float(decisions.pairs.sum())
    some = decisions.pairs > 0
    share = ratio(decisions.credit, decisions.pairs[:, None])[some].mean(axis=0)
    estimates = {}
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
        estimates[name] = estimate
    own = decisions.by_cluster(sample)
    shown = shares_by_cluster(
        list(estimates.values()), own.credit, own.pairs, plan, clustered=sample.clustered
    )
    return dict(zip(estimates, shown, strict=True))


def pairwise_accuracy(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Return the pairwise accuracy of one metric: see `accuracies`."""
    return accuracies(human, {"metric": metric}, clusters, plan)["metric"]


# Pairwise accuracy with credit for correct ties, and the tie threshold of a metric.
#
# Source: Deutsch, Foster and Freitag 2023. A pair is correct if humans and metric agree on better,
# worse or tied; |difference| <= epsilon counts as a metric tie. Epsilon is calibrated to maximise
# accuracy: on the evaluated pairs (as in the source, hence optimistic), or on other originals
# (cross-fitted).


MOST_TIED = 20_000_000
FOLDS = 5
NAMES = tuple(key for key in catalogue.at("further") if key.startswith("acc_eq"))
FEW_FOLDS = say("undefined: needs two folds with pairs")
ACC_EQ_TOO_MANY = say(
    "undefined: over %(n)s pairs; name the column of the clusters", n=f"{MOST_TIED:,}"
)


@dataclass(frozen=True, eq=False)
class TieCounts:
    """Sorted absolute differences of a metric: of pairs ordered as by humans, and of pairs tied by
    humans; `total` counts all pairs."""

    right: FloatArray
    tied: FloatArray
    total: int

    def accuracy(self, epsilon: float) -> float:
        ties = np.searchsorted(self.tied, epsilon, side="right")
        lost = np.searchsorted(self.right, epsilon, side="right")
        return float(ties + self.right.size - lost) / self.total

    def best(self) -> float:
        """Return the smallest epsilon with maximal accuracy.

        Candidates are 0 and the differences of pairs tied by humans: between two of those the
        accuracy cannot increase.
        """
        candidates = np.concatenate([[0.0], self.tied])
        ties = np.searchsorted(self.tied, candidates, side="right")
        lost = np.searchsorted(self.right, candidates, side="right")
        return float(candidates[np.argmax(ties - lost)])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """All pairs: human direction, absolute metric difference, concordance, folds of both units,
    cluster."""

    people: IntArray
    size: FloatArray
    alike: BoolArray
    first: IntArray
    second: IntArray
    cluster: IntArray

    def correct(self, epsilon: FloatArray | float) -> BoolArray:
        """Which pairs people and metric agree on, differences up to epsilon being ties."""
        tied = self.size <= epsilon
        return np.asarray(np.where(self.people == 0, tied, self.alike & ~tied))

    def shown(
        self,
        estimate: Estimate,
        epsilon: FloatArray | float,
        plan: Bootstrap | None,
        *,
        clustered: bool,
        used: BoolArray | None = None,
    ) -> Estimate:
        """Return the share of correct pairs (of those `used`) with its interval by cluster."""
        size = int(self.cluster.max(initial=-1)) + 1
        each = np.ones(self.cluster.size) if used is None else used.astype(np.float64)
        top, bottom = (
            np.bincount(self.cluster, one, minlength=size).astype(np.float64)
            for one in (each * self.correct(epsilon), each)
        )
        return shares_by_cluster([estimate], top[:, None], bottom, plan, clustered=clustered)[0]

    def counts(self, chosen: BoolArray) -> TieCounts:
        tied = chosen & (self.people == 0)
        right = chosen & self.alike & (self.people != 0)
        return TieCounts(np.sort(self.size[right]), np.sort(self.size[tied]), int(chosen.sum()))


def tie_accuracies(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    items: IntArray | None = None,
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> dict[str, dict[str, Estimate]]:
    """Return {metric: {acc_eq, acc_eq_calibrated, acc_eq_crossfit}}; n counts pairs.

    Originals are the `items`, by default the clusters, by which the intervals are. That of
    acc_eq_crossfit holds the epsilons fixed; acc_eq_calibrated has none.

    Uses pairs within an original; without clusters all pairs of units. acc_eq has epsilon 0;
    `details.epsilon` is the calibrated epsilon, for acc_eq_crossfit a list over folds. Folds are
    random partitions of the clusters (without any: of the units); epsilon is calibrated on pairs
    outside a fold and evaluated on pairs inside it.
    """
    estimates: dict[str, dict[str, Estimate]] = {}
    for sample in samples(human, metrics, clusters, items):
        codes = one_cluster(sample)
        n = number_of_pairs(codes)
        reason = NO_PAIR if n == 0 else ACC_EQ_TOO_MANY if n > MOST_TIED else NOTHING
        if reason:
            none = undefined(reason, method=say("accuracy with ties"), details={"epsilon": None})
            estimates |= {name: dict.fromkeys(NAMES, none) for name in sample.names}
            continue
        estimates |= _acc_eq_of_sample(sample, codes, folds, seed, plan)
    return {name: estimates[name] for name in metrics}


def _acc_eq_of_sample(
    sample: Sample, codes: IntArray, folds: int, seed: int, plan: Bootstrap | None
) -> dict[str, dict[str, Estimate]]:
    # By cluster, not item: a paraphrase recurs in the items of its phrase.
    fold = np.random.default_rng(seed).permutation(sample.groups) % max(folds, 2)
    of = fold[sample.codes]
    i, j = (np.concatenate(side) for side in zip(*cluster_pairs(codes), strict=True))
    people = direction(sample.x, i, j)
    where = say("pairs within a cluster") if sample.clustered else say("all pairs of units")
    estimates = {}
    for place, name in enumerate(sample.names):
        column = sample.y[:, place]
        # Round to 1e-12 of the largest value, so that differences equal up to rounding are equal.
        step = 1e-12 * (float(np.abs(column).max()) or 1.0)
        size = np.round(np.abs(column[i] - column[j]) / step) * step
        machine = direction(column, i, j)
        size[machine == 0] = 0.0
        pairs = _Pairs(people, size, machine == people, of[i], of[j], sample.codes[i])
        estimates[name] = _estimates(pairs, where, seed, plan, clustered=sample.clustered)
    return estimates


def _estimates(
    pairs: _Pairs, where: Sentence, seed: int, plan: Bootstrap | None, *, clustered: bool
) -> dict[str, Estimate]:
    every = pairs.counts(np.ones(pairs.people.size, dtype=bool))
    best = every.best()
    plain = say("%(pairs)s, accuracy with credit for correct ties", pairs=where)
    return {
        "acc_eq": pairs.shown(
            Estimate(every.accuracy(0.0), n=every.total, method=plain, details={"epsilon": 0.0}),
            0.0,
            plan,
            clustered=clustered,
        ),
        "acc_eq_calibrated": without_interval(
            Estimate(
                every.accuracy(best),
                n=every.total,
                method=say("%(method)s, epsilon calibrated on the same pairs", method=plain),
                details={"epsilon": best},
            ),
            SAME_PAIRS,
        ),
        "acc_eq_crossfit": _crossfit(pairs, plain, seed, plan, clustered=clustered),
    }


def _crossfit(
    pairs: _Pairs, plain: str, seed: int, plan: Bootstrap | None, *, clustered: bool
) -> Estimate:
    method = say("%(method)s, epsilon calibrated on other folds", method=plain)
    right, total, chosen = 0.0, 0, []
    epsilons = np.full(pairs.size.size, np.nan)
    for fold in range(int(pairs.first.max(initial=-1)) + 1):
        inside = pairs.counts((pairs.first == fold) & (pairs.second == fold))
        outside = pairs.counts((pairs.first != fold) & (pairs.second != fold))
        if not inside.total or not outside.total:
            continue
        epsilon = outside.best()
        chosen.append(epsilon)
        epsilons[(pairs.first == fold) & (pairs.second == fold)] = epsilon
        right += inside.accuracy(epsilon) * inside.total
        total += inside.total
    if len(chosen) < 2:
        return undefined(FEW_FOLDS, method=method, details={"epsilon": None})
    estimate = Estimate(
        right / total,
        n=total,
        method=method,
        seed=seed,
        options={"folds": len(chosen)},
        details={"epsilon": chosen},
    )
    used = ~np.isnan(epsilons)
    return pairs.shown(estimate, np.nan_to_num(epsilons), plan, clustered=clustered, used=used)
