"""The folder layout of mt-metrics-eval (github.com/google-research/mt-metrics-eval, README), so
that its tools read a campaign like a WMT test set."""

from dataclasses import replace

import pytest

from scoring.paper.mtme import (
    MetricFile,
    MetricScores,
    Segments,
    language_pair,
    mtme_files,
    mtme_readme,
)
from tests.scoring.paper.mtme_reader import read_pair

SEGMENTS = Segments(
    documents=["at once", "at once", "take part"],
    sources=["One.", "Two\nlines.", "Three."],
    references={"refA": ["1", "2", "3"], "refB": ["4", None, "6"]},
    outputs={"sys 1": ["a", None, "c"], "sys/1": ["d", "e", "f"], "refA": ["x", "y", "z"]},
    human={
        "MEANING + GRAMMAR": {"sys 1": [1, None, 3], "sys/1": [4, 5, 6.5], "refA": [1, 1, 1]},
        "MEANING.+ GRAMMAR": {"sys 1": [2, None, 2], "sys/1": [2, 2, 2], "refA": [2, 2, 2]},
    },
    languages=["en"] * 3,
    lower=("MEANING.+ GRAMMAR",),
)


def scored(**more):
    columns = {"sys 1": [1.0, 1, 1], "sys/1": [0.0, 0, 0.5], "refA": [1.0, 2, 3]}
    return MetricScores(columns, **more)


def with_metrics(**metrics):
    return replace(SEGMENTS, metrics=metrics)


def files_of(segments):
    return dict(mtme_files(segments, name="camp"))


def read(segments, pair="en-en"):
    return read_pair(files_of(segments), "camp", pair)


def test_the_texts_and_human_scores_are_read_as_written():
    files = files_of(SEGMENTS)
    found = read(SEGMENTS)
    assert found.sources == ["One.", "Two lines.", "Three."]
    assert files["camp/documents/en-en.docs"].splitlines() == [
        "phrase at_once",
        "phrase at_once",
        "phrase take_part",
    ]
    assert found.references == {"refA": ["1", "2", "3"], "refB": ["4", None, "6"]}
    # A missing text is none, and not the empty one; a system called refA is no reference.
    assert found.outputs == {
        "sys_1": ["a", None, "c"],
        "sys_1_": ["d", "e", "f"],
        "refA_": ["x", "y", "z"],
    }
    assert found.human["MEANING_+_GRAMMAR", "seg"] == {
        "sys_1": [1, None, 3],
        "sys_1_": [4, 5, 6.5],
        "refA_": [1, 1, 1],
    }
    assert found.human["MEANING_+_GRAMMAR", "sys"]["sys_1"] == [2]
    assert found.human["MEANING_+_GRAMMAR_", "sys"]["sys_1"] == [2]
    assert "Lower is better in the human scores MEANING_+_GRAMMAR_." in files["README.md"]


@pytest.mark.parametrize(
    ("used", "name"),
    [((), "BLEU-src"), (("refA",), "BLEU-refA"), (("refA", "refB"), "BLEU-refA.refB")],
)
def test_a_metric_is_named_by_the_references_that_it_read(used, name):
    found = read(with_metrics(BLEU=scored(references=used)))
    assert {metric for metric, _ in found.metrics} == {name}
    assert found.references_of(name) == set(used)


def test_three_references_of_three_are_called_all():
    """`AddMetric` of the tool names a metric that uses every one of three or more so."""
    references = {name: ["1", "2", "3"] for name in ("refA", "refB", "refC")}
    segments = with_metrics(BLEU=scored(references=tuple(references)))
    found = read(replace(segments, references=references))
    assert {metric for metric, _ in found.metrics} == {"BLEU-all"}
    assert found.references_of("BLEU-all") == set(references)


def test_a_system_has_the_score_of_the_metric_and_no_mean_of_segments():
    def corpus(system, segments):
        return 42.0 if (system, [*segments]) == ("sys 1", [0, 1, 2]) else 0.0

    found = read(with_metrics(BLEU=scored(corpus=corpus), Mean=scored()))
    assert found.metrics["BLEU-src", "sys"]["sys_1"] == [42]
    assert found.metrics["Mean-src", "sys"]["sys_1_"] == [pytest.approx(0.5 / 3)]


