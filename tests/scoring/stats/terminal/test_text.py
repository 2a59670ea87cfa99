"""Reports as text for a terminal."""

import numpy as np

from scoring.stats import Bootstrap, RatingTable, SystemTexts, Threshold, agreement_report, results
from scoring.stats.evaluation.report import correlation_report
from scoring.stats.gold.compare import gold_report
from scoring.stats.terminal.results_text import (
    INTERVALS,
    LISTED_VALUES,
    gold_lines,
    results_lines,
    shares_table,
)
from scoring.stats.terminal.text import agreement_text, correlation_text, grid, number
from tests.scoring.stats.gold.scales import LIMITS, simulated
from tests.scoring.stats.studies import Study


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


def test_how_intervals_were_made_and_why_there_are_none_is_said():
    sample = Study(np.random.default_rng(1), 5)
    table = sample.table
    text = agreement_text(agreement_report({"M": table}, clusters=sample.phrase, plan=Bootstrap()))
    assert "8 clusters are needed for an interval; there are 5" in text
    text = agreement_text(agreement_report({"M": table}, plan=Bootstrap()))
    assert "texts are taken as independent" in text.splitlines()[0]
    report = correlation_report(
        {"people": sample.human},
        sample.metrics,
        clusters=sample.phrase,
        plan=Bootstrap(),
        permutations=20,
        systems=sample.systems,
    )
    for as_in_paper in (False, True):
        text = correlation_text(report, as_in_paper=as_in_paper)
        for part in (
            "by the jackknife, leaving out one phrase",
            "the fewest from 5",
            "with 4 systems no interval means anything",
            "no interval: it is made of p-values",
            "5 phrases cannot tell two metrics apart at .05; 6 are needed.",
        ):
            assert part in text, part
        assert ("independent" in text) == as_in_paper


# Results as text for a terminal: the table of the guide, the pairs, the clusters.


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


# The report on gold as text for a terminal.


def test_every_method_has_a_line_in_every_table():
    found = gold_report(simulated(), LIMITS)
    for part in found["straddling"].values():
        for row in part["annotators"]:
            row["annotator"] = f"voice {row['annotator']}"  # As whoever knows the names puts them.
    lines = gold_lines(found)
    heads = [line.split()[0] for line in lines if line.endswith("undefined because")]
    assert heads == ["M", "methods", "G", "methods"]
    for method in found["methods"]:
        assert sum(line.split()[:1] == [method] for line in lines) == 3  # M, G and the decisions
    (decided,) = (line for line in lines if line.startswith("M from 3:"))
    assert f"{found['straddling']['M']['decisions']} decisions" in decided


def test_without_a_report_there_are_no_lines():
    nothing = {"methods": {}, "comparison": {"columns": {}, "passes": []}, "straddling": {}}
    assert gold_lines(nothing) == []
