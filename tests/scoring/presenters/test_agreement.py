"""The verdict of the agreement page, in words."""

import json
from dataclasses import asdict, replace
from typing import cast

import numpy as np
import pytest
from django.utils import translation

from paraanno.common.texts import say
from scoring.agreement.words import (
    coefficient_rows,
    decision_rows,
    gold_answer,
    label,
    not_shown,
    verdict,
    why_form,
)
from scoring.stats import Estimate, RatingTable, agreement_report, undefined
from scoring.stats.agreement.coefficients import GoldInterval, ScaleBlock
from scoring.stats.agreement.influence import answer
from scoring.stats.intervals import lacking
from scoring.stats.resampling import Threshold
from scoring.stats.table import PHRASES
from tests.scoring.stats.rated import statistics

FOUND = statistics([[1, 2, 1], [4, 5, 5], [3, 3, 3], [2, 2, 1]])


def estimate(value, low=None, high=None):
    means = None if low is None else say("new units")
    if value is None:
        return undefined(say("undefined: no ratings"), method=say("by hand"))
    return Estimate(value, low, high, means, 40, say("by hand"))


def block(level="ordinal", gold=None, **changed):
    """A scale as a report has it, with the answer that the statistics give."""
    found = {**FOUND, **changed}
    stored = {name: asdict(one) for name, one in found.items()}
    return cast(ScaleBlock, {**stored, "answer": answer(found, level, 40, gold)})


ALPHAS = [
    (
        estimate(0.9, 0.8, 0.95),
        "Yes: annotators agree well enough to rely on their judgments.",
        "0.900; its entire interval for new phrases and these annotators, 0.800 – 0.950, is at "
        "least .800.",
    ),
    (
        estimate(0.75, 0.667, 0.85),
        "For tentative conclusions only: annotators agree fairly well.",
        "0.750; its entire interval for new phrases and these annotators, 0.667 – 0.850, is at "
        "least .667, but not .800.",
    ),
    (
        estimate(-0.1, -0.3, 0.2),
        "No: annotators agree too little to rely on single judgments.",
        "−0.100; its entire interval for new phrases and these annotators, −0.300 – 0.200, is "
        "below .667.",
    ),
    (
        estimate(0.7, 0.6, 0.8),
        "Undecided: more texts are needed.",
        "0.700, but its interval for new phrases and these annotators, 0.600 – 0.800, extends "
        "from below .667 to above it.",
    ),
    (
        replace(estimate(0.9), options={"no_interval": lacking(6, 8, PHRASES)}),
        "Undecided: 8 phrases are needed for an interval; there are 6.",
        "0.900, without an interval.",
    ),
    (estimate(None), "Undecided: agreement is undefined here.", "undefined."),
]


@pytest.mark.parametrize(
    ("alpha", "text", "why"),
    ALPHAS,
    ids=["yes", "tentative", "no", "unsure", "no-interval", "undefined"],
)
def test_every_verdict_is_a_sentence_and_has_the_same_numbers_in_korean(alpha, text, why):
    assert verdict(block(alpha_ordinal=alpha)) == (text, f"Krippendorff’s α, ordinal is {why}")
    with translation.override("ko"):
        korean = verdict(block(alpha_ordinal=alpha))
    assert korean.text != text
    for value in (alpha.value, alpha.ci_low, alpha.ci_high):
        assert value is None or f"{value:.3f}".replace("-", "−") in korean.why


@pytest.mark.parametrize(
    ("ends", "band"),
    [((0.76, 0.89), "good"), ((0.7, 0.8), "moderate to good"), ((0.3, 0.8), "")],
)
@pytest.mark.parametrize("new", [True, False])
def test_gold_has_the_reliability_of_its_interval(ends, band, new):
    gold = cast(GoldInterval, {"ci_low": ends[0], "ci_high": ends[1], "new_annotators": new})
    stored = block(gold=gold, icc_2_k=estimate(0.8))
    whom = "new phrases and new annotators" if new else "new phrases and these annotators"
    few = f"Too few phrases{' or annotators' * new} to say how reliable gold is: anything from "
    gold_is = f"Gold, the mean of a text’s ratings: {band} reliability."
    said = gold_answer(stored)
    assert said.text == (gold_is if band else f"{few}poor to good.")
    start = f"{label('icc_2_k')} of gold is 0.80."
    assert said.why.startswith(f"{start} Interval for {whom}: {ends[0]:.2f} – {ends[1]:.2f}.")
    assert ("What other annotators would give cannot be said here." in said.why) is not new
    these = {"ci_low": 0.76, "ci_high": 0.89, "generalises_to": "new phrases"}
    stored["icc_2_k"] |= {"also": [these]}
    others = "Too few annotators to say how reliable the gold of others would be:"
    assert gold_answer(stored).text.startswith(others) is (new and not band)
    # A report of the version before does not say of whom it speaks.
    del stored["answer"]["gold"]
    assert gold_answer(stored).why == start


def test_without_an_interval_nothing_is_said_of_gold():
    assert gold_answer(block(icc_2_k=estimate(0.8))) is None
    assert gold_answer(block("nominal", icc_2_k=estimate(0.8, 0.7, 0.9))) is None


def test_each_form_of_icc_has_its_reason():
    reasons = {why_form(code) for code in ("crossed", "anonymous", "not crossed")}
    assert len(reasons) == 3 and all(reasons)


def test_a_coefficient_of_a_package_that_is_gone_keeps_its_key():
    assert label("mean_range_of_old") == "mean_range_of_old"
    assert label("icc_2_k") != "icc_2_k"


# Rows of coefficients: what fits the values of a scale leads, and what does not is named.


def report(values):
    rng = np.random.default_rng(5)
    table = RatingTable.from_dense(rng.integers(1, values + 1, (30, 3)).astype(float))
    found = agreement_report(
        {"S": table},
        levels={"S": np.arange(1.0, values + 1)},
        kinds={"S": "nominal"},
        thresholds={"S": Threshold(2)},
    )
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("values", [2, 4])
def test_names_lead_with_what_fits_and_agreement_on_each_value(values):
    found = report(values)["scales"]["S"]
    rows = coefficient_rows(found, {"1": "yes"})
    first = [row["key"] for row in rows if row["first"]]
    assert first[:2] == ["alpha_nominal", "percent_agreement"]
    assert first[4:] == [f"specific_{value + 1}" for value in range(values)]
    assert [row["label"] for row in rows if row["key"].startswith("specific_")][:2] == [
        "Agreement on 1 (yes)",
        "Agreement on 2",
    ]
    shown = {row["key"] for row in rows}
    assert "within_one" not in shown and ("icc_2_k" in shown) is (values == 2)
    said = not_shown(found)
    assert "Within one point" in said and ("ICC(2,k)" in said) is (values != 2)
    assert ("neither order nor distance" in said) is (values != 2)


def test_decisions_have_positive_and_negative_agreement_and_older_reports_what_they_have():
    found = report(2)
    rows = decision_rows(found["passes"]["S"])
    assert [row["label"] for row in rows if row["first"]][4:] == [
        "Negative agreement",
        "Positive agreement",
    ]
    for block in (found["scales"]["S"], found["passes"]["S"]):
        for name in ("leads", "unfit", "specific"):
            del block[name]
    del found["scales"]["S"]["answer"]["fit"]
    rows = coefficient_rows(found["scales"]["S"], {})
    assert rows[0]["key"] == "alpha_nominal" and not_shown(found["scales"]["S"])
    del found["scales"]["S"]["answer"]
    assert not_shown(found["scales"]["S"]) == ""
    assert decision_rows(found["passes"]["S"])
