"""Results as text for a terminal: the table of the guide, the pairs, the clusters."""

import numpy as np

from scoring.stats import RatingTable, SystemTexts, Threshold, results
from scoring.stats.terminal.results_text import (
    INTERVALS,
    LISTED_VALUES,
    results_lines,
    shares_table,
)


def test_values_from_the_highest_down_with_their_shares():
    assert shares_table([{"1": 0.25, "3": 0.75}, {"2": 1.0}]) == [
        ("3", [0.75, 0.0]),
        ("2", [0.0, 1.0]),
        ("1", [0.25, 0.0]),
    ]
    assert shares_table([{"2": 0.5, "10": 0.5}]) == [("10", [0.5]), ("2", [0.5])]


def test_many_values_stand_in_equal_intervals():
    n = LISTED_VALUES + 10
    rows = shares_table(
        [{str(value): 1 / n for value in range(1, n + 1)}, {"1": 0.25, f"{n}": 0.75}]
    )
    assert len(rows) == INTERVALS
    for at in (0, 1):
        assert np.isclose(sum(shares[at] for _, shares in rows), 1)
    assert (rows[0][1][1], rows[-1][1][1]) == (0.75, 0.25)
    fine = shares_table([{f"{value}": 0.01 for value in range(1, 101)}])
    assert [name for name, _ in fine][::9] == ["90.1 – 100", "1 – 10.9"]


def test_systems_stand_side_by_side():
    tables = {"M": RatingTable.from_dense([[5, 4], [2, 2]])}
    systems = SystemTexts(np.array([0, 1]), np.array([0, 1]), ("A", "B"))
    lines = results_lines(results(tables, systems, {"M": Threshold(3)}))
    assert lines[0].split() == ["M", "A", "B"]
    (passed,) = (line for line in lines if line.startswith("ALL"))
    assert passed.split()[1:] == ["1.00", "0.00"]
