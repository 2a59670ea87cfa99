"""Tables of JSON, Parquet, Stata and SPSS files."""

from __future__ import annotations

import json
import math
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, BinaryIO

from annotation.importers.tables.books import (
    MOST_CELLS,
    MOST_ROWS,
    Book,
    Cell,
    Coded,
    Row,
    TableError,
    damaged,
    too_many_cells,
    too_many_rows,
)
from paraanno.common.places import need_extra
from paraanno.common.texts import SentenceError, say

MOST_JSON = 100 * 2**20  # bytes of a file that is read as a whole
PART = 5000  # rows
Labels = Mapping[str, Mapping[float, str]]


def open_json(stream: BinaryIO, name: str) -> Book:
    """Open a JSON file: a list of objects, or an object of which one value is such a list."""
    data = _json(stream)
    lists = {"": data} if isinstance(data, list) else {}
    if isinstance(data, dict) and (records := _oriented(data)):
        lists = {"": records}
    elif isinstance(data, dict):
        lists = _of_columns(data) or {
            str(key): value
            for key, value in data.items()
            if isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
        }
        whole = not lists or "" in lists
        lists = {**lists, **({} if whole else _beside(data, lists))} or _one_object(data)
    if not lists or not all(isinstance(one, dict) for value in lists.values() for one in value):
        raise TableError(
            say("the file holds no list of objects: write [{...}, {...}] or one {...} per line")
        )
    return Book(name, "json", tuple(lists), lambda key: _json_rows(lists[key]), named=True)


