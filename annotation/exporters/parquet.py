"""Writer of Parquet files, one row group at a time, without a library.

A file is flat columns of seven kinds, all optional, plain values compressed by gzip: what every
reader of Parquet knows (Apache Parquet format 2.11, parquet.thrift and Encodings.md).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby, islice
from typing import Any, BinaryIO, NamedTuple

from annotation.exporters.columns import Column, RowBlocks, json_text

ROW_GROUP = 20_000
MAGIC = b"PAR1"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# Physical types, and other numbers of parquet.thrift.
BOOLEAN, INT64, DOUBLE, BYTE_ARRAY = 0, 2, 5, 6
OPTIONAL, REPEATED = 1, 2
UTF8, LIST, TIMESTAMP_MICROS = 0, 3, 10
PLAIN, RLE, GZIP = 0, 3, 2
# Types of Thrift's compact protocol.
TRUE, I32, I64, BINARY, SEQUENCE, STRUCT = 1, 5, 6, 8, 9, 12
Field = tuple[int, int, Any]


class _Kind(NamedTuple):
    """How the values of a column are stored: their physical type, the type that readers see
    (`converted` for old readers, `logical`), and their bytes."""

    physical: int
    converted: int | None
    logical: list[Field] | None
    packed: Callable[[Sequence[Any]], bytes]


class _Chunk(NamedTuple):
    """The values of a column in a row group: where they begin in the file, and their bytes with
    their header, compressed and not."""

    start: int
    values: int
    compressed: int
    uncompressed: int


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
    null only if the row has no key for it. Raises what `struct` and `str.encode` raise for a value
    that is not of its column's kind.
    """
    position = stream.write(MAGIC)
    groups: list[tuple[int, list[_Chunk]]] = []
    for group in _row_groups(rows, columns, row_group):
        chunks = []
        for column, cells in zip(columns, group, strict=True):
            page, chunk = _page(column, cells, position)
            position += stream.write(page)
            chunks.append(chunk)
        groups.append((len(group[0]), chunks))
    footer = _struct(_file(columns, groups))
    stream.write(footer + struct.pack("<I", len(footer)) + MAGIC)
    return sum(count for count, _ in groups)


def _row_groups(
    rows: Iterable[Mapping[str, object]], columns: Sequence[Column], size: int
) -> Iterator[list[list[Any]]]:
    """The values of each column, for so many rows at a time."""
    if not isinstance(rows, RowBlocks) or any(column.kind == "json" for column in columns):
        source = iter(rows)
        while group := list(islice(source, size)):
            yield [[_value(row, column) for row in group] for column in columns]
        return
    waiting: list[list[Any]] = [[] for _ in columns]
    for block in rows.blocks:
        for values, column in zip(waiting, columns, strict=True):
            values.extend(block.column(column.source))
        while len(waiting[0]) >= size:
            yield [values[:size] for values in waiting]
            waiting = [values[size:] for values in waiting]
    if waiting[0]:
        yield waiting


def _value(row: Mapping[str, object], column: Column) -> Any:
    if column.kind == "json" and column.source in row:
        return json_text(row[column.source])
    return row.get(column.source)


# The bytes of values.


def _texts(values: Sequence[str]) -> bytes:
    # Most recur: the sentence of a judgment, its annotator, its scale.
    packed = {}
    for value in set(values):
        data = value.encode()
        packed[value] = len(data).to_bytes(4, "little") + data
    return b"".join([packed[value] for value in values])


