"""How exported files look, and that writing them takes no more memory than a piece."""

import io
import math
import struct
import tracemalloc
from datetime import UTC, datetime, timedelta

import pandas
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exporters.columns import (
    Column,
    RowBlock,
    RowBlocks,
    annotator_key,
    gold_columns,
    item_columns,
    json_text,
    matrix_columns,
)
from annotation.exporters.parquet import write_parquet
from annotation.exporters.writers import row_chunks, write_rows
from tests.annotation.exporters.written import COLUMNS, many, text_of


def test_texts_are_escaped_and_numbers_never():
    rows = [{"text": "-1", "count": -1, "value": -1.0}]
    assert text_of(rows, "csv") == "text,count,value\n'-1,-1,-1\n"
    assert text_of(rows, "csv", raw=True) == "text,count,value\n-1,-1,-1\n"
    assert text_of(rows, "jsonl") == '{"text":"-1","count":-1,"value":-1}\n'


def test_the_header_stands_even_without_rows_in_a_format_that_is_known():
    assert text_of([], "csv") == "text,count,value\n"
    assert text_of([], "jsonl") == ""
    with pytest.raises(ValueError, match="csv, tsv, jsonl, parquet"):
        text_of([], "odt")


@pytest.mark.slow
@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl"])
def test_a_long_export_takes_no_more_memory_than_a_short_one(format):
    tracemalloc.start()
    try:
        size = sum(len(piece) for piece in row_chunks(many(20_000), COLUMNS, format=format))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 4_000_000
    assert peak < 1_000_000


TEXTS = st.none() | st.text(alphabet='a=",;\t\n\r %é\x00{}', max_size=6)
CELLS = {
    "text": TEXTS,
    "list": st.none() | st.lists(st.text(max_size=3), max_size=2),
    "count": st.integers(-9, 9),
    "value": st.none() | st.floats(-5, 5) | st.sampled_from([1.0, -0.0]),
    "at": st.none() | st.datetimes(timezones=st.just(UTC)),
    "json": st.none() | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
}
KINDS = (
    Column("text"),
    Column("count", "integer", "n"),
    Column("list", "list"),
    Column("value", "number"),
    Column("json", "json"),
    Column("at", "time"),
    Column("own text", key="own"),
)


@st.composite
def blocks(draw):
    made = []
    for _ in range(draw(st.integers(0, 3))):
        names = ("text", "list", "json")
        shared = draw(
            st.lists(st.fixed_dictionaries({}, optional={n: CELLS[n] for n in names}), max_size=4)
        )
        times = [draw(st.integers(0, 3)) for _ in shared]
        own = {"n": CELLS["count"], "value": CELLS["value"], "at": CELLS["at"], "own": TEXTS}
        size = sum(times)
        columns = {
            key: draw(st.lists(cells, min_size=size, max_size=size)) for key, cells in own.items()
        }
        made.append(RowBlock(shared, times, columns))
    return made


@given(blocks(), st.booleans(), st.booleans())
def test_blocks_are_written_as_their_rows_are(given_blocks, raw, with_json):
    columns = [one for one in KINDS if with_json or one.kind != "json"]
    rows = [row for block in given_blocks for row in block.rows()]
    for format in ("csv", "tsv", "jsonl", "parquet"):
        one, other = io.BytesIO(), io.BytesIO()
        size = write_rows(RowBlocks(given_blocks), one, columns, format=format, raw=raw)
        assert size == write_rows(rows, other, columns, format=format, raw=raw) == len(rows)
        assert one.getvalue() == other.getvalue(), format


def test_blocks_fill_groups_of_rows_as_rows_do():
    blocks = [RowBlock([{"text": "a"}, {"text": "b"}], [3, 4], {"n": list(range(7))})] * 3
    one, other = io.BytesIO(), io.BytesIO()
    columns = KINDS[:2]
    write_parquet(RowBlocks(blocks), one, columns, row_group=5)
    write_parquet([row for block in blocks for row in block.rows()], other, columns, row_group=5)
    assert one.getvalue() == other.getvalue()


def test_numbers():
    rows = [{"value": value} for value in (5.0, 0.1, 1e20, 3, None)]
    cells = [line.split(",")[2] for line in text_of(rows, "csv").splitlines()[1:]]
    assert cells == ["5", "0.1", "1e+20", "3", ""]
    assert text_of([{"text": None, "value": 2.5}], "jsonl") == '{"value":2.5}\n'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_an_undefined_number_is_refused(value):
    for format in ("csv", "jsonl"):
        with pytest.raises(ValueError, match="undefined value is None"):
            text_of([{"value": value}], format)


def test_a_time_without_zone_is_refused():
    with pytest.raises(ValueError, match="no zone"):
        text_of([{"text": datetime(2024, 1, 1)}], "csv")


