"""The reports as rows, one statistic in each."""

from scoring.paper import rows
from scoring.paper.rows import agreement_rows, correlation_rows, results_rows
from tests.scoring.paper.reports import BOTH, CORRELATION, RESULTS


def test_agreement_has_the_coefficients_and_nothing_else_of_a_block():
    found = list(agreement_rows(BOTH))
    assert [(row["about"], row["name"], row["statistic"], row["value"]) for row in found] == [
        ("ratings", "MEANING", "alpha_ordinal", 0.7),
        ("ratings", "MEANING", "icc_2_1", None),
        ("passes", "MEANING", "cohen_kappa", 0.7),
        ("passes", "ALL", "alpha_ordinal", None),
    ]
    assert {tuple(row) for row in found} == {rows.AGREEMENT}
    assert found[1]["reason"] == "undefined: no ratings" and found[0]["ci_low"] == 0.61
    assert list(agreement_rows({"scales": {}})) == []


def test_results_have_both_intervals_and_leave_out_what_has_no_threshold():
    found = list(results_rows(RESULTS))
    assert [(row["scale"], row["outcome"], row["value"], row["n"]) for row in found] == [
        ("", "coverage", 0.5, 9),
        ("MEANING", "mean", 3.5, 9),
        ("MEANING", "pass", 0.75, 7),
        ("GRAMMAR", "mean", None, 8),
        ("", "pass_all", 0.25, 8),
    ]
    assert {tuple(row) for row in found} == {rows.RESULTS}
    last = found[-1]
    assert (last["independent_low"], last["independent_method"]) == (0.05, "Wilson")
    assert (last["ci_high"], last["ci_method"]) == (0.4, "95 %, by lot")
    assert found[1]["independent_low"] is found[1]["ci_low"] is None


def test_correlation_has_every_metric_of_every_human_column():
    found = list(correlation_rows(CORRELATION))
    assert [(row["human"], row["coefficient"], row["value"]) for row in found] == [
        ("MEANING", "pearson", 0.7),
        ("MEANING", "kendall", None),
        ("GRAMMAR", "pearson", None),
    ]
    assert {tuple(row) for row in found} == {rows.CORRELATION}
    assert (found[0]["p_independent"], found[1]["p_independent"]) == (0.01, None)
    assert list(correlation_rows({})) == []
