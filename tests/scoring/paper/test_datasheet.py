"""A datasheet of the evaluation after HEDS (Shimorina and Belz 2022, The Human Evaluation
Datasheet): what the campaign knows is filled in, the rest is left to the authors, and marked."""

from __future__ import annotations

from scoring.paper import datasheet as sheet_of
from tests.scoring.paper.campaign import AGREEMENT, NAMES, facts


def test_the_datasheet_marks_what_only_the_authors_know() -> None:
    text = sheet_of(
        facts(consent_version=2, rules=("warn at 10 %",)), AGREEMENT, names=NAMES, signature="s"
    )
    assert "- Paper: TO BE FILLED IN BY THE AUTHORS" in text
    assert "## 4. Quality criterion: MEANING" in text
    assert "- Point 1: No: not at all" in text
    assert "0.700 [0.610, 0.790], for new phrases (n = 9)" in text
    assert "- Reliability of one rating, ICC(2,1): undefined: no ratings" in text
    assert "version 2" in text and "warn at 10 %" in text
