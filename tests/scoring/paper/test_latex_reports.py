"""LaTeX tables of the reports: names, n and the ceiling; pdflatex sets them without a line that
is too wide for a page of two columns."""

import pytest

from scoring.paper.facts import ScaleFacts
from scoring.paper.tables import agreement_table, correlation_table, results_table
from tests.scoring.paper.campaign import FOUND, NAMES, UNDEFINED
from tests.scoring.paper.tex import needs_pdflatex, too_large

MET = {"original": 0, "references": 1200, "neither": 0, "least": 1, "most": 2}
COEFFICIENTS = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "pairwise_accuracy": "Pairwise accuracy",
}
SCALES = ("MEANING", "GRAMMAR", "MEANING + GRAMMAR")
TITLES = {
    "bleu_1max": "BLEU-1max",
    "ter": "TER",
    "mine": "mine",
    "combine:of=bleu{smooth=none}+pinc,weights=0.8+0.2,scale=minmax": (
        "Combination (of=bleu{smooth=none}+pinc,weights=0.8+0.2,scale=minmax)"
    ),
}


def correlation(metrics=TITLES):
    return {
        "n": 1200,
        "clusters": 50,
        "human": {
            column: {"metrics": {label: dict.fromkeys(COEFFICIENTS, FOUND) for label in metrics}}
            for column in SCALES
        },
        "ceiling": {
            column: {
                "leave_one_out": {"pearson": {**FOUND, "value": 0.83}, "spearman": FOUND},
                "split_half": {"pearson": UNDEFINED},
            }
            for column in SCALES
        },
        "runs": [
            {"label": label, "turned": label == "ter", "signature": label, "met": MET}
            for label in metrics
        ],
    }


def agreement():
    sizes = {"n_units": 1200, "n_ratings": 3600, "n_annotators": 12}
    block = {**sizes, **dict.fromkeys(NAMES, FOUND)}
    return {
        "scales": {"MEANING": block, "GRAMMAR": block, "FLUENCY_OF_A_LONG_NAME": block},
        "passes": {"MEANING": block, "GRAMMAR": block, "ALL": block},
    }


def results():
    found = {
        "mean": 3.14,
        "mean_bootstrap": {"low": 3.01, "high": 3.27},
        "pass": 0.5,
        "pass_bootstrap": {"low": 0.4, "high": 0.6},
    }
    system = {
        "n": 3600,
        "coverage": 1.0,
        "scales": {"MEANING": found, "GRAMMAR": found},
        "pass_all": 0.4,
        "pass_all_bootstrap": {"low": 0.3, "high": 0.5, "method": "95 %, whole phrases drawn"},
    }
    labels = ["A", "a_system & its_very_long_name_from_an_experiment_of_2026-01-02_seed=17"]
    return {
        "unit": "judgment",
        "thresholds": {"MEANING": 3, "GRAMMAR": 3},
        "judgments": 7200,
        "contexts": 50,
        "systems": dict.fromkeys(labels, system),
    }


PRINTED = {"n": "n", "coverage": "Coverage", "mean": "mean", "pass": "pass", "pass_all": "All pass"}
TABLES = (
    agreement_table(agreement(), NAMES, "s"),
    results_table(results(), PRINTED, "s"),
    correlation_table(correlation(), COEFFICIENTS, "s", metrics=TITLES),
    correlation_table(
        correlation({f"metric {at}": "" for at in range(40)}), COEFFICIENTS, "s", metrics={}
    ),
)


def test_metrics_have_their_names_n_and_the_ceiling():
    table = TABLES[2]
    assert "bleu_1max" not in table and "BLEU-1max & 9 & .70 {" in table
    assert "1,200 texts of 50 phrases" in table and "signs are reversed of TER" in table
    assert "compared with 1 to 2 references each (BLEU-1max, TER, " in table
    for column in SCALES:
        assert rf"\emph{{{column}}}" in table
    assert r"One annotator with the rest & 9 & .83 {\scriptsize [.61, .79]}" in table
    # A pair of halves tells nothing of pairwise accuracy: an empty cell is no undefined value.
    assert r"Half of the annotators with the other & -- & -- &  &  &  \\" in table


def test_agreement_and_results_say_their_n():
    assert "Ratings & 3,600 & 3,600" in TABLES[0] and "Annotators & 12" in TABLES[0]
    assert "n: judgments of its texts, in all 7,200 of 50 items" in TABLES[1]
    assert "A & 3,600 & 1.00 & 3.14" in TABLES[1]


@pytest.mark.slow
@needs_pdflatex
def test_pdflatex_sets_every_table_within_two_columns(tmp_path):
    assert too_large(TABLES, tmp_path) == []


def test_names_lead_with_what_fits_and_leave_the_rest_out():
    report = agreement()
    names = {
        **report["scales"]["MEANING"],
        "leads": ["alpha_nominal", "percent_agreement"],
        "unfit": ["icc_2_1", "within_one"],
        "specific": {"1": {**FOUND, "value": 0.123}},
    }
    text = agreement_table({"scales": {"KIND": names}}, NAMES, "s")
    rows = [line for line in text.splitlines() if "&" in line]
    assert rows[4].startswith(NAMES["alpha_nominal"]) and NAMES["icc_2_1"] not in text
    assert rows[-1].startswith("Agreement on 1 ") and "& .12 " in rows[-1]
    scale = ScaleFacts("KIND", "?", "nominal", 1, 3, 1, True, None, ((1, "word", ""),))
    decided = {**report["passes"]["ALL"], "specific": {"0": FOUND, "1": FOUND}}
    named = agreement_table(
        {"scales": {"KIND": names}, "passes": {"KIND": decided}}, NAMES, "s", [scale]
    )
    assert [line.split(" &")[0] for line in named.splitlines() if "Agreement on" in line] == [
        "Agreement on 1 (word)",
        "Agreement on no pass",
        "Agreement on a pass",
    ]
    two = {name: report["scales"][name] for name in ("MEANING", "GRAMMAR")}
    both = agreement_table({"scales": {**two, "KIND": names}}, NAMES, "s")
    (row,) = (line for line in both.splitlines() if line.startswith(NAMES["icc_2_1"]))
    assert [cell.strip(" \\") == "" for cell in row.split("&")[1:]] == [False, False, True]
