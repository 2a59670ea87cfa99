"""Kendall's tau of large columns: how each unit agrees with all others, and an interval from it."""

import math

import numpy as np
import pytest
from hypothesis import given

from scoring.stats.evaluation.correlation import tau_b_interval, unit_concordance
from tests.scoring.stats.evaluation.columns import ROWS, columns


@given(ROWS)
def test_concordance_of_each_unit_by_brute_force(rows):
    x, y, _ = columns(rows)
    slow = (np.sign(x[:, None] - x) * np.sign(y[:, None] - y)).sum(axis=1)
    assert (unit_concordance(x, y) == slow).all()
    assert (unit_concordance(y, x) == slow).all()


def test_tau_interval_by_hand():
    """Without ties and clusters the projection is short: the variance is 4 / n times that
    of the units' mean concordance (Hoeffding 1948)."""
    rng = np.random.default_rng(3)
    x = rng.permutation(60).astype(float)
    y = x + rng.permutation(60) * math.sqrt(0.8)
    sign = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    tau, each = sign.sum() / (60 * 59), sign.sum(axis=1) / 59
    error = math.sqrt(4 * ((each - tau) ** 2).sum() / (60 * 59))
    reach = 2.0009954 * error / (1 - tau**2)  # t of 59 degrees of freedom
    expected = math.tanh(math.atanh(tau) - reach), math.tanh(math.atanh(tau) + reach)
    assert tau_b_interval(x, y, np.arange(60), 60) == pytest.approx(expected, rel=1e-6)
