"""The folder layout of mt-metrics-eval (github.com/google-research/mt-metrics-eval, README), so
that its tools read a campaign like a WMT test set."""

from __future__ import annotations

from scoring.paper import Segments, mtme_files


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
