"""Whatever an item says survives export and import."""

import io
import unicodedata
from datetime import UTC
from itertools import groupby

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.exporters.columns import JUDGMENT_COLUMNS, gold_columns, item_columns, item_record
from annotation.exporters.texts import CcbRow, ccb_obstacle, write_ccb
from annotation.exporters.writers import write_rows
from annotation.importers.ccb import read_ccb, recover_case
from annotation.importers.gold import read_gold
from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from tests.annotation.strategies import NAME, TEXT, places

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | TEXT
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
TEXT_FORMATS = ["csv", "tsv", "jsonl"]


@st.composite
def items(draw, attribute):
    """What `ItemRow` holds, apart from its line."""
    phrase, sentence, start, end = draw(places())
    system, paraphrase = draw(st.none() | NAME), draw(st.none() | TEXT)
    own = draw(st.none() | places()) if paraphrase is not None else None
    _, own_sentence, own_start, own_end = own or [None] * 4
    levels = ["item", "phrase"]
    levels += ["system", "output"] if system is not None else []
    levels += ["substitution"] if paraphrase is not None else []
    return {
        "item": draw(st.none() | NAME),
        "phrase": phrase,
        "sentence": sentence,
        "start": start,
        "end": end,
        "paraphrase": paraphrase,
        "system": system,
        "rank": draw(st.integers(1, 9)) if system is not None else None,
        "role": draw(st.sampled_from(["output", "control"])) if paraphrase else "output",
        "references": tuple(draw(st.lists(TEXT, max_size=12, unique=True))),
        "own_sentence": own_sentence,
        "own_start": own_start,
        "own_end": own_end,
        "attributes": {
            level: draw(st.dictionaries(NAME, attribute, min_size=1, max_size=2))
            for level in draw(st.lists(st.sampled_from(levels), unique=True))
        },
    }


def written(record, columns, format, **how):
    target = io.BytesIO()
    assert write_rows([record], target, columns, format=format, **how) == 1
    target.seek(0)
    return target


def only_row(parsed):
    assert parsed.problems == ()
    (row,) = parsed.rows
    return row


def export(item, format, raw=False):
    names = {level: list(values) for level, values in item["attributes"].items()}
    references, attributes = item["references"], item["attributes"]
    cells = {key: item[key] for key in item if key not in ("references", "attributes")}
    record = item_record(cells, references=references, attributes=attributes)
    columns = item_columns(references=len(references), attributes=names)
    return written(record, columns, format, raw=raw)


def check(item, format, raw=False):
    row = only_row(read_items(export(item, format, raw), name=f"i.{format}", raw=raw))
    assert {key: getattr(row, key) for key in item} == item


@given(items(TEXT), st.sampled_from(["csv", "tsv"]), st.booleans())
def test_items_survive_csv_and_tsv(item, format, raw):
    check(item, format, raw)


@given(items(JSON))
def test_items_survive_json_lines_with_attributes_of_any_type(item):
    check(item, "jsonl")


@st.composite
def judgments(draw):
    phrase, sentence, start, end = draw(places())
    value = draw(st.none() | st.floats(allow_nan=False, allow_infinity=False))
    times = st.none() | st.datetimes(timezones=st.just(UTC))
    return {
        "item": draw(st.none() | NAME),
        "phrase": phrase,
        "sentence": sentence,
        "start": start,
        "end": end,
        "paraphrase": draw(TEXT),
        "role": draw(st.sampled_from(["output", "copy"])),
        "annotator": draw(NAME),
        "scale": draw(NAME),
        "value": value,
        "reason": draw(NAME) if value is None else None,
        "occasion": draw(st.integers(1, 99)),
        "kind": draw(st.sampled_from(["rating", "adjudication"])),
        "status": draw(st.sampled_from(["counted", "surplus", "draft"])),
        "judged_at": draw(times),
        "recorded_at": draw(times),
        "guideline": draw(st.none() | NAME),
        "comment": draw(st.none() | TEXT),
    }


@given(judgments(), st.sampled_from(TEXT_FORMATS))
def test_judgments_survive(record, format):
    target = written(record, JUDGMENT_COLUMNS, format)
    row = only_row(read_judgments(target, name=f"j.{format}"))
    for key, value in record.items():
        owner = row if hasattr(row, key) else row.target
        assert getattr(owner, key) == value


@pytest.mark.parametrize("format", TEXT_FORMATS)
def test_gold_survives(format):
    record = {
        "item": "1",
        "phrase": "=a",
        "sentence": "=a b",
        "start": 0,
        "end": 2,
        "paraphrase": "'=c",
        "role": "output",
        "systems": ["s", "-t"],
        "-S": 4.5,
        "-S_n": 2,
        "-S_sd": 0.5,
        "-S_method": "mean",
        "T": None,
        "pass": True,
    }
    target = written(record, gold_columns(["-S", "T"]), format)
    row = only_row(read_gold(target, name=f"g.{format}", scales=["-S", "T"]))
    assert (row.scale, row.value, row.n, row.sd, row.method) == ("-S", 4.5, 2, 0.5, "mean")
    assert (row.target.phrase, row.target.paraphrase) == ("=a", "'=c")


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


def file_of(rows, conditions=True):
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
    parsed = read_ccb(file_of(rows), name="e.csv", annotator="a")
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
    content = file_of(rows, conditions=False)
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