def _oriented(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a table that is written by columns or by index, as pandas does; none
    for another object."""
    columns, rows = data.get("columns"), data.get("data")
    if isinstance(columns, list) and isinstance(rows, list) and rows:
        whole = all(isinstance(row, list) and len(row) == len(columns) for row in rows)
        return [dict(zip(map(str, columns), row, strict=True)) for row in rows] if whole else []
    parts = list(data.values())
    if len(parts) > 1 and all(isinstance(part, dict) and part for part in parts):
        keys = [tuple(part) for part in parts]
        numbered = all(key.isdigit() for part in keys for key in part)
        if numbered and len(set(keys)) == 1:  # {column: {index: value}}
            return [{name: part[key] for name, part in data.items()} for key in keys[0]]
        if len(set(keys)) * 2 <= len(keys):  # {index: {column: value}}
            return [
                {"id": key, **part} if "id" not in part else dict(part)
                for key, part in data.items()
            ]
    return []


def _of_columns(data: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of an object whose values are columns, lists of one length."""
    values = list(data.values())
    lists = len(values) > 1 and all(isinstance(one, list) for one in values)
    if not lists or {len(one) for one in values} != {len(values[0])} or not values[0]:
        return {}
    if all(isinstance(part, dict) for one in values for part in one):
        return {}  # tables, not columns
    return {"": [dict(zip(data, row, strict=True)) for row in zip(*values, strict=True)]}


def _beside(
    data: Mapping[str, Any], lists: Mapping[str, Sequence[object]]
) -> dict[str, list[dict[str, Any]]]:
    """Return the leaves of objects beside lists of records, which nothing reads, as tables of their
    own: who looks at the file sees that they are there."""
    rest = {
        str(key): [{"key": path, "value": leaf} for path, leaf in _leaves(value, "")]
        for key, value in data.items()
        if str(key) not in lists and isinstance(value, dict | list)
    }
    return {key: rows for key, rows in rest.items() if rows}


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, part in pairs:
        name = f"{path}.{key}" if path else str(key)
        if isinstance(part, dict | list):
            yield from _leaves(part, name)
        else:
            yield name, part


def _one_object(data: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return one row of an object that holds objects, as tools write the state of one person."""
    return {"": [dict(data)]} if any(isinstance(one, dict) for one in data.values()) else {}


def _json(stream: BinaryIO) -> Any:
    raw = stream.read(MOST_JSON + 1)
    if len(raw) > MOST_JSON:
        raise TableError(
            say(
                "JSON is read as a whole up to %(most)s MB: write JSON Lines, one {...} per line",
                most=MOST_JSON // 2**20,
            )
        )
    try:
        return json.loads(raw.decode(json.detect_encoding(raw)))
    except json.JSONDecodeError as error:
        raise TableError(
            say(
                "the file is not JSON (%(why)s at character %(at)s of the line): correct it there",
                why=error.msg,
                at=error.colno,
            ),
            error.lineno,
        ) from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise damaged() from error


def _json_rows(records: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    names = list(dict.fromkeys(str(key) for record in records for key in record))
    if len(records) > MOST_ROWS:
        raise too_many_rows()
    if len(records) * len(names) > MOST_CELLS:
        raise too_many_cells()
    yield 0, names
    for number, record in enumerate(records, 1):
        yield number, [plain_cell(record.get(name)) for name in names]


def open_lines_of_json(stream: BinaryIO, name: str) -> Book:
    """Open JSON Lines; the columns are those of the first thousand objects."""
    return Book(name, "jsonl", ("",), lambda _: _line_rows(stream), encoding="utf-8", named=True)


def _line_rows(stream: BinaryIO) -> Iterator[Row]:
    names: dict[str, None] = {}
    for number, record in _objects(stream):
        names |= dict.fromkeys(map(str, record))
        if number > 1000:
            break
    yield 0, list(names)
    for number, record in _objects(stream):
        if new := [key for key in record if key not in names]:
            raise TableError(
                say(
                    "the key %(key)s is in none of the objects before: write it in the first ones",
                    key=repr(str(new[0])[:60]),
                ),
                number,
            )
        yield number, [plain_cell(record.get(key)) for key in names]


def _objects(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    stream.seek(0)
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise TableError(
                say("the line is not a JSON object: write one {...} per line"), number
            ) from error
        if not isinstance(record, dict):
            raise TableError(say("the line is not a JSON object: write one {...} per line"), number)
        yield number, record


def need_pyarrow() -> None:
    """Raise TableError, with the line that installs it, if the extra `parquet` is missing."""
    try:
        need_extra("parquet", "pyarrow")
    except SentenceError as error:
        raise TableError(error.message) from error


def open_parquet(stream: BinaryIO, name: str) -> Book:
    """Open a Parquet file; it is read in parts."""
    need_pyarrow()
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    from annotation.importers.tables.tools.common.zipped import class_labels, coded

    try:
        file = ParquetFile(stream)
        names = [str(one) for one in file.schema_arrow.names]
        classes = class_labels(file.schema_arrow.metadata)
        rows = file.metadata.num_rows
    except (ArrowException, OSError, ValueError) as error:
        raise damaged() from error
    if rows > MOST_ROWS:
        raise too_many_rows()
    if rows * len(names) > MOST_CELLS:
        raise too_many_cells()

    def read(_: str) -> Iterator[Row]:
        yield 0, names
        number = 0
        try:
            for batch in file.iter_batches(PART):
                columns = [column.to_pylist() for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    number += 1
                    yield (
                        number,
                        [
                            plain_cell(coded(cell, classes.get(name)))
                            for name, cell in zip(names, cells, strict=True)
                        ],
                    )
        except (ArrowException, OSError, ValueError) as error:
            raise damaged() from error

    return Book(name, "parquet", ("",), read, named=True)


def open_stata(stream: BinaryIO, name: str) -> Book:
    """Open a Stata file; it is read in parts, and labelled numbers keep both."""
    import pandas

    def read(_: str) -> Iterator[Row]:
        stream.seek(0)
        try:
            with pandas.read_stata(stream, convert_categoricals=False, iterator=True) as opened:
                file: Any = opened  # What labels a column has is told by no public name.
                heads = file.variable_labels()
                labels = {
                    column: file.value_labels().get(group, {})
                    for column, group in zip(heads, file._lbllist, strict=True)
                    if group
                }
                number = 0
                yield 0, list(heads)
                while (part := file.read(PART)) is not None and len(part):
                    yield from _frame_rows(part, labels, number)
                    number += len(part)
        except StopIteration:
            return
        except (ValueError, KeyError, OSError, EOFError, IndexError, struct.error) as error:
            raise damaged() from error

    return Book(name, "dta", ("",), read, named=True)


def open_spss(stream: BinaryIO, name: str) -> Book:
    """Open an SPSS file, if the package pyreadstat is installed; labelled numbers keep both."""
    try:
        import pyreadstat
    except ImportError as error:
        raise TableError(
            say("SPSS files need the package pyreadstat: install it, or save the data as CSV")
        ) from error

    def load(rows: int, *, only_names: bool) -> tuple[Any, Any]:
        stream.seek(0)
        with tempfile.NamedTemporaryFile(suffix=".sav") as file:
            while block := stream.read(1 << 20):
                file.write(block)
            file.flush()
            try:
                content: tuple[Any, Any] = pyreadstat.read_sav(
                    file.name, row_limit=rows, metadataonly=only_names
                )
            except Exception as error:  # of its own kinds, and of the C library below it
                raise damaged() from error
        return content

    _, about = load(1, only_names=True)
    if (about.number_rows or 0) > MOST_ROWS:
        raise too_many_rows()
    if (about.number_rows or 0) * len(about.column_names) > MOST_CELLS:
        raise too_many_cells()

    def read(_: str) -> Iterator[Row]:
        data, about = load(MOST_ROWS + 1, only_names=False)
        if len(data) > MOST_ROWS:
            raise too_many_rows()
        # What people called a column is its label; the names are often v1, v2.
        yield 0, [label or name for name, label in _labelled(about)]
        yield from _frame_rows(data, about.variable_value_labels, 0)

    return Book(name, "sav", ("",), read, named=True)


def _labelled(about: Any) -> list[tuple[str, str | None]]:
    return list(zip(about.column_names, about.column_labels, strict=True))


def _frame_rows(data: Any, labels: Labels, before: int) -> Iterator[Row]:
    """Yield the rows of a DataFrame as plain values; `before` rows came earlier."""
    makers: list[Callable[[Any], Cell]] = []
    columns: list[list[Any]] = []
    for column in data.columns:
        own = labels.get(str(column), {})
        makers.append(_coder(own) if own else plain_cell)
        columns.append(data[column].tolist())
    for number, cells in enumerate(zip(*columns, strict=True), before + 1):
        yield number, [make(cell) for make, cell in zip(makers, cells, strict=True)]


def _coder(labels: Mapping[float, str]) -> Callable[[Any], Cell]:
    def coded(value: Any) -> Cell:
        cell = plain_cell(value)
        if isinstance(cell, int | float) and cell in labels:
            return Coded(float(cell), str(labels[cell]))
        return cell

    return coded


def plain_cell(value: Any) -> Cell:
    """Return a value of JSON, Arrow or pandas as a cell; lists and objects as JSON text."""
    if value is None or isinstance(value, str | bool | Coded):
        return value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    if isinstance(value, datetime | date):
        return None if str(value) == "NaT" else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return None if str(value) in ("NaT", "nan", "<NA>") else str(value)
