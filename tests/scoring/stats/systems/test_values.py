"""What is judged of systems: rows by judgment or by gold, and their outcomes."""

import numpy as np

from scoring.stats import RatingTable, SystemTexts, Threshold
from scoring.stats.systems.values import entries_of, gold_rows, judged_rows, outcomes_of

NA = float("nan")
# Nobody made the last unit; the second is of both systems.
SYSTEMS = SystemTexts(np.array([0, 1, 1]), np.array([0, 0, 1]), ("A", "B"))
TABLES = {
    "M": RatingTable.from_dense([[5, 4], [2, NA], [1, 1]]),
    "G": RatingTable.from_dense([[3, NA], [4, 4], [1, 1]]),
}


def test_texts_that_no_system_made_are_no_result():
    rows = judged_rows(TABLES, SYSTEMS)
    assert rows.unit.tolist() == [0, 0, 1, 1]
    assert rows.annotator.tolist() == [0, 1, 0, 1]
    np.testing.assert_array_equal(rows.value, [[5, 3], [4, NA], [2, 4], [NA, 4]])
    assert gold_rows(TABLES, SYSTEMS).value.tolist() == [[4.5, 3], [2, 4]]


def test_outcomes_are_missing_where_a_value_is():
    rows = judged_rows(TABLES, SYSTEMS)
    limits = {"M": Threshold(3), "G": Threshold(3)}
    found = outcomes_of(rows, ("M", "G"), limits, {"M": True})
    assert [(one.name, one.scale) for one in found] == [
        ("pass_all", None),
        ("pass", "M"),
        ("mean", "M"),
        ("pass", "G"),
    ]
    np.testing.assert_array_equal(found[0].value, [1, NA, 0, NA])
    np.testing.assert_array_equal(found[1].value, [1, 1, 0, NA])
    decided = outcomes_of(rows, ("M", "G"), limits, {}, np.array([0.0, 1, 1]))
    np.testing.assert_array_equal(decided[0].value, [0, 0, 1, 1])


def test_a_text_of_two_systems_counts_for_both():
    rows = gold_rows(TABLES, SYSTEMS)
    found = entries_of(rows, SYSTEMS, np.array([7, 8, 9]), None, by_gold=True)
    assert sorted(zip(found.row.tolist(), found.system.tolist(), strict=True)) == [
        (0, 0),
        (1, 0),
        (1, 1),
    ]
    assert found.item.tolist() == found.cluster.tolist() == [7, 8]