TYPES = {
    "text": pyarrow.string(),
    "integer": pyarrow.int64(),
    "number": pyarrow.float64(),
    "time": pyarrow.timestamp("us", tz="UTC"),
    "flag": pyarrow.bool_(),
    "json": pyarrow.string(),
    "list": pyarrow.list_(pyarrow.field("element", pyarrow.string())),
}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = {
    "text": TEXT,
    "integer": st.integers(-(2**63), 2**63 - 1),
    "number": st.floats() | st.integers(-(2**53), 2**53),
    "time": st.datetimes(timezones=st.just(UTC)),
    "flag": st.booleans(),
    "json": st.none() | st.integers() | st.lists(TEXT, max_size=2),
    "list": st.lists(st.none() | TEXT, max_size=4),
}
ALL = [Column(f"a {kind}", kind, kind) for kind in VALUES]
ROWS = st.lists(st.fixed_dictionaries({}, optional=VALUES), max_size=30)


def written(rows, columns=ALL, **options):
    target = io.BytesIO()
    assert write_parquet(rows, target, columns, **options) == len(rows)
    target.seek(0)
    return target


def by_pyarrow(rows):
    """The same rows as pyarrow writes them."""
    arrays = [
        pyarrow.array(
            [
                json_text(row["json"]) if kind == "json" and "json" in row else row.get(kind)
                for row in rows
            ],
            type=of,
        )
        for kind, of in TYPES.items()
    ]
    names = [column.name for column in ALL]
    target = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, names=names), target)
    target.seek(0)
    return target


@given(ROWS, st.integers(1, 12))
def test_it_is_read_as_what_pyarrow_writes(rows, row_group):
    ours = pyarrow.parquet.read_table(written(rows, row_group=row_group))
    theirs = pyarrow.parquet.read_table(by_pyarrow(rows))
    assert ours.schema.equals(theirs.schema)
    assert repr(ours.to_pylist()) == repr(theirs.to_pylist())  # NaN and -0.0 as they are
    ours.validate(full=True)


def test_pandas_reads_the_same_frame():
    begin = datetime(1969, 12, 31, tzinfo=UTC)
    rows = [
        {
            "text": f"a {n} 고양이" * (n % 9),
            "integer": n,
            "number": math.nan if n % 5 else n / 3,
            "time": begin + timedelta(microseconds=n * 10**7),
            "flag": n % 3 == 0,
            "list": [str(n)] * (n % 4),
        }
        | ({} if n % 2 else {"json": {"n": n}})
        for n in range(3000)
    ]
    frames = [pandas.read_parquet(one) for one in (written(rows), by_pyarrow(rows))]
    pandas.testing.assert_frame_equal(*frames)


def test_parquet_is_written_in_groups():
    target = written(list(many(250)), COLUMNS, row_group=100)
    file = pyarrow.parquet.ParquetFile(target)
    assert [file.metadata.row_group(n).num_rows for n in range(3)] == [100, 100, 50]
    chunk = file.metadata.row_group(1).column(0)
    assert (chunk.compression, chunk.num_values) == ("GZIP", 100)
    assert file.read().column("count").to_pylist() == list(range(250))


@pytest.mark.parametrize(
    ("kind", "value", "error"),
    [
        ("integer", 2**63, struct.error),
        ("integer", 1.5, struct.error),
        ("number", "1", struct.error),
        ("text", "\ud800", UnicodeEncodeError),
        ("text", 1, AttributeError),
        ("time", "2020", TypeError),
    ],
)
def test_what_is_of_another_kind_is_no_value(kind, value, error):
    with pytest.raises(error):
        write_parquet([{kind: value}], io.BytesIO(), [Column(kind, kind)])


def test_parquet_needs_a_byte_stream():
    with pytest.raises(ValueError, match="byte stream"):
        write_rows([], io.StringIO(), COLUMNS, format="parquet")


def header(columns):
    return ",".join(column.name for column in columns)


def test_columns_of_items():
    assert header(item_columns(references=2, attributes={"system": ["year"]})) == (
        "item,phrase,sentence,start,end,paraphrase,system,rank,role,own_sentence,own_start,own_end,"
        "reference,reference_2,attr.system.year,text_key,language"
    )


def test_columns_of_gold():
    plain = header(gold_columns(["M"]))
    assert plain.endswith(",systems,M,M_n,M_sd,M_method,pass,text_key,language")
    with pytest.raises(ValueError, match="A_n"):
        gold_columns(["A", "A_n"])
    more = header(gold_columns(["A"], combined=["A + B"], detail=True, units=["A"]))
    assert more.endswith(
        ",pass,A + B,A + B_n,A + B_sd,A + B_method,A_low,A_high,A_confidence,"
        "A + B_low,A + B_high,A + B_confidence,pass_method,pass_confidence,A_unit,text_key,language"
    )


def test_an_annotator_named_like_a_column_keeps_a_column_of_its_own():
    codes = ["A", "item", "item_"]
    columns = matrix_columns(codes)
    assert header(columns) == "substitution,item,phrase,A,item__,item_"
    row = {"item": "i1"} | {annotator_key(code): n for n, code in enumerate(codes)}
    text = "".join(row_chunks([row], columns, format="csv"))
    assert text.splitlines()[1] == ",i1,,0,1,2"
