"""Tables for LaTeX in the style of booktabs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.paper.facts import CampaignDesign, ScaleFacts, drawn_from
from scoring.paper.tables import (
    SPECIAL,
    Heading,
    agreement_table,
    correlation_table,
    escape,
    latex_table,
    number,
    results_table,
    with_interval,
)
from tests.scoring.paper.campaign import FOUND, NAMES, UNDEFINED, facts
from tests.scoring.paper.test_datasheet import lines_of
from tests.scoring.paper.test_methods import paragraph
from tests.scoring.paper.tex import needs_pdflatex, too_large


@given(st.text(alphabet=st.sampled_from([*SPECIAL, "a", " ", "\n", "é"])))
def test_escaped_text_has_no_bare_special_sign(text):
    rest = escape(text)
    for found in sorted(SPECIAL.values(), key=len, reverse=True):
        rest = rest.replace(found, "")
    assert set(rest) <= {"a", " ", "é"}


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.715, ".71"), (-0.25, "-.25"), (-0.001, ".00"), (1.0, "1.00"), (2.5, "2.50"), (None, "--")],
)
def test_numbers_are_printed_as_in_papers(value, text):
    assert number(value) == text


def test_a_table_has_its_interval_and_refuses_a_short_row():
    cell = with_interval(0.7, 0.61, 0.79)
    table = latex_table(["", "M & G"], [["alpha", cell]], caption="50 %", label="x", source="s")
    assert r"alpha & .70 {\scriptsize [.61, .79]} \\" in table
    assert r"M \& G" in table and r"\caption{50 \%}" in table and "% s\n" in table
    with pytest.raises(ValueError, match="cells"):
        latex_table(["", "M"], [["alpha"]], caption="", label="x", source="")


@pytest.mark.parametrize(
    ("columns", "name", "tabulars"), [(2, "table", 1), (5, "table*", 1), (12, "table*", 2)]
)
def test_a_table_is_as_wide_as_a_column_or_a_page(columns, name, tabulars):
    """What does not fit on a page follows below, under the same rows."""
    header = ["", *(f"Scale {at}" for at in range(columns))]
    cell = with_interval(0.7, 0.61, 0.79)
    row = ["Cohen's kappa", *[cell] * columns]
    table = latex_table(header, [row], caption="c", label="x", source="s")
    assert table.count(rf"\begin{{{name}}}") == 1
    assert table.count(r"\begin{tabular}") == table.count("Cohen's kappa") == tabulars
    assert table.count(cell) == columns


def test_a_long_table_goes_on_on_the_next_page_under_its_heading():
    rows = [Heading("M"), *([f"metric {at}", "1"] for at in range(100))]
    table = latex_table(["", "n"], rows, caption="c", label="x", source="s")
    assert table.count(r"\begin{table}") == 3 == table.count("{l}{M}")
    assert r"\caption{c (part 3)}" in table and r"\label{x-3}" in table
    assert [f"metric {at} &" in table for at in range(100)] == [True] * 100


def test_letters_beyond_latin_are_announced():
    told = latex_table(["", "n"], [["한국어", "1"]], caption="≤ ρ −", label="x", source="s")
    assert "XeLaTeX" in told and r"$\leq$ $\rho$ $-$" in told
    assert "XeLaTeX" not in latex_table(["", "n"], [["é", "1"]], caption="", label="x", source="")


def test_a_part_has_no_row_that_is_empty_in_it():
    """Nor a heading without a row."""
    header = ["", *(f"Scale {at}" for at in range(12))]
    cell = with_interval(0.7, 0.61, 0.79)
    rows = [
        ["all", *[cell] * 12],
        Heading("of the first"),
        ["first", cell, *[""] * 11],
        Heading("of the last"),
        ["last", *[""] * 11, cell],
    ]
    text = latex_table(header, rows, caption="c", label="x", source="s")
    one, two = text.split(r"\begin{tabular}")[1:]
    for part, has, lacks in ((one, "first", "last"), (two, "last", "first")):
        assert "\nall &" in part and f"\n{has} &" in part and f"{{of the {has}}}" in part
        assert lacks not in part
    assert text.count(cell) == 14


# LaTeX tables of the reports: names, n and the ceiling; pdflatex sets them without a line that is
# too wide for a page of two columns.


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


# How test sets were drawn, in words.


DRAWN = {
    "recipe": "test_set",
    "signature": "test_set|n:100",
    "asked": 100,
    "phrases": 100,
    "every": 17245,
    "sentences": 1000,
    "items": 303,
    "options": {"seed": "2008", "contexts": "4"},
    "removed": {"a mark at an end": 1561, "no paraphrase": 280},
    "lowered": [],
    "cut_offs": {
        "min_words": 1,
        "max_words": 3,
        "test_least": 2,
        "test_most": 60,
        "train_least": 10,
    },
}


def told(**changes):
    (found,) = drawn_from(facts(design=CampaignDesign(test_sets=({**DRAWN, **changes},))))
    return found


def test_every_number_of_the_drawing_is_told():
    assert told() == (
        "100 phrases were drawn at random (seed 2008) from the 17,245 distinct phrases of 1 to 3 "
        "words in 1,000 test sentences, up to 4 sentences each, among those that occur 2 to 60 "
        "times in these sentences and 10 times or more in the training text (phrases removed: a "
        "mark at an end 1,561, no paraphrase 280); the build was test_set|n:100."
    )


def test_without_a_training_text_and_with_a_cut_off_that_was_lowered():
    text = told(
        lowered=[["test_least", 2, 1]],
        cut_offs={**DRAWN["cut_offs"], "min_words": 3, "test_least": 1, "train_least": None},
    )
    assert "training text" not in text and "phrases of 3 words" in text
    assert "sentences; occurrences in the sentences lowered from 2 to 1 as fewer" in text


def test_the_paragraph_and_the_datasheet_say_it():
    design = CampaignDesign(test_sets=(DRAWN,))
    assert told() in paragraph(design=design)
    assert "drawn at random" not in paragraph()
    sheet = lines_of(design=design)
    assert sheet["Test"].endswith("n:100.")
