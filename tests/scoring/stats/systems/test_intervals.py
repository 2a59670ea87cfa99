"""Intervals of systems' numbers against published values, plain loops and other programs."""

import numpy as np
import pytest
import scipy.stats

from scoring.stats import Bootstrap
from scoring.stats.systems.values import ratio_intervals, wilson


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [
        # Newcombe 1998, table I, method 3 (score, no continuity correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_in_newcombes_table(passed, n, low, high):
    found = wilson(passed, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_shares_of_nothing_have_no_interval():
    assert (wilson(0, 0).low, wilson(0, 0).reason) == (None, "undefined: no row")
    with pytest.raises(ValueError, match="not a proportion"):
        wilson(3, 2)


def test_cluster_bootstrap_by_a_plain_loop():
    """Repeat the same resamples one at a time, repeating the values of each cluster as drawn."""
    rng = np.random.default_rng(2)
    values = [rng.integers(1, 6, size=rng.integers(1, 5)).astype(float) for _ in range(8)]
    total, n = (np.array([[f(one)] for one in values], dtype=float) for f in (np.sum, len))
    plan = Bootstrap(300, seed=9)
    found = ratio_intervals(total, n, plan, "items")[0]
    draw = np.random.default_rng(9).multinomial(8, np.full(8, 1 / 8), size=300)
    means = [
        np.mean([v for one, times in zip(values, row, strict=True) for v in [*one] * times])
        for row in draw
    ]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))


@pytest.mark.parametrize(
    ("total", "reason"),
    [
        ([[1], [0], [1], [0]], "5 phrases are needed for an interval; there are 4"),
        ([[1]] * 9, "same mean"),
        (np.zeros((0, 1)), "no row"),
    ],
)
def test_no_interval_where_the_bootstrap_is_invalid(total, reason):
    total = np.array(total, dtype=float)
    found = ratio_intervals(total, np.ones_like(total), Bootstrap(200), "phrases")[0]
    assert (found.low, found.high) == (None, None) and reason in (found.reason or "")
    left_out = ratio_intervals(total, np.ones_like(total), Bootstrap(), "phrases")[0]
    assert (left_out.low, left_out.high) == (None, None) and reason in (left_out.reason or "")


def by_hand(values):
    """The mean over clusters left out one at a time, in a plain loop."""
    g = len(values)
    flat = [one for rows in values for one in rows]
    rest = [
        np.mean([one for at, rows in enumerate(values) if at != out for one in rows])
        for out in range(g)
    ]
    error = np.sqrt((g - 1) / g * sum((one - np.mean(rest)) ** 2 for one in rest))
    return np.mean(flat), error, scipy.stats.t.ppf(0.975, g - 1)


def sums(values):
    return tuple(np.array([[f(one)] for one in values], dtype=float) for f in (np.sum, len))


@pytest.mark.parametrize("clusters", [5, 8, 40])
def test_means_have_the_jackknife_of_a_plain_loop(clusters):
    rng = np.random.default_rng(clusters)
    values = [rng.integers(1, 6, size=rng.integers(1, 5)).astype(float) for _ in range(clusters)]
    mean, error, t = by_hand(values)
    [found] = ratio_intervals(*sums(values), Bootstrap(), "phrases")
    assert (found.low, found.high) == pytest.approx((mean - t * error, mean + t * error))
    assert found.clusters == clusters and f"{clusters} phrases" in found.method
    # A cluster without a value changes nothing and does not count.
    total, n = (np.vstack([one, [[0.0]]]) for one in sums(values))
    assert ratio_intervals(total, n, Bootstrap(), "phrases") == [found]
    [within] = ratio_intervals(*sums(values), Bootstrap(), "phrases", ends=(mean - 0.01, mean))
    assert (within.low, within.high) == pytest.approx((mean - 0.01, mean))


def test_shares_have_wilsons_interval_with_the_effective_sample_size():
    rng = np.random.default_rng(3)
    values = [(rng.random(4) < rng.random()).astype(float) for _ in range(12)]
    share, error, t = by_hand(values)
    n = share * (1 - share) / error**2
    [found] = ratio_intervals(*sums(values), Bootstrap(), "phrases", shares=True)
    # The ends are where the score test just rejects (Wilson 1927).
    for end in (found.low, found.high):
        assert abs(share - end) == pytest.approx(t * np.sqrt(end * (1 - end) / n))


def test_of_shares_that_are_all_alike_as_many_count_as_there_are_phrases():
    [found] = ratio_intervals(
        np.full((20, 1), 3.0), np.full((20, 1), 3.0), Bootstrap(), "phrases", shares=True
    )
    t = scipy.stats.t.ppf(0.975, 19)
    assert (found.low, found.high) == pytest.approx((20 / (20 + t**2), 1))


def test_above_a_hundred_clusters_a_hundred_groups_are_left_out():
    rng = np.random.default_rng(4)
    total = rng.normal(10, 3, size=(1000, 1))
    [found] = ratio_intervals(total, np.ones((1000, 1)), Bootstrap(), "phrases")
    half = scipy.stats.t.ppf(0.975, 99) * total.std() / np.sqrt(1000)
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.25)
    assert "1000 phrases in 100 groups" in found.method
