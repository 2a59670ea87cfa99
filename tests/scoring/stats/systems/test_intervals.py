"""Wilson's interval and the cluster bootstrap against published and independent values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

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


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_is_that_of_statsmodels(case):
    found = wilson(*case)
    expected = proportion_confint(*case, method="wilson")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-12)
    assert 0 <= found.low <= case[0] / case[1] <= found.high <= 1


def test_cluster_bootstrap_of_a_mean_agrees_with_theory():
    # Clusters of equal size: the mean of cluster means, whose normal interval is known.
    rng = np.random.default_rng(5)
    total = rng.normal(10, 3, size=(400, 1))
    [found], [again] = (
        ratio_intervals(total, np.ones((400, 1)), Bootstrap(4000, seed=1), "phrases")
        for _ in range(2)
    )
    half = 1.96 * total.std() / 20
    expected = total.mean() - half, total.mean() + half
    assert (found.low, found.high) == pytest.approx(expected, abs=0.05)
    assert found == again and "phrases" in found.method


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
        ([[1], [0], [1], [0]], "fewer than 5 phrases"),
        ([[1]] * 9, "same mean"),
        (np.zeros((0, 1)), "no row"),
    ],
)
def test_no_interval_where_the_bootstrap_is_invalid(total, reason):
    total = np.array(total, dtype=float)
    found = ratio_intervals(total, np.ones_like(total), Bootstrap(200), "phrases")[0]
    assert (found.low, found.high) == (None, None) and reason in (found.reason or "")
    nothing = ratio_intervals(total, np.ones_like(total), Bootstrap(0), "phrases")[0]
    assert nothing.low is None and nothing.reason
