"""Reports as text for a terminal."""

import numpy as np

from scoring.stats import Bootstrap, RatingTable, agreement_report
from scoring.stats.evaluation.report import correlation_report
from scoring.stats.terminal.text import agreement_text, correlation_text, grid, number
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
