"""Rows to Parquet, one row group at a time."""

import io

import pyarrow.parquet
import pytest

from annotation.exporters import write_parquet, write_rows
from tests.annotation.exporters.written import COLUMNS, many


def test_parquet_is_written_in_groups():
    target = io.BytesIO()
    assert write_parquet(many(250), target, COLUMNS, row_group=100) == 250
    target.seek(0)
    file = pyarrow.parquet.ParquetFile(target)
    assert file.num_row_groups == 3
    assert file.read().column("count").to_pylist() == list(range(250))


def test_parquet_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(RuntimeError, match="pip install pyarrow"):
        write_parquet([], io.BytesIO(), COLUMNS)
    with pytest.raises(ValueError, match="byte stream"):
        write_rows([], io.StringIO(), COLUMNS, format="parquet")
