"""Methods of gold side by side: what each makes of the same ratings, and where they part."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats import RatingTable, Threshold
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.compare import borderline, distribution, gold_report, gold_table, summary
from scoring.stats.gold.latent import METHODS
from tests.scoring.stats.gold.scales import LIMITS, NA, simulated


def test_report_compares_methods_as_scipy_does():
    tables = simulated()
    found = gold_report(tables, LIMITS)
    assert list(found["methods"]) == list(METHODS)
    made = {name: gold_table(name, tables, LIMITS) for name in METHODS}
    for row in found["comparison"]["columns"]["M"]:
        x, y = (made[row[side]].columns["M"].value for side in ("a", "b"))
        both = ~np.isnan(x + y)
        assert row["n"] == both.sum()
        assert row["pearson"] == pytest.approx(stats.pearsonr(x[both], y[both])[0])
        expected = stats.spearmanr(x[both].round(9), y[both].round(9))[0]
        assert row["spearman"] == pytest.approx(expected)
    for row in found["comparison"]["passes"]:
        x, y = (made[row[side]].passes.value for side in ("a", "b"))
        both = ~np.isnan(x + y)
        assert (row["n"], row["differ"]) == (both.sum(), (x[both] != y[both]).sum())
    compared = {(row["a"], row["b"]) for row in found["comparison"]["passes"]}
    assert ("dawid-skene", "mace") in compared
    assert not any("z" in pair for pair in compared)


def test_a_constant_method_has_no_correlation():
    same = RatingTable.from_dense([[3, 3], [3, 3], [3, 3]])
    for row in gold_report({"M": same}, {})["comparison"]["columns"]["M"]:
        assert row["pearson"] is None and "same value" in row["reason"]
    few = RatingTable.from_dense([[3, 4], [1, 2]])
    assert "three" in gold_report({"M": few}, {})["comparison"]["columns"]["M"][0]["reason"]


def test_summary_of_a_method():
    tables = simulated()
    values = gold_table("majority", tables, LIMITS).columns["M"]
    found = summary(values)
    known = values.value[values.defined]
    assert found["n"] == known.size
    assert found["quartiles"] == pytest.approx(np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist())
    assert found["confidence"] == pytest.approx(np.nanmean(values.confidence))
    assert sum(found["distribution"].values()) == known.size
    nothing = summary(gold_table("mace", tables, LIMITS).columns["M"])
    assert (nothing["n"], nothing["mean"], nothing["quartiles"]) == (0, None, None)
    assert nothing["reason"]


@given(st.lists(st.floats(-5, 100).map(lambda v: round(v, 3)), max_size=60))
def test_distribution_counts_every_value(values):
    found = distribution(np.array(values))
    assert sum(found.values()) == len(values) and len(found) <= 20


def test_decisions_on_a_thread_by_hand():
    #                                  3: straddles; flips without the 5 | far off | alone
    table = RatingTable.from_dense([[5, 2, 2], [5, 5, 4], [NA, 4, NA]])
    found = borderline(table, Threshold(3))
    assert (found["decisions"], found["passing"], found["flipping"], found["alone"]) == (3, 3, 1, 1)
    first = found["listed"][0]
    assert (first["unit"], first["value"], first["flips"], first["passes"]) == ("0", 3, 1, True)
    assert first["low"] < 3 < first["high"]
    assert [(one["flips"], one["lost"]) for one in found["annotators"]] == [(1, 0), (0, 1), (0, 0)]
    nobody = borderline(replace(table, anonymous=True), Threshold(3))
    assert (nobody["annotators"], nobody["reason"]) == (None, ANONYMOUS)
