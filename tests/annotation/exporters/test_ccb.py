"""Evaluation files that we write are read back."""

import io
import unicodedata
from itertools import groupby

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.exporters import CcbRow, ccb_obstacle, write_ccb
from annotation.importers import read_ccb, recover_case
from tests.annotation.importers.strategies import NAME, TEXT, places

SCORE = st.none() | st.sampled_from([1.0, 5.0, -2.0, 2.5, 0.1]) | st.floats(0, 100)


def shout(text):
    return unicodedata.normalize("NFC", text.upper())


@st.composite
def evaluations(draw):
    """The rows of a file: several items, each with several texts of disjoint systems."""
    rows = []
    seen = set()
    for phrase, sentence, start, end in draw(st.lists(places(), min_size=1, max_size=3)):
        key = (sentence[:start], shout(phrase), sentence[end:])
        if key in seen:
            continue
        seen.add(key)
        labels = draw(st.lists(st.integers(0, 20).map(str) | NAME, unique=True, max_size=6))
        texts = draw(st.lists(TEXT, unique=True, min_size=1, max_size=3))
        for number, text in enumerate(texts):
            rows.append(
                CcbRow(
                    phrase,
                    sentence,
                    start,
                    end,
                    text,
                    labels[number :: len(texts)],
                    draw(SCORE),
                    draw(SCORE),
                )
            )
    return rows


def written(rows, conditions=True):
    target = io.BytesIO()
    write_ccb(rows, target, conditions=conditions)
    target.seek(0)
    return target


def told(parsed):
    """Item, text and systems of each line."""
    lines = groupby((row for row in parsed.items if row.paraphrase), key=lambda row: row.line)
    return [
        (*rows[0].identity, rows[0].paraphrase, [row.system for row in rows if row.system])
        for _, (*rows,) in lines
    ]


@given(evaluations())
def test_an_export_read_back_by_those_who_know_the_phrases_changes_nothing(
    rows,
):
    assume(not any(ccb_obstacle(row) for row in rows))
    phrases = {
        (row.sentence[: row.start], shout(row.phrase), row.sentence[row.end :]): row.phrase
        for row in rows
    }
    parsed = read_ccb(written(rows), name="e.csv", annotator="a")
    assert parsed.problems == ()
    parsed = recover_case(parsed, lambda *key: phrases[key])
    assert told(parsed) == [
        (row.phrase, row.sentence, row.start, row.end, row.paraphrase, list(row.systems))
        for row in rows
    ]
    values = {
        (j.target.sentence, j.target.start, j.target.paraphrase, j.scale): j.value
        for j in parsed.judgments
    }
    assert values == {
        (row.sentence, row.start, row.paraphrase, scale): value
        for row in rows
        for scale, value in (("MEANING", row.meaning), ("GRAMMAR", row.grammar))
        if value is not None
    }


def test_the_layout_is_that_of_the_guide():
    sentence = "trains stop in small towns ."
    rows = [
        CcbRow("small towns", sentence, 15, 26, "villages", ["1", "9"]),
        CcbRow("small towns", sentence, 15, 26, "towns", ["moses 2", "0"], 5, 4),
        CcbRow("small towns", sentence, 15, 26, None, ["3"]),
        CcbRow("small towns", "we like small towns", 8, 19, "it", ["1"], None, 2.5),
        CcbRow("so", "so", 0, 2, phrase_number=7, item_number=9),
    ]
    target = io.StringIO()
    assert write_ccb(rows, target) == 4
    assert target.getvalue() == (
        "SMALL TOWNS (phrase number: 1)\n"
        "MEANING GRAMMAR trains stop in __SMALL TOWNS__ . (item number: 1)\n"
        "trains stop in __villages__ . 1,9\n"
        '5 4 trains stop in __towns__ . "moses 2",0\n'
        "trains stop in ____ . 3\n"
        "\n"
        "MEANING GRAMMAR we like __SMALL TOWNS__ (item number: 2)\n"
        "\t2.5\twe like __it__ 1\n"
        "\n"
        "SO (phrase number: 7)\n"
        "MEANING GRAMMAR __SO__ (item number: 9)\n"
    )


def test_a_file_for_annotators_names_no_system():
    rows = [
        CcbRow("so", "so it is", 0, 2, "thus", ["moses"]),
        CcbRow("so", "so it is", 0, 2, None, ["none"]),
    ]
    content = written(rows, conditions=False)
    assert b"moses" not in content.getvalue()
    parsed = read_ccb(content, name="e.csv")
    assert parsed.problems == ()
    assert told(parsed) == [("so", "so it is", 0, 2, "thus", [])]


@pytest.mark.parametrize(
    ("row", "part"),
    [
        (CcbRow("so", "so\nit", 0, 2, "x"), "line break"),
        (CcbRow("so", "so it", 0, 2, "x\ry"), "line break"),
        (CcbRow("so", "so __SO__", 0, 2, "x"), "twice"),
        (CcbRow("meaning grammar x", "meaning grammar x", 0, 17, "x"), "MEANING GRAMMAR"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(row, part):
    with pytest.raises(ValueError, match=part):
        write_ccb([row], io.BytesIO())
