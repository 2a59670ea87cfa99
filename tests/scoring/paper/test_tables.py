"""The reports as rows, one statistic in each."""

from dataclasses import replace

import pytest

from scoring.metrics.values import Met
from scoring.paper import rows
from scoring.paper.facts import compared_with
from scoring.paper.rows import agreement_rows, correlation_rows, results_rows
from tests.scoring.paper.campaign import AGREEMENT, FOUND, HERE, MEANING, UNDEFINED, facts

BOOTSTRAP = {"low": 0.1, "high": 0.4, "method": "95 %, by lot"}
BOTH = {
    "scales": {
        # What stands beside the coefficients is none.
        "MEANING": {**AGREEMENT["scales"]["MEANING"], "distribution": {"1": 2}},
    },
    "passes": {
        "MEANING": {"n_units": 9, "share": 0.5, "cohen_kappa": FOUND},
        "ALL": {"n_units": 9, "alpha_ordinal": UNDEFINED},
    },
}
RESULTS = {
    "unit": "text",
    "thresholds": {"MEANING": 3},
    "systems": {
        "A_1": {
            "n": 9,
            "coverage": 0.5,
            "pass_all": 0.25,
            "pass_all_n": 8,
            "pass_all_bootstrap": BOOTSTRAP,
            "pass_all_interval": {"low": 0.05, "high": 0.5, "method": "Wilson"},
            "scales": {
                "MEANING": {"n": 9, "mean": 3.5, "pass": 0.75, "pass_n": 7, "mean_bootstrap": None},
                "GRAMMAR": {"n": 8, "mean": None, "pass": None},
            },
        }
    },
}
CORRELATION = {
    "n": 30,
    "human": {
        "MEANING": {
            "metrics": {
                "my_bleu": {"pearson": {**FOUND, "p_value": 0.01}, "kendall": UNDEFINED},
            }
        },
        "GRAMMAR": {"metrics": {"my_bleu": {"pearson": UNDEFINED}}},
    },
}


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


# The design of a campaign as plain values.


@pytest.mark.parametrize(
    ("ends", "size"), [((1, 5, 1), 5), ((0, 0.3, 0.1), 4), ((0, 100, 0.5), 201), ((3, 3, 1), 1)]
)
def test_a_scale_counts_its_values(ends, size):
    low, high, step = ends
    assert replace(MEANING, minimum=low, maximum=high, step=step).size == size


def test_what_passes_follows_the_direction_of_the_scale():
    assert MEANING.passes == "MEANING >= 3"
    assert replace(MEANING, higher_is_better=False, threshold=2.5).passes == "MEANING <= 2.5"
    assert replace(MEANING, threshold=None).passes == ""
    assert replace(MEANING, threshold=0).passes == "MEANING >= 0"


def test_simulated_annotators_are_counted_apart():
    found = facts(annotators={"invited": 2, "simulated": 3})
    assert (found.n_annotators, found.simulated) == (5, 3)
    assert facts(annotators={}).n_annotators == facts(annotators={}).simulated == 0


@pytest.mark.parametrize("how", ["browser", "program", "simulated", "import", "pilot"])
def test_only_some_judgments_were_given_in_a_browser(how):
    found = facts(sources=(replace(HERE, how=how),))
    assert found.in_browser is found.only_in_browser is (how == "browser")
    mixed = facts(sources=(HERE, replace(HERE, how=how)))
    assert mixed.in_browser and mixed.only_in_browser is (how == "browser")


@pytest.mark.parametrize(
    ("annotators", "answer", "kinds"),
    [
        ({"imported": 2}, "", ()),
        ({"invited": 2}, "", ()),
        ({"invited": 2}, "experts", ("expert-generated",)),
        ({"participant": 2}, "", ("crowdsourced",)),
        ({"participant": 2}, "crowd", ("crowdsourced",)),
        ({"simulated": 2, "imported": 1}, "others", ("machine-generated", "other")),
    ],
)
def test_annotators_are_called_what_somebody_said(annotators, answer, kinds):
    answers = {"kind": answer} if answer else {}
    assert facts(annotators=annotators, answers=answers).kinds == kinds


# The sentence of a paper that says what metrics compared the paraphrases with.


def run(label, met, signature="s|against:auto|x"):
    return {"label": label, "signature": signature, "met": met and met.as_json()}


def test_metrics_are_grouped_by_what_they_met():
    one = Met(references=1488, least=1, most=1)
    runs = [
        run("bleu", one),
        run("chrf", one),
        run("pinc", Met(original=1488)),
        run("ter", Met(original=12, references=1476, least=1, most=3)),
        run("ibleu", Met(original=5, references=5, neither=2, least=2, most=2)),
        run("mine", None, "external|file@0"),
    ]
    assert compared_with(runs, {"bleu": "BLEU", "chrf": "chrF"}) == (
        "Paraphrases were compared with 1 reference each (BLEU, chrF); with the original (pinc); "
        "with 1 to 3 references each for 1,476 texts and with the original for 12 texts (ter); "
        "with 2 references each for 5 texts and with the original for 5 texts, 2 texts with "
        "neither (ibleu). "
    )


def test_a_run_of_before_is_not_said_to_know():
    runs = [run("bleu", None), run("pinc", None, "pinc|against:original|max_n:4")]
    assert compared_with(runs, {}) == (
        "Paraphrases were compared with references or, where there were none, the original, "
        "numbers unknown (bleu); with the original (pinc). "
    )
    del runs[0]["met"]  # A report that was stored before.
    assert "unknown (bleu)" in compared_with(runs, {})
    assert compared_with([run("mine", None, "external|file@0")], {}) == ""
