"""Normalised Google distance, and the two kinds of page counts that it may come from."""

import pytest

from scoring.metrics.phrases.google_distance import CountTable, google_distance


def test_the_distance_by_hand():
    """Equation 2 with f(x) = 100, f(y) = 1000, f(x, y) = 10, M = 100,000: (3 - 1) / (5 - 2)."""
    table = CountTable(100_000, {("x",): 100, ("y",): 1000}, {(("x",), ("y",)): 10})
    assert google_distance(table, ("x",), ("y",)) == pytest.approx(2 / 3)
    assert google_distance(table, ("y",), ("x",)) == pytest.approx(2 / 3)
    assert google_distance(table, ("x",), ("z",)) is None
    everywhere = CountTable(10, {("x",): 10, ("y",): 10}, {(("x",), ("y",)): 10})
    assert google_distance(everywhere, ("x",), ("y",)) is None
