"""Permutation tests between metrics, swapping the values of two metrics in whole clusters.

Sources: Yeh 2000; Deutsch, Dror and Roth 2021 (PERM-BOTH), here by cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase

import numpy as np

from paraanno.common.progress import done
from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.intervals import LEAST_CLUSTERS
from scoring.stats.significance.paired import Sample, mid_ranks, standard
from scoring.stats.table import BoolArray, FloatArray, IntArray, chi2_above, heads_at_most

BLOCK_CELLS = 2_000_000
CACHED_CELLS = 25_000  # Of pairs times swaps: five such arrays fit into the cache of a processor.
FLAT_SPREAD = 1e-9
MOST_EXACT = 13  # Maximum clusters for an exact test: all 8,192 swaps are enumerated.
FEW_CLUSTERS = say("undefined: needs two clusters to swap")


@dataclass(frozen=True, eq=False)
class Swapped:
    """(P,) p-values and differences of pairs; number of swaps, and whether all were enumerated."""

    p_value: FloatArray
    difference: FloatArray
    swaps: int
    all_of_them: bool


def swap_correlations(
    sample: Sample, pairs: IntArray, *, ranked: bool, permutations: int, seed: int
) -> Swapped:
    """Test |r(human, A) - r(human, B)| by swapping A and B in random clusters.

    sample   non-constant columns, at least two clusters; pairs  (P, 2) positions of the metrics
    ranked   Spearman: mid-ranks are computed once and swapped, not re-ranked after each swap
             (the test is valid for any statistic of the swapped values)
    Columns are standardised, then swapped by cluster with probability 1/2; all pairs share the
    swaps. Up to 13 clusters the test is exact; above, p = (1 + count) / (permutations + 1), so
    never 0.
    """
    human, metrics = sample.x, sample.y
    if ranked:
        human, metrics = mid_ranks(human), mid_ranks(metrics)
    h, a = standard(human), standard(metrics)
    n, m = a.shape
    cells = sample.by_group(np.hstack([h[:, None] * a, a, a * a]))
    first, second = pairs.T
    products, _, squares = cells.sum(axis=0).reshape(3, m)
    r = products / np.sqrt(n * squares)
    difference = r[first] - r[second]
    count, swaps = np.zeros(first.size), 0
    for chosen in _patterns(sample.groups, permutations, seed, 6 * max(first.size, m)):
        moved = np.ascontiguousarray((chosen @ cells).T).reshape(3, m, -1)
        step = max(1, CACHED_CELLS // chosen.shape[0])
        for start in range(0, first.size, step):
            part = slice(start, start + step)
            gap = _gap_after_swap(products, moved, first[part], second[part], n)
            far = gap >= np.abs(difference[part])[:, None] - 1e-12
            count[part] += np.count_nonzero(far, axis=1)
        swaps += chosen.shape[0]
        done(swaps / (2**sample.groups if sample.groups <= MOST_EXACT else permutations))
    exact = sample.groups <= MOST_EXACT
    p_value = count / swaps if exact else (1 + count) / (swaps + 1)
    return Swapped(p_value, difference, swaps, exact)


def _gap_after_swap(
    products: FloatArray, moved: FloatArray, first: IntArray, second: IntArray, n: int
) -> FloatArray:
    """Return (P, b) absolute differences of r of the pairs of columns after b swaps.

    products  (m,) sums of h*a, h and all columns a standardised
    moved     (3, m, b) sums of h*a, a and a^2 over the swapped clusters
    What one column of a pair gains the other loses, so that the sums of a become d and -d, and
    those of squares n + e and n - e.
    """
    gained, d, e = np.take(moved, second, axis=1) - np.take(moved, first, axis=1)
    np.multiply(e, n, out=e)
    np.multiply(d, d, out=d)
    left = gained + products[first][:, None]
    right = np.subtract(products[second][:, None], gained, out=gained)
    spread = n * n + e
    spread -= d
    left /= _root(spread)
    np.subtract(n * n - d, e, out=spread)
    right /= _root(spread)
    left -= right
    return np.asarray(np.abs(left, out=left))


def _root(spread: FloatArray) -> FloatArray:
    """Return the roots in place; infinity where a column has become constant, so that r is 0."""
    np.maximum(spread, 0, out=spread)
    np.sqrt(spread, out=spread)
    if spread.min() <= FLAT_SPREAD:
        spread[spread <= FLAT_SPREAD] = np.inf
    return spread


def _patterns(groups: int, permutations: int, seed: int, width: int) -> Iterator[FloatArray]:
    """Yield (b, G) blocks of 1 (swapped) and 0: all patterns for few clusters, else random."""
    step = max(1, BLOCK_CELLS // max(groups, width))
    if groups <= MOST_EXACT:
        numbers = np.arange(2**groups)
        for start in range(0, numbers.size, step):
            block = numbers[start : start + step, None] >> np.arange(groups)
            yield (block & 1).astype(np.float64)
        return
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, step):
        size = (min(step, permutations - start), groups)
        yield rng.integers(0, 2, size=size, dtype=np.int8).astype(np.float64)


# Simultaneous tests of many paired differences, and rank intervals: max-T with sign flips.
#
# All pairs share one random sign for each cluster, so the largest of their statistics is compared
# with the largest in each draw. That keeps the error of the family without dividing the level by
# the number of pairs, and needs no more draws for many pairs.
#
# Sources: Westfall and Young 1993 and Romano and Wolf 2005 for the step-down; Mogstad, Romano,
# Shaikh and Wilhelm 2024 for directions and ranks. They draw from centred differences; sign flips
# of the differences themselves (Fisher 1935) keep the level with few clusters too, where centred
# ones reject up to three times too often (docs/gold-and-results.md).


SLACK = 1e-9


def max_t(
    total: FloatArray, there: BoolArray, *, permutations: int = 10_000, seed: int = 0
) -> list[float | None]:
    """Return a two-sided p-value for each pair, adjusted over all pairs by step-down max-T.

    total, there  (P, G) as for `sign_flip`. None for a pair with fewer than two clusters.
    The statistic of a pair is its sum divided by the root of the sum of squares, which is one to
    one with Student's t. A rejected pair stays in the family in the direction not found, so that
    the family of both directions keeps its level (as in Mogstad et al.). Up to 13 clusters all sign
    patterns are gone through.
    """
    tested = np.flatnonzero(there.sum(axis=1) >= 2)
    adjusted: list[float | None] = [None] * total.shape[0]
    if not tested.size:
        return adjusted
    z = _scaled(total[tested])
    observed = z.sum(axis=1)
    order = np.argsort(-np.abs(observed), kind="stable")
    turned = z[order] * np.where(observed[order] < 0, -1.0, 1.0)[:, None]
    least = np.abs(observed[order]) - SLACK
    count, draws = np.zeros(order.size), 0
    for signs in _signs(total.shape[1], order.size, permutations, seed):
        drawn = signs @ turned.T
        # The largest of the pairs that are no further from 0, in either direction, and of all
        # others in the direction that was not found.
        largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        np.maximum(largest, (-drawn).max(axis=1, keepdims=True), out=largest)
        count += (largest >= least).sum(axis=0)
        draws += signs.shape[0]
    exact = total.shape[1] <= MOST_EXACT
    p_value = np.maximum.accumulate(count / draws if exact else (1 + count) / (1 + draws))
    for place, p in zip(tested[order].tolist(), p_value.tolist(), strict=True):
        adjusted[place] = p
    return adjusted


def _scaled(total: FloatArray) -> FloatArray:
    """Divide each row by the root of its sum of squares; exact ties stay 0."""
    largest = np.abs(total).max(axis=1, keepdims=True)
    rows = np.divide(total, largest, out=np.zeros(total.shape), where=largest > 0)
    norm = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(rows, norm, out=rows, where=norm > 0))


def _signs(groups: int, width: int, permutations: int, seed: int) -> Iterator[FloatArray]:
    """Yield (b, G) blocks of 1 and -1: all patterns for few clusters, else random ones."""
    step = max(1, BLOCK_CELLS // max(groups, width))
    if groups <= MOST_EXACT:
        patterns = (np.arange(2**groups)[:, None] >> np.arange(groups)) & 1
        for start in range(0, len(patterns), step):
            yield 2 * patterns[start : start + step].astype(np.float64) - 1
        return
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, step):
        size = (min(step, permutations - start), groups)
        yield 2 * rng.integers(0, 2, size=size, dtype=np.int8).astype(np.float64) - 1


def rank_intervals(
    values: Mapping[str, float], better: Set[tuple[str, str]]
) -> dict[str, tuple[int, int]]:
    """Return the lowest and the highest rank of each name, 1 for the best, ordered by value.

    better  pairs (the better, the worse) that a simultaneous test of level .05 tells apart: then
            all intervals together contain all true ranks with 95 %.
    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, Review of Economic Studies 91(1).
    """
    ordered = sorted(values, key=lambda name: (-values[name], name))
    pairs = [(high, low) for high, low in better if high in values and low in values]
    return {
        name: (
            1 + sum(low == name for _, low in pairs),
            len(ordered) - sum(high == name for high, _ in pairs),
        )
        for name in ordered
    }


# Tests of the difference between two metrics, or between two systems.


SWAP_VALUES = say("swap of standardised metrics by cluster, Pearson")
SWAP_RANKS = say("swap of mid-ranks by cluster, Spearman")
SAME = say("undefined: the two metrics order all units alike")


NONE_DIFFER = say("undefined: no cluster has more decisions for one than for the other")


@dataclass(frozen=True)
class TestResult:
    """A two-sided p-value or the reason why it is undefined; the statistic, if there is one."""

    p_value: float | None
    method: Sentence
    statistic: float | None = None
    reason: Sentence = NOTHING

    __test__ = False  # pytest must not collect this class


def mcnemar(only_first: int, only_second: int) -> TestResult:
    """Exact McNemar test on the discordant decisions of two metrics (or systems).

    p = 1 without discordant decisions.
    References: McNemar 1947; Fagerland, Lydersen and Laake 2013.
    """
    method = say("McNemar, exact binomial")
    if only_first < 0 or only_second < 0:
        raise ValueError("counts of decisions cannot be negative")
    total = only_first + only_second
    if total == 0:
        return TestResult(1.0, method, 0.0)
    fewer = min(only_first, only_second)
    # Both tails are alike; `scipy.stats.binomtest` looks for the other one, 150 times as long.
    return TestResult(min(1.0, 2 * heads_at_most(fewer, total)), method, float(fewer))


def mcnemar_clustered(gaps: FloatArray) -> TestResult:
    """McNemar's test of clustered decisions, chi-square with one degree of freedom.

    gaps  (G,) per cluster, the number of decisions right (or passed) by the first alone minus
          those by the second alone; every cluster with decisions of both counts
    Careful rather than bold with few clusters; undefined below five, where it could find nothing.
    Source: Obuchowski 1998, as written by Yang, Sun and Hardin 2010.
    """
    method = say("McNemar, clustered (Obuchowski 1998)")
    if gaps.size < LEAST_CLUSTERS:
        return TestResult(
            None, method, reason=say("undefined: needs 5 clusters, has %(n)s", n=gaps.size)
        )
    squares = float((gaps**2).sum())
    if squares <= 0:
        return TestResult(None, method, reason=NONE_DIFFER)
    chi2 = (gaps.size - 1) / gaps.size * float(gaps.sum()) ** 2 / squares
    return TestResult(float(chi2_above(chi2, 1)), method, chi2)


def permutation(
    human: FloatArray,
    first: FloatArray,
    second: FloatArray,
    clusters: IntArray,
    *,
    permutations: int = 1000,
    seed: int = 0,
) -> TestResult:
    """Test |r(human, A) - r(human, B)| by swapping A and B in random clusters.

    Arrays (n,) without missing values, none constant; clusters (n,) codes from 0. Both metrics are
    standardised, then swapped by cluster with probability 1/2: see `swap_correlations`.
    Undefined for fewer than two clusters.
    References: Yeh 2000; Deutsch, Dror and Roth 2021 (PERM-BOTH), here by cluster.
    """
    sample = Sample(("a", "b"), human, np.column_stack([first, second]), clusters, True)
    if sample.groups < 2:
        return TestResult(None, swap_method(False), reason=FEW_CLUSTERS)
    swapped = swap_correlations(
        sample, np.array([[0, 1]]), ranked=False, permutations=permutations, seed=seed
    )
    return TestResult(
        float(swapped.p_value[0]), swap_method(False, swapped), float(abs(swapped.difference[0]))
    )


def swap_method(ranked: bool, swapped: Swapped | None = None) -> Sentence:
    """Return the method description of a permutation test between two metrics."""
    method = SWAP_RANKS if ranked else SWAP_VALUES
    if swapped is None:
        return method
    if swapped.all_of_them:
        return say("%(method)s, all %(n)s swaps", method=method, n=swapped.swaps)
    return say("%(method)s, %(n)s permutations", method=method, n=swapped.swaps)


def sign_flip(
    total: FloatArray, there: BoolArray, *, permutations: int = 10_000, seed: int = 0
) -> list[TestResult]:
    """Sign-flip permutation test of sums of paired differences, by cluster.

    total  (P, G) sum of the differences of each pair in each cluster; there (P, G) whether a
           cluster has any. All pairs share the same swaps.
    Swapping a cluster flips the sign of its sum. Up to 13 clusters with a difference the test is
    exact; above, p = (1 + count) / (permutations + 1), so never 0. Clusters with sum 0 (exact
    ties) have no effect. Undefined for fewer than two clusters.
    References: Fisher 1935, section 21; Noreen 1989; here by cluster as in Yeh 2000.
    """
    observed = np.abs(total.sum(axis=1))
    slack = 1e-9 * np.maximum(1.0, np.abs(total).sum(axis=1))
    moving = np.abs(total) > slack[:, None] / max(total.shape[1], 1)
    drawn = _drawn_swaps(total, observed - slack, moving, permutations, seed)
    results = []
    for row in range(total.shape[0]):
        groups, free = int(there[row].sum()), int(moving[row].sum())
        if groups < 2:
            none = say("swap of whole clusters, two-sided, %(n)s clusters", n=groups)
            results.append(TestResult(None, none, reason=FEW_CLUSTERS))
            continue
        if free <= MOST_EXACT:
            p = _all_swaps(total[row, moving[row]], observed[row] - slack[row])
            way = say("all swaps")
        else:
            p = (1 + int(drawn[row])) / (permutations + 1)
            way = say("%(n)s random swaps", n=permutations)
        method = say(
            "swap of whole clusters, two-sided, %(n)s clusters, %(way)s", n=groups, way=way
        )
        results.append(TestResult(p, method, float(total[row].sum())))
    return results


def _all_swaps(total: FloatArray, least: float) -> float:
    """Return the share of sign patterns whose absolute sum is at least `least`."""
    sums = np.zeros(1)
    for one in total:
        sums = np.concatenate([sums + one, sums - one])
    return float((np.abs(sums) >= least).mean())


def _drawn_swaps(
    total: FloatArray, least: FloatArray, moving: BoolArray, permutations: int, seed: int
) -> IntArray:
    """Return (P,) counts of random swaps with an absolute sum of at least `least`.

    0 for pairs tested exactly.
    """
    count = np.zeros(total.shape[0], dtype=np.int64)
    many = np.flatnonzero(moving.sum(axis=1) > MOST_EXACT)
    if not many.size:
        return count
    used = np.flatnonzero(moving[many].any(axis=0))
    sums = np.ascontiguousarray(total[np.ix_(many, used)].T)
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK_CELLS // max(sums.shape))
    for start in range(0, permutations, step):
        size = min(step, permutations - start)
        signs = rng.integers(0, 2, size=(size, used.size), dtype=np.int8) * 2.0 - 1.0
        count[many] += (np.abs(signs @ sums) >= least[many]).sum(axis=0)
        done((start + size) / permutations)
    return count


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values of one family adjusted by Holm 1979; None is ignored and stays None."""
    defined = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(defined):
        highest = max(highest, min(1.0, p * (len(defined) - rank)))
        adjusted[place] = highest
    return adjusted


