"""Reports as text for a terminal."""

from scoring.stats import RatingTable, agreement_report
from scoring.stats.terminal.text import agreement_text, grid, number


def test_numbers_and_aligned_columns():
    assert [number(0.12345), number(None)] == ["0.123", "-"]
    assert grid([("name", "n"), ("a", "12")]) == ["name  n", "a     12"]


def test_a_report_has_a_line_for_every_coefficient_and_says_why_one_is_missing():
    table = RatingTable.from_dense([[4, 4]] * 3)
    found = agreement_report({"MEANING": table})
    lines = agreement_text(found).splitlines()
    (share,) = (line for line in lines if line.startswith("percent_agreement"))
    assert "1.000" in share
    (alpha,) = (line for line in lines if line.startswith("alpha_ordinal"))
    assert alpha.split()[1] == "-" and "no variation" in alpha
