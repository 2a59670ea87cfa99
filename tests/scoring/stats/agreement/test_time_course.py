"""Agreement over time."""

import numpy as np
import pytest

from scoring.stats.agreement.coefficients import alpha_ordinal
from scoring.stats.agreement.influence import LEAST_UNITS, MOST_PARTS, course
from scoring.stats.intervals import Bootstrap
from scoring.stats.table import RatingTable


def learning(units=400):
    """Three annotators whose error decreases from 1.5 points to 0."""
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, (units, 1))
    noise = rng.normal(0, 1, (units, 3)) * np.linspace(1.5, 0, units)[:, None]
    return RatingTable.from_dense(np.clip(np.round(truth + noise), 1, 5))


def test_parts_are_units_in_order_of_time():
    table = learning()
    when = np.arange(400.0)
    shuffled = np.random.default_rng(2).permutation(400)
    parts = course(table, when, "ordinal")
    assert [part["n"] for part in parts] == [50] * MOST_PARTS
    for number, part in enumerate(parts):
        rows = table.take_units(np.arange(50 * number, 50 * number + 50))
        assert part["alpha"]["value"] == pytest.approx(alpha_ordinal(rows).value)
        assert (part["start"], part["end"]) == (50 * number, 50 * number + 49)
    again = course(table.take_units(shuffled), when[shuffled], "ordinal")
    assert [part["alpha"]["value"] for part in again] == pytest.approx(
        [part["alpha"]["value"] for part in parts]
    )
    values = [part["alpha"]["value"] for part in parts]
    assert values[0] < 0.7 < values[-1]


def test_intervals_contain_the_value_and_resample_clusters():
    table, plan = learning(), Bootstrap(200, 1)
    parts = course(table, np.arange(400.0), "ordinal", plan=plan, clusters=np.arange(400) // 5)
    for part in parts[:-1]:
        alpha = part["alpha"]
        assert alpha["ci_low"] < alpha["value"] < alpha["ci_high"]
        assert alpha["generalises_to"] == "new clusters"


def test_equal_times_stay_together_and_one_part_gives_no_course():
    table = learning()
    assert course(table, np.zeros(400), "ordinal") == []
    assert course(table, np.full(400, np.nan), "ordinal") == []
    when = np.repeat([0.0, 1.0], 200)
    assert [part["n"] for part in course(table, when, "nominal")] == [200, 200]
    few = RatingTable.from_dense([[1, 2]] * (2 * LEAST_UNITS - 1))
    assert course(few, np.arange(2.0 * LEAST_UNITS - 1), "ordinal") == []


def test_units_with_one_rating_and_parts_without_variation():
    matrix = np.array([[3.0, 3.0]] * 20 + [[1.0, np.nan]] * 5 + [[1.0, 2.0], [5.0, 4.0]] * 10)
    parts = course(RatingTable.from_dense(matrix), np.arange(45.0), "numeric")
    assert [part["n"] for part in parts] == [20, 20]
    assert parts[0]["alpha"]["value"] is None and "no variation" in parts[0]["alpha"]["reason"]
