"""The reports as LaTeX tables."""

from __future__ import annotations

from scoring.paper.latex_reports import agreement_table, correlation_table, results_table
from tests.scoring.paper.reports import BOTH, CORRELATION, RESULTS

NAMES = {"icc_2_1": "ICC", "alpha_ordinal": "alpha & co", "gwet_ac1": "AC1", "cohen_kappa": "kappa"}
COLUMNS = {
    "n": "texts", "coverage": "coverage", "mean": "mean", "pass": "pass", "pass_all": "all pass",
}  # fmt: skip
FOUND = r".70 {\scriptsize [.61, .79]}"


def rows(table: str) -> list[list[str]]:
    """The header and the rows."""
    return [line[:-3].split(" & ") for line in table.splitlines() if line.endswith(r" \\")]


def test_agreement_has_a_row_for_each_coefficient_that_there_is() -> None:
    table = agreement_table(BOTH, NAMES, "made by X")
    header, *body = rows(table.replace(r"alpha \& co", "alpha"))
    assert header == ["", "MEANING", "MEANING passes", "All pass"]
    assert body == [["ICC", "--", "", ""], ["alpha", FOUND, "", "--"], ["kappa", "", FOUND, ""]]
    assert "MEANING 9 units" in table and r"95 \% intervals for new phrases." in table
    assert "% made by X\n" in table


def test_results_have_the_threshold_and_how_intervals_were_made() -> None:
    table = results_table(RESULTS, COLUMNS, "")
    assert rows(table) == [
        ["System", "texts", "coverage", "MEANING mean", "GRAMMAR mean", "MEANING pass (3)",
         "all pass"],
        [r"A\_1", "9", ".50", "3.50", "--", ".75", r".25 {\scriptsize [.10, .40]}"],
    ]  # fmt: skip
    assert r"In brackets: 95 \%, by lot." in table and "by text" in table


def test_results_without_thresholds_or_systems() -> None:
    header, _ = rows(results_table({**RESULTS, "thresholds": {}}, COLUMNS, ""))
    assert header == ["System", "texts", "coverage", "MEANING mean", "GRAMMAR mean"]
    empty = {**RESULTS, "systems": {}, "thresholds": {}}
    assert rows(results_table(empty, COLUMNS, "")) == [["System", "texts", "coverage"]]


def test_correlation_has_the_coefficients_of_every_human_column() -> None:
    table = correlation_table(CORRELATION, {"pearson": "r", "kendall": "tau"}, "")
    assert rows(table) == [
        ["", "MEANING: r", "MEANING: tau", "GRAMMAR: r", "GRAMMAR: tau"],
        [r"my\_bleu", FOUND, "--", "--", ""],
    ]
    assert "(30 units)" in table
    assert rows(correlation_table({"n": 0, "human": {}}, {"pearson": "r"}, "")) == [[""]]
