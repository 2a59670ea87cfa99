"""Judgments that were made elsewhere."""

import json
from datetime import UTC, datetime

import pytest

from annotation.importers.items import Target
from annotation.importers.judgments import JudgmentRow, read_judgments
from tests.annotation.strategies import stream

HEADER = "item,paraphrase,annotator,scale,value"
GOOD = dict(zip(HEADER.split(","), "1xAM1", strict=True))


def read(text, **options):
    return read_judgments(stream(text), name="j.csv", **options)


def test_a_whole_row():
    record = {
        "phrase": "so",
        "sentence": "it is so",
        "start": 6,
        "paraphrase": "thus",
        "role": "control",
        "annotator": "A1",
        "scale": "MEANING",
        "value": None,
        "reason": "no context",
        "occasion": 2,
        "kind": "adjudication",
        "judged_at": "2024-05-31T14:05:00+02:00",
        "recorded_at": "2024-05-31T12:06:00Z",
        "status": "surplus",
        "comment": "two\nlines",
    }
    parsed = read_judgments(stream(json.dumps(record)), name="j.jsonl")
    target = Target(None, "so", "it is so", 6, 8, "thus", "control")
    assert parsed.problems == ()
    assert parsed.rows == (
        JudgmentRow(
            line=1,
            target=target,
            annotator="A1",
            scale="MEANING",
            value=None,
            reason="no context",
            occasion=2,
            kind="adjudication",
            status="surplus",
            judged_at=datetime(2024, 5, 31, 12, 5, tzinfo=UTC),
            recorded_at=datetime(2024, 5, 31, 12, 6, tzinfo=UTC),
            comment="two\nlines",
        ),
    )


def test_values_of_any_scale_and_cannot_judge():
    parsed = read(HEADER + "\n1,x,A,M,-2\n2,x,A,M,.5\n3,x,A,M,1e2\n4,x,A,M,\n5,x,A,M, 3 \n")
    assert [row.value for row in parsed.rows] == [-2, 0.5, 100, None, 3]


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        *(("value", cell) for cell in ("good", '"1,5"', "nan", "1_0", "1e999")),
        ("annotator", ""),
        ("scale", ""),
        ("paraphrase", ""),
        ("item", ""),
        ("annotator", "A" * 61),
        ("occasion", "0"),
        ("occasion", "40000"),
        ("judged_at", "yesterday"),
        ("judged_at", "0001-01-01T00:00+10:00"),
        ("kind", "guess"),
        ("status", "lost"),
        ("reason", "beside a value"),
    ],
)
def test_a_wrong_cell_names_its_column(column, cell):
    cells = GOOD | {column: cell}
    parsed = read(f"{','.join(cells)}\n{','.join(cells.values())}\n")
    assert [(p.line, p.column) for p in parsed.problems] == [(2, column)]
    assert parsed.rows == ()


TWICE = f"{HEADER}\n1,x,A,M,1\n1,x,A,G,1\n1,x,B,M,1\n1,x,A,M,2\n1,x,A,M,3\n"


def test_a_key_twice_names_both_lines():
    parsed = read(TWICE)
    assert [problem.line for problem in parsed.problems] == [5, 6]
    assert all("line 2" in problem.message for problem in parsed.problems)
    assert [row.line for row in parsed.rows] == [2, 3, 4]


def test_repeats_may_be_numbered_in_file_order():
    parsed = read(TWICE, repeats="number")
    assert parsed.ok
    assert [row.occasion for row in parsed.rows] == [1, 1, 1, 2, 3]


def test_the_annotator_of_a_file_without_that_column():
    text = "item,paraphrase,scale,value\n1,x,M,1\n"
    assert [row.annotator for row in read(text, annotator="emily").rows] == ["emily"]
    assert not read(f"{HEADER}\n1,x,A,M,1\n", annotator="emily").ok
    assert read(f"{HEADER}\n1,x,,M,1\n", annotator="emily").ok


def test_an_unknown_way_with_repeats_is_refused():
    with pytest.raises(ValueError, match="repeats"):
        read(TWICE, repeats="sometimes")


def test_the_ways_to_name_a_substitution():
    parsed = read(
        "item,phrase,sentence,start,paraphrase,annotator,scale,value\n"
        "1,,,,x,A,M,1\n,,Whole,,x,A,M,1\n,whole,,,x,A,M,1\n2,a,a b a,4,x,A,M,1\n3,a,,,x,A,M,1\n"
    )
    targets = [row.target for row in parsed.rows]
    named = [(one.item, one.phrase, one.sentence, one.start, one.end) for one in targets]
    assert named == [
        ("1", None, None, None, None),
        (None, "Whole", "Whole", 0, 5),
        (None, "whole", "whole", 0, 5),
        ("2", "a", "a b a", 4, 5),
        ("3", "a", None, None, None),
    ]
