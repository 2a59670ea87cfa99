"""Simultaneous tests of paired differences, and rank intervals."""

from itertools import combinations, product

import numpy as np
import pytest

from scoring.stats.significance.swaps import max_t, rank_intervals
from tests.simulate import samples, show, slack


def gaps(values):
    """Differences of all pairs of rows."""
    pairs = list(combinations(range(len(values)), 2))
    return np.array([values[a] - values[b] for a, b in pairs]), pairs


def p_values(total, **how):
    found = max_t(total, np.ones(total.shape, dtype=bool), **how)
    return np.array([np.nan if p is None else p for p in found])


def ranks_of(values, **how):
    total, pairs = gaps(values)
    means = {str(place): float(one.mean()) for place, one in enumerate(values)}
    better = {
        (str(a), str(b)) if gap > 0 else (str(b), str(a))
        for (a, b), gap, p in zip(pairs, total.mean(axis=1), p_values(total, **how), strict=True)
        if p < 0.05
    }
    found = rank_intervals(means, better)
    return [found[str(place)] for place in range(len(values))]


def test_the_definition_by_loops():
    """Hypotheses a <= b of both directions; from the largest statistic down, the share of sign
    patterns in which any hypothesis not yet rejected reaches it."""
    rng = np.random.default_rng(2)
    total, pairs = gaps(rng.normal(0, 1, (4, 7)) + np.array([[1.5], [1], [0], [0]]))
    z = total / np.sqrt((total**2).sum(axis=1, keepdims=True))
    both = np.concatenate([z, -z])
    observed = both.sum(axis=1)
    drawn = np.array([both @ signs for signs in product([-1, 1], repeat=7)])
    order, p, highest = np.argsort(-observed), np.zeros(len(both)), 0.0
    for place, one in enumerate(order):
        rest = drawn[:, order[place:]].max(axis=1)
        highest = max(highest, float((rest >= observed[one] - 1e-9).mean()))
        p[one] = highest
    expected = np.minimum(p[: len(pairs)], p[len(pairs) :])
    np.testing.assert_allclose(p_values(total), expected, atol=1e-12)


def test_ties_have_no_difference_and_lonely_pairs_no_p():
    total = np.array([[0.0, 0, 0, 0, 0, 0], [1, 2, 1, 2, 1, 2], [1, 0, 0, 0, 0, 0]])
    there = np.array([[True] * 6, [True] * 6, [True] + [False] * 5])
    tie, clear, lonely = max_t(total, there)
    assert (tie, lonely) == (1.0, None)
    assert clear == pytest.approx(2 / 64)
    assert max_t(total[2:], there[2:]) == [None]


def test_the_size_of_values_does_not_matter():
    total, _ = gaps(np.random.default_rng(3).normal(0, 1, (5, 30)))
    one = p_values(total, permutations=500)
    for factor in (1e-300, 1e300):
        np.testing.assert_array_equal(p_values(total * factor, permutations=500), one)


def test_forty_systems_ten_deviations_apart_are_all_told_apart():
    """Holm over 780 pairs needs 15,600 swaps for this, and 15 clusters; ten clusters are enough."""
    rng = np.random.default_rng(4)
    for groups in (10, 20):
        values = rng.normal(0, 1, (40, groups)) - 10 * np.arange(40)[:, None]
        assert ranks_of(values) == [(rank, rank) for rank in range(1, 41)]


def test_ranks_follow_the_pairs_told_apart():
    values = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert rank_intervals(values, set()) == {"a": (1, 3), "b": (1, 3), "c": (1, 3)}
    found = rank_intervals(values, {("a", "c"), ("a", "b"), ("a", "unknown")})
    assert found == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}


# --- simulations -----------------------------------------------------------------------------
def systems(rng, n, groups, effect):
    """(n, groups) sums of 1 to 4 items on a scale of five points; the first half of the systems is
    better by `effect`."""
    texts = rng.integers(1, 5, groups)
    own = np.where(np.arange(n) < n // 2, effect, 0.0)[:, None]
    values = np.zeros((n, groups))
    for group, many in enumerate(texts):
        shared = 3 + rng.normal(0, 1) + rng.normal(0, 0.7, (1, many))
        rated = shared + rng.normal(0, 0.5, (n, 1)) + rng.normal(0, 0.8, (n, many)) + own
        values[:, group] = np.clip(np.round(rated), 1, 5).sum(axis=1)
    return values


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("effect", [0.0, 1.0])
@pytest.mark.parametrize(("n", "groups"), [(3, 14), (10, 14), (10, 60), (33, 25), (33, 60)])
def test_the_family_keeps_its_level(n, groups, effect):
    """Equal systems told apart, and true ranks outside of their intervals, where all systems are
    equal and where half of them are better."""
    rng = np.random.default_rng(100 * n + groups)
    many = samples(1000, 50 if n < 33 else 20)
    half = n // 2
    equal = np.array([(a < half) == (b < half) or not effect for a, b in combinations(range(n), 2)])
    wrong, missed, power = 0, 0, 0.0
    truth = [(1, half) if effect and k < half else (1 + half * bool(effect), n) for k in range(n)]
    for seed in range(many):
        values = systems(rng, n, groups, effect)
        total, _ = gaps(values)
        p = p_values(total, permutations=1000, seed=seed)
        wrong += bool((p[equal] < 0.05).any())
        power += float((p[~equal] < 0.05).mean()) if effect else 0.0
        intervals = ranks_of(values, permutations=1000, seed=seed)
        # A tied system has all ranks of its half: the interval contains them all.
        missed += any(
            low > best or high < worst
            for (low, high), (best, worst) in zip(intervals, truth, strict=True)
        )
    show(
        f"{n} systems, {groups} clusters, {'half better' if effect else 'all equal'}",
        many,
        level=wrong / many,
        missed=missed / many,
        power=power / many,
    )
    assert wrong / many <= 0.05 + slack(0.05, many)
    assert missed / many <= 0.05 + slack(0.05, many)
    if effect and groups >= 60:
        assert power / many > 0.9
