"""A paragraph for the section on methods, with every number that a reader needs."""

from __future__ import annotations

from scoring.paper import datasheet as sheet_of
from scoring.paper.methods import methods_paragraph
from tests.scoring.paper.campaign import AGREEMENT, NAMES, facts

RESULTS = {
    "thresholds": {"MEANING": 3},
    "systems": {
        "A": {
            "pass_all": 0.25,
            "pass_all_bootstrap": {"low": 0.1, "high": 0.4, "method": "95 %, by lot"},
        }
    },
}


def test_the_paragraph_has_every_number_and_says_what_is_undefined() -> None:
    text = methods_paragraph(facts(), AGREEMENT, RESULTS, names=NAMES, signature="paraanno X")
    for part in (
        "2 annotators gave 18 judgments between 2026-01-02 and 2026-02-03", "9 paraphrases",
        '1 answer "cannot judge" is treated as a missing rating.', "passes at MEANING >= 3",
        "0.700 (95 % CI 0.610 to 0.790, for new phrases)", "ICC(2,1) undefined: no ratings",
        "A 0.250 (0.100 to 0.400)", "by lot", "paraanno X", "shown without system names",
    ):  # fmt: skip
        assert part in text
    imported = methods_paragraph(
        facts(annotators={"imported": 2}, excluded={"phrase": 2}),
        AGREEMENT,
        RESULTS,
        names=NAMES,
        signature="",
    )
    assert "without system names" not in imported
    assert "Excluded from all statistics: 2 phrases." in imported


def test_simulated_voices_are_never_called_people() -> None:
    text = methods_paragraph(
        facts(annotators={"simulated": 3}), AGREEMENT, RESULTS, names=NAMES, signature=""
    )
    assert text.startswith("3 SIMULATED annotators (a program) gave")
    assert "this is not a human evaluation" in sheet_of(
        facts(annotators={"simulated": 3}), AGREEMENT, names=NAMES, signature=""
    )
