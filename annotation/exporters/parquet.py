"""Writer of Parquet files, one row group at a time."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO

from annotation.exporters.columns import Column
from annotation.exporters.values import json_text

ROW_GROUP = 20_000


def write_parquet(
    rows: Iterable[Mapping[str, object]],
    stream: BinaryIO,
    columns: Sequence[Column],
    *,
    row_group: int = ROW_GROUP,
) -> int:
    """Write all rows; return their number. Memory: one group of `row_group` rows.

    Texts are string, integers int64, numbers float64, times timestamps in microseconds UTC, flags
    bool, lists list<string>; JSON values are stored as JSON text. None is null; a JSON value is
    null only if the row has no key for it. Raises RuntimeError if pyarrow is not installed.
    """
    try:
        pyarrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise RuntimeError("Parquet needs the package pyarrow: pip install pyarrow") from error
    schema = pyarrow.schema([(column.name, _type(pyarrow, column)) for column in columns])
    source = iter(rows)
    count = 0
    with parquet.ParquetWriter(stream, schema) as writer:
        while group := list(islice(source, row_group)):
            arrays = [
                pyarrow.array(
                    [_value(row, column) for row in group],
                    type=_type(pyarrow, column),
                )
                for column in columns
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            count += len(group)
    return count


def _type(pyarrow: Any, column: Column) -> Any:
    types = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "time": pyarrow.timestamp("us", tz="UTC"),
        "flag": pyarrow.bool_(),
        "json": pyarrow.string(),
        "list": pyarrow.list_(pyarrow.string()),
    }
    return types[column.kind]


def _value(row: Mapping[str, object], column: Column) -> object:
    if column.kind == "json" and column.source in row:
        return json_text(row[column.source])
    return row.get(column.source)
