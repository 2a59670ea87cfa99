"""How exported files look, and that writing them takes no more memory than a piece."""

import io
import tracemalloc
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exporters import Column, RowBlock, RowBlocks, row_chunks, write_parquet, write_rows
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