def test_a_gap_leaves_out_what_cannot_be_written_and_says_so():
    gap = {"sys 1": [1.0, None, 1], "sys/1": [0.0, 0, 0], "refA": [1.0, 1, 1]}
    none = {"sys 1": [None, None, None], "sys/1": [0.0, 0, 0], "refA": [1.0, 1, 1]}
    segments = with_metrics(gap=MetricScores(gap), none=MetricScores(none))
    assert set(read(segments).metrics) == {("gap-src", "sys")}
    readme = files_of(segments)["README.md"]
    of_gap, of_none = (readme.split(f"| {name} |")[1].split("\n")[0] for name in ("gap", "none"))
    assert "segments: 1 texts have no score" in of_gap
    assert "systems: one has no score" in of_none


def test_languages_are_pairs_of_their_own():
    """Each with its segments and systems, and corpus scores over its own segments alone."""
    asked = {}

    def corpus(system, segments):
        asked.setdefault(system, []).extend(segments)
        return float(len(segments))

    segments = with_metrics(BLEU=scored(corpus=corpus))
    files = files_of(replace(segments, languages=["ko", "en-US", "ko"]))
    korean, english = (read_pair(files, "camp", pair) for pair in ("ko-ko", "en_US-en_US"))
    assert korean.sources == ["One.", "Three."] and english.sources == ["Two lines."]
    # It gave no English text, so that it is no system there.
    assert set(english.outputs) == {"sys_1_", "refA_"}
    assert english.metrics["BLEU-src", "sys"] == {"sys_1_": [1], "refA_": [1]}
    assert korean.metrics["BLEU-src", "sys"]["sys_1"] == [2]
    assert asked == {"sys 1": [0, 2], "sys/1": [1, 0, 2], "refA": [1, 0, 2]}
    # No English text has a second reference.
    assert set(english.references) == {"refA"}


def test_what_is_unknown_is_said():
    assert language_pair("") == "und-und" and language_pair("pt-BR") == "pt_BR-pt_BR"
    segments = Segments(
        documents=["a"],
        sources=["A."],
        references={},
        outputs={"s": ["B."]},
        human={"M": {"s": [1]}},
    )
    files = files_of(segments)
    # The tool refuses a test set without a reference.
    assert read_pair(files, "camp", "und-und").references == {"original": ["A."]}
    assert "does not say its language" in files["README.md"]
    assert "repeats the sources" in files["README.md"]


# The README beside the folder says how to load it and what it lacks.


BLEU = MetricFile("BLEU-refA", "bleu", "BLEU|v:1", True, gaps=0, corpus=True, whole=True)
TER = MetricFile("TER-refA", "ter", "", False, gaps=2, corpus=False, whole=False)


def readme(pair="en-en", stand_in=""):
    told = [(pair, ("refA",), {"MEANING": "meaning", "EFFORT": "effort"}, [BLEU, TER])]
    return mtme_readme("mine", told, lower=["EFFORT"], stand_in=stand_in)


def test_it_says_how_the_folder_is_loaded():
    text = readme()
    assert 'meta_info.MetaInfo("refA", {"sys": "meaning", "seg": "meaning"}' in text
    assert 'data.EvalSet("mine", "en-en", True, info, path="mt-metrics-eval", strict=True)' in text
    assert "`und`" not in text and "There is no reference" not in text
    assert "Lower is better in the human scores effort." in text


def test_what_is_unknown_or_stands_in_is_said():
    assert "does not say its language: `und` is undetermined" in readme("und-und")
    assert "so `refA` repeats the sources" in readme(stand_in="refA")


def test_each_metric_says_what_its_scores_are_and_what_was_left_out():
    rows = {line.split("|")[1].strip(): line for line in readme().splitlines() if "-refA |" in line}
    assert "higher" in rows["BLEU-refA"] and "of the corpus" in rows["BLEU-refA"]
    assert "nothing" in rows["BLEU-refA"]
    assert "lower" in rows["TER-refA"] and "mean of segments" in rows["TER-refA"]
    assert "segments: 2 texts have no score; systems: one has no score" in rows["TER-refA"]
    assert "unknown" in rows["TER-refA"]
