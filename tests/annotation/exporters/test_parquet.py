"""Rows to Parquet, one row group at a time, beside what pyarrow and pandas read."""

import io
import math
import struct
from datetime import UTC, datetime, timedelta

import pandas
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.exporters import Column, write_parquet, write_rows
from annotation.exporters.columns import json_text
from tests.annotation.exporters.written import COLUMNS, many

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
