"""Whatever an item says survives export and import."""

import io
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exporters import (
    JUDGMENT_COLUMNS,
    gold_columns,
    item_columns,
    item_record,
    write_rows,
)
from annotation.importers import read_gold, read_items, read_judgments
from tests.annotation.importers.strategies import NAME, TEXT, places

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
