"""The pieces of the file for a paper, without a database."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.paper import Bundle, Facts, ScaleFacts, Segments, latex_table, mtme_files
from scoring.paper import datasheet as sheet_of
from scoring.paper.latex import SPECIAL, escape, number, with_interval
from scoring.paper.methods import methods_paragraph

MEANING = ScaleFacts("MEANING", "Same?", "ordinal", 1, 5, 1, True, 3, ((1, "No", "not at all"),))
FOUND = {
    "value": 0.7, "ci_low": 0.61, "ci_high": 0.79, "generalises_to": "new phrases", "n": 9,
    "reason": None,
}  # fmt: skip
UNDEFINED = {
    "value": None, "ci_low": None, "ci_high": None, "generalises_to": None, "n": 0,
    "reason": "undefined: no ratings",
}  # fmt: skip
AGREEMENT = {
    "scales": {
        "MEANING": {
            "n_units": 9, "n_ratings": 18, "alpha_ordinal": FOUND, "icc_2_1": UNDEFINED,
        }
    }
}  # fmt: skip
RESULTS = {
    "thresholds": {"MEANING": 3},
    "systems": {
        "A": {
            "pass_all": 0.25,
            "pass_all_bootstrap": {"low": 0.1, "high": 0.4, "method": "95 %, by lot"},
        }
    },
}


def facts(**changes: object) -> Facts:
    values: dict[str, object] = {
        "slug": "camp", "name": "Camp", "description": "", "scales": (MEANING,),
        "systems": ("A",), "items": 3, "phrases": 2, "texts": 9, "per_sheet": 2,
        "max_per_sheet": None, "layout": "item", "annotators": {"invited": 2}, "judgments": 18,
        "cannot_judge": 1, "first": "2026-01-02", "last": "2026-02-03",
    }  # fmt: skip
    return Facts(**{**values, **changes})  # type: ignore[arg-type]


@given(st.text(alphabet=st.sampled_from([*SPECIAL, "a", " ", "\n", "é"])))
def test_escaped_text_has_no_bare_special_sign(text: str) -> None:
    rest = escape(text)
    for found in sorted(SPECIAL.values(), key=len, reverse=True):
        rest = rest.replace(found, "")
    assert set(rest) <= {"a", " ", "é"}


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.715, ".71"), (-0.25, "-.25"), (-0.001, ".00"), (1.0, "1.00"), (2.5, "2.50"), (None, "--")],
)
def test_numbers_are_printed_as_in_papers(value: float | None, text: str) -> None:
    assert number(value) == text


def test_a_table_has_its_interval_and_refuses_a_short_row() -> None:
    cell = with_interval(0.7, 0.61, 0.79)
    table = latex_table(["", "M & G"], [["alpha", cell]], caption="50 %", label="x", source="s")
    assert r"alpha & .70 {\scriptsize [.61, .79]} \\" in table
    assert r"M \& G" in table and r"\caption{50 \%}" in table and "% s\n" in table
    with pytest.raises(ValueError, match="cells"):
        latex_table(["", "M"], [["alpha"]], caption="", label="x", source="")


def test_the_paragraph_has_every_number_and_says_what_is_undefined() -> None:
    text = methods_paragraph(facts(), AGREEMENT, RESULTS, signature="paraanno X")
    for part in (
        "2 annotators gave 18 judgments between 2026-01-02 and 2026-02-03", "9 paraphrases",
        '1 answer "cannot judge" is a missing rating.', "passes at MEANING >= 3",
        "0.700 (95 % CI 0.610 to 0.790, for new phrases)", "ICC(2,1) undefined: no ratings",
        "A 0.250 (0.100 to 0.400)", "by lot", "paraanno X", "without the name of their system",
    ):  # fmt: skip
        assert part in text
    imported = methods_paragraph(
        facts(annotators={"imported": 2}, excluded={"phrase": 2}), AGREEMENT, RESULTS, signature=""
    )
    assert "without the name" not in imported
    assert "Left out of every figure: 2 phrases." in imported


def test_simulated_voices_are_never_called_people() -> None:
    text = methods_paragraph(facts(annotators={"simulated": 3}), AGREEMENT, RESULTS, signature="")
    assert text.startswith("3 SIMULATED voices (made by a program) gave")
    assert "this is no human evaluation" in sheet_of(
        facts(annotators={"simulated": 3}), AGREEMENT, signature=""
    )


def test_the_datasheet_marks_what_only_the_authors_know() -> None:
    text = sheet_of(facts(consent_version=2, rules=("warn at 10 %",)), AGREEMENT, signature="s")
    assert "- Paper: TO BE FILLED IN BY THE AUTHORS" in text
    assert "## 4. Quality criterion: MEANING" in text
    assert "- Point 1: No: not at all" in text
    assert "0.700 [0.610, 0.790], for new phrases (n = 9)" in text
    assert "- Reliability of one rating, ICC(2,1): undefined: no ratings" in text
    assert "version 2" in text and "warn at 10 %" in text


def test_the_folder_of_mt_metrics_eval() -> None:
    """Layout: README of github.com/google-research/mt-metrics-eval, File organization."""
    segments = Segments(
        documents=["at once", "at once", "take part"],
        sources=["One.", "Two\nlines.", "Three."],
        references={"refA": ["1", "2", "3"]},
        outputs={"sys 1": ["a", None, "c"], "sys/1": ["d", "e", "f"]},
        human={"MEANING + GRAMMAR": {"sys 1": [1, None, 3], "sys/1": [4, 5, 6.5]}},
        metrics={
            "whole": {"sys 1": [1, 1, 1], "sys/1": [0, 0, 0.5]},
            "whole.": {"sys 1": [2, 2, 2], "sys/1": [0, 0, 0]},  # A name of somebody's own.
            "gap": {"sys 1": [1, None, 1], "sys/1": [0, 0, 0]},
        },
    )
    files = dict(mtme_files(segments, pair="en-en"))
    assert files["sources/en-en.txt"] == "One.\nTwo lines.\nThree.\n"
    assert files["documents/en-en.docs"].splitlines() == [
        "phrase at_once", "phrase at_once", "phrase take_part",
    ]  # fmt: skip
    assert files["references/en-en.refA.txt"].splitlines() == ["1", "2", "3"]
    assert files["system-outputs/en-en/sys_1.txt"] == "a\n\nc\n"
    assert files["human-scores/en-en.MEANING_+_GRAMMAR.seg.score"].splitlines() == [
        "sys_1\t1", "sys_1\tNone", "sys_1\t3", "sys_1_\t4", "sys_1_\t5", "sys_1_\t6.5",
    ]  # fmt: skip
    assert files["human-scores/en-en.MEANING_+_GRAMMAR.sys.score"].splitlines()[0] == "sys_1\t2"
    assert files["metric-scores/en-en/whole-src.sys.score"].startswith("sys_1\t1\n")
    assert files["metric-scores/en-en/whole_-src.sys.score"].startswith("sys_1\t2\n")
    assert not any("gap" in name for name in files)


def test_a_bundle_is_the_same_bytes_and_refuses_a_name_twice() -> None:
    def made(order: list[str]) -> bytes:
        bundle = Bundle()
        for name in order:
            bundle.add(name, name * 3)
        stream = io.BytesIO()
        bundle.write(stream, {"data": "x"})
        return stream.getvalue()

    assert made(["a", "b"]) == made(["b", "a"])
    with zipfile.ZipFile(io.BytesIO(made(["a", "b"]))) as archive:
        assert archive.namelist() == ["a", "b", "manifest.json"]
        assert archive.read("a") == b"aaa"
    bundle = Bundle()
    bundle.add("a", "")
    with pytest.raises(ValueError, match="two files"):
        bundle.add("a", "")