def ranked_groups(values: Mapping[str, float], better: Set[tuple[str, str]]) -> list[list[str]]:
    """Return names in descending order of value, as significance clusters of the WMT shared tasks.

    A new cluster starts where every name above is `better` than every name below.
    """
    ranked = [name for name, _ in sorted(values.items(), key=lambda one: (-one[1], one[0]))]
    groups: list[list[str]] = []
    for place, name in enumerate(ranked):
        above, below = ranked[:place], ranked[place:]
        if all((high, low) in better for high in above for low in below):
            groups.append([])
        groups[-1].append(name)
    return groups


# Compact letters: which of several are not told apart by any test.


MOST_LETTERS = 26  # Above this many columns, those that repeat what others say are left out.


def compact_letters(ranked: Sequence[str], apart: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the letters of each name: two share a letter exactly if no test tells them apart.

    ranked  distinct names, the best first: letters are given in this order, so that the first has a
    apart   pairs that a test tells apart, in either order; pairs with other names are ignored
    By insert and absorb, for all pairs at once: a column of names is split at each pair that is
    apart, and left out where another holds all of its names. A name that nobody is like has a
    letter of its own. After z come a2, b2 and so on (`letters_in` reads them).
    Raises ValueError for a name that is given twice.
    Source: Piepho 2004, Journal of Computational and Graphical Statistics 13(2), insert-and-absorb;
    with very many columns his sweep, so that there are never more than pairs.
    """
    if len(set(ranked)) < len(ranked):
        raise ValueError("a name is given twice")
    place = {name: at for at, name in enumerate(ranked)}
    pairs = {
        (min(place[a], place[b]), max(place[a], place[b]))
        for a, b in apart
        if a in place and b in place
    }
    columns = [frozenset(range(len(ranked)))] if ranked else []
    for pair in sorted(pairs):
        columns = _absorbed(_inserted(columns, *pair))
        if len(columns) > MOST_LETTERS:
            columns = _swept(columns)
    ordered = sorted(columns, key=sorted)
    return {
        name: "".join(_letter(number) for number, one in enumerate(ordered) if at in one)
        for name, at in place.items()
    }


def letters_in(text: str) -> list[str]:
    """Return the letters of a name from `compact_letters`: of "ab2" a and b2."""
    letters: list[str] = []
    for sign in text:
        if sign.isdigit() and letters:
            letters[-1] += sign
        else:
            letters.append(sign)
    return letters


def _inserted(columns: Sequence[frozenset[int]], a: int, b: int) -> list[frozenset[int]]:
    """Split every column that has both."""
    return [
        part
        for one in columns
        for part in ((one - {a}, one - {b}) if a in one and b in one else (one,))
    ]


def _absorbed(columns: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Leave out every column whose names another has too."""
    maximal: list[frozenset[int]] = []
    for one in sorted(set(columns), key=lambda names: (-len(names), sorted(names))):
        if not any(one <= other for other in maximal):
            maximal.append(one)
    return maximal


def _swept(columns: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Leave out every column all of whose pairs share another letter, the smallest first."""
    together: dict[tuple[int, int], int] = {}
    # A name with itself: one that is like nobody keeps its letter.
    pairs = [[*combinations(sorted(one), 2), *((at, at) for at in one)] for one in columns]
    for several in pairs:
        for pair in several:
            together[pair] = together.get(pair, 0) + 1
    needed = []
    for place in sorted(range(len(columns)), key=lambda at: len(columns[at])):
        if all(together[pair] > 1 for pair in pairs[place]):
            for pair in pairs[place]:
                together[pair] -= 1
        else:
            needed.append(columns[place])
    return needed


def _letter(number: int) -> str:
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn + 1) if turn else "")