def _integers(values: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def _numbers(values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}d", *values)


def _times(values: Sequence[datetime]) -> bytes:
    return _integers([(value - EPOCH) // MICROSECOND for value in values])


def _flags(values: Sequence[bool]) -> bytes:
    bits = "".join("1" if value else "0" for value in reversed(values))
    return int(bits or "0", 2).to_bytes((len(values) + 7) // 8, "little")


_UTC_MICROS: list[Field] = [(1, TRUE, None), (2, STRUCT, [(2, STRUCT, [])])]
_TEXT = _Kind(BYTE_ARRAY, UTF8, [(1, STRUCT, [])], _texts)
_KINDS = {
    "text": _TEXT,
    "json": _TEXT,
    "list": _TEXT,
    "integer": _Kind(INT64, None, None, _integers),
    "number": _Kind(DOUBLE, None, None, _numbers),
    "time": _Kind(INT64, TIMESTAMP_MICROS, [(8, STRUCT, _UTC_MICROS)], _times),
    "flag": _Kind(BOOLEAN, None, None, _flags),
}


def _page(column: Column, cells: Sequence[Any], position: int) -> tuple[bytes, _Chunk]:
    """The one page of a column in a row group, with its header.

    Levels say what is null: 0 a cell, and of lists 1 one without values, 2 a value that is null.
    """
    if column.kind == "list":
        repeated, defined, values = _list_levels(cells)
        levels = _levels(repeated) + _levels(defined)
    else:
        defined, values = [1] * len(cells), list(cells)
        if None in cells:
            defined = [int(cell is not None) for cell in cells]
            values = [cell for cell in cells if cell is not None]
        levels = _levels(defined)
    data = levels + _KINDS[column.kind].packed(values)
    squeezer = zlib.compressobj(6, zlib.DEFLATED, 31)  # with the header of gzip, without a time
    squeezed = squeezer.compress(data) + squeezer.flush()
    about: list[Field] = [(1, I32, len(defined)), (2, I32, PLAIN), (3, I32, RLE), (4, I32, RLE)]
    sizes: list[Field] = [(1, I32, 0), (2, I32, len(data)), (3, I32, len(squeezed))]
    page = _struct([*sizes, (5, STRUCT, about)]) + squeezed
    uncompressed = len(page) - len(squeezed) + len(data)
    return page, _Chunk(position, len(defined), len(page), uncompressed)


def _list_levels(cells: Sequence[Sequence[Any] | None]) -> tuple[list[int], list[int], list[Any]]:
    repeated: list[int] = []
    defined: list[int] = []
    values: list[Any] = []
    for cell in cells:
        repeated.append(0)
        if not cell:
            defined.append(0 if cell is None else 1)
            continue
        repeated += [1] * (len(cell) - 1)
        defined += [2 if value is None else 3 for value in cell]
        values += [value for value in cell if value is not None]
    return repeated, defined, values


def _levels(levels: Sequence[int]) -> bytes:
    """Runs of levels (RLE of the hybrid encoding; a level fits into a byte), after their length."""
    if levels and levels.count(levels[0]) == len(levels):  # Nearly always: one run.
        runs = _varint(len(levels) << 1) + bytes((levels[0],))
    else:
        runs = b"".join(
            _varint(sum(1 for _ in run) << 1) + bytes((level,)) for level, run in groupby(levels)
        )
    return struct.pack("<I", len(runs)) + runs


# What the file says of itself, in Thrift's compact protocol.


def _file(columns: Sequence[Column], groups: Sequence[tuple[int, list[_Chunk]]]) -> list[Field]:
    elements = [_struct([(4, BINARY, b"schema"), (5, I32, len(columns))])]
    for column in columns:
        elements += _elements(column)
    return [
        (1, I32, 2),
        (2, SEQUENCE, (STRUCT, elements)),
        (3, I64, sum(count for count, _ in groups)),
        (4, SEQUENCE, (STRUCT, [_struct(_group(columns, *group)) for group in groups])),
        (6, BINARY, b"paraanno"),
    ]


def _elements(column: Column) -> list[bytes]:
    """The column in the schema; a list is a group of a group of its values."""
    name = column.name.encode()
    kind = _KINDS[column.kind]
    if column.kind != "list":
        return [_leaf(name, kind)]
    outer: list[Field] = [(3, I32, OPTIONAL), (4, BINARY, name), (5, I32, 1), (6, I32, LIST)]
    inner: list[Field] = [(3, I32, REPEATED), (4, BINARY, b"list"), (5, I32, 1)]
    shown: Field = (10, STRUCT, [(3, STRUCT, [])])
    return [_struct([*outer, shown]), _struct(inner), _leaf(b"element", kind)]


def _leaf(name: bytes, kind: _Kind) -> bytes:
    fields: list[Field] = [(1, I32, kind.physical), (3, I32, OPTIONAL), (4, BINARY, name)]
    if kind.converted is not None:
        fields += [(6, I32, kind.converted), (10, STRUCT, kind.logical)]
    return _struct(fields)


def _group(columns: Sequence[Column], count: int, chunks: Sequence[_Chunk]) -> list[Field]:
    described = []
    for column, chunk in zip(columns, chunks, strict=True):
        path = [column.name, *(("list", "element") if column.kind == "list" else ())]
        about: list[Field] = [
            (1, I32, _KINDS[column.kind].physical),
            (2, SEQUENCE, (I32, [_varint(_zigzag(one)) for one in (PLAIN, RLE)])),
            (3, SEQUENCE, (BINARY, [_binary(one.encode()) for one in path])),
            (4, I32, GZIP),
            (5, I64, chunk.values),
            (6, I64, chunk.uncompressed),
            (7, I64, chunk.compressed),
            (9, I64, chunk.start),
        ]
        described.append(_struct([(2, I64, chunk.start), (3, STRUCT, about)]))
    total = sum(chunk.uncompressed for chunk in chunks)
    return [(1, SEQUENCE, (STRUCT, described)), (2, I64, total), (3, I64, count)]


def _struct(fields: Sequence[Field]) -> bytes:
    """Fields in the order of their numbers; each begins with the distance to the one before."""
    parts, before = [], 0
    for number, kind, value in fields:
        parts.append(bytes(((number - before) << 4 | kind,)))
        before = number
        if kind in (I32, I64):
            parts.append(_varint(_zigzag(value)))
        elif kind == BINARY:
            parts.append(_binary(value))
        elif kind == STRUCT:
            parts.append(_struct(value))
        elif kind == SEQUENCE:
            of, items = value
            parts += (bytes((0xF0 | of,)), _varint(len(items)), *items)
    return b"".join(parts) + b"\0"


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _binary(data: bytes) -> bytes:
    return _varint(len(data)) + data


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
