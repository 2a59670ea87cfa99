"""A zip of files, as tools export folders: each file a sheet, named by its path; among them Arrow
files as Hugging Face's datasets writes them, with the names of the classes that it keeps beside
numbers.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from annotation.importers.tables.books import (
    MOST_ROWS,
    Book,
    Coded,
    Row,
    TableError,
    check_archive,
    damaged,
    too_many_rows,
)
from annotation.importers.tables.by_pandas import (
    need_pyarrow,
    open_json,
    open_lines_of_json,
    open_parquet,
    plain_cell,
)
from annotation.importers.tables.opening import open_delimited
from paraanno.common.texts import say

# The names of classes.


def class_labels(metadata: Mapping[bytes, bytes] | None) -> dict[str, list[str]]:
    """Return the names of the classes by column, from the metadata of an Arrow schema."""
    try:
        info = json.loads((metadata or {}).get(b"huggingface", b"{}"))
        features = info.get("info", {}).get("features", {})
    except (ValueError, AttributeError, RecursionError):
        return {}
    return labels_of(features)


def labels_of(features: object) -> dict[str, list[str]]:
    """Return the names of the classes by column, from the features of a data set."""
    if not isinstance(features, Mapping):
        return {}
    return {
        str(name): [str(label) for label in one["names"]]
        for name, one in features.items()
        if isinstance(one, Mapping) and isinstance(one.get("names"), list)
    }


def coded(cell: Any, labels: Sequence[str] | None) -> Any:
    """Return a number of a class with its name; anything else as it is."""
    if labels is None or isinstance(cell, bool) or not isinstance(cell, int):
        return cell
    if cell == -1:  # what datasets writes for a class that is missing
        return None
    return Coded(float(cell), labels[cell]) if 0 <= cell < len(labels) else cell


# Arrow files.


def open_arrow(stream: BinaryIO, name: str) -> Book:
    """Open the Arrow stream of a data set; it is read in parts."""
    need_pyarrow()
    import pyarrow

    try:
        reader = pyarrow.ipc.open_stream(stream)
        names = [str(one) for one in reader.schema.names]
        labels = class_labels(reader.schema.metadata)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise damaged() from error

    def read(_: str) -> Iterator[Row]:
        yield 0, names
        number = 0
        try:
            for batch in reader:
                batch.validate(full=True)  # before its offsets are followed
                columns = [column.to_pylist() for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    number += 1
                    if number > MOST_ROWS:
                        raise too_many_rows()
                    yield (
                        number,
                        [
                            plain_cell(coded(cell, labels.get(name)))
                            for name, cell in zip(names, cells, strict=True)
                        ],
                    )
        except (pyarrow.ArrowException, OSError, ValueError, SystemError) as error:
            raise damaged() from error

    return Book(name, "arrow", ("",), read, named=True)


# The zip.


TABLES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow")
TEXTS = (".txt", ".md", ".yaml", ".yml", ".docs", ".score")
OUTPUTS = "system-outputs/"  # a folder of mt-metrics-eval, which has lines and no tables
MOST_FILES = 1000
_SPREADSHEETS = {"xl/workbook.xml", "xl/workbook.bin", "content.xml"}


def is_folder(stream: BinaryIO) -> bool:
    """Whether a zip holds files that can be read, and is no spreadsheet. Rewinds the stream."""
    try:
        with zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
        tables = any(
            _is_read(name) and (PurePosixPath(name).suffix.lower() in TABLES or OUTPUTS in name)
            for name in names
        )
        return tables and not _SPREADSHEETS & set(names)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    finally:
        stream.seek(0)


def open_folder(stream: BinaryIO, name: str) -> Book:
    """Open a zip of files; row 0 of each holds the names of its columns. Raises TableError."""
    archive = check_archive(stream)
    members = [one for one in archive.namelist() if _is_read(one)]
    if len(members) > MOST_FILES:
        raise TableError(
            say(
                "the zip holds more than %(most)s files: leave out those that are no data",
                most=MOST_FILES,
            )
        )
    return Book(name, "zip", tuple(members), lambda one: _rows(archive, one), named=True)


def _is_read(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not hidden and path.suffix.lower() in (*TABLES, *TEXTS)


def _rows(archive: zipfile.ZipFile, member: str) -> Iterator[Row]:
    try:
        data = archive.read(member)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError) as error:
        raise damaged() from error
    if not data.strip():
        return
    ending = PurePosixPath(member).suffix.lower()
    if ending in TEXTS:
        yield from _lines(data, ending)
        return
    if ending == ".json" and (one := _object(data)) is not None:
        yield 0, list(one)
        yield 1, [plain_cell(value) for value in one.values()]
        return
    book = _open(BytesIO(data), member, ending)
    for number, row in enumerate(book.rows(book.sheets[0])):
        if number > MOST_ROWS:
            raise too_many_rows()
        yield (number if number == 0 or book.named else row[0]), row[1]


def _open(stream: BinaryIO, member: str, ending: str) -> Book:
    if ending == ".json":
        return open_json(stream, member)
    if ending in (".jsonl", ".ndjson"):
        return open_lines_of_json(stream, member)
    if ending == ".parquet":
        return open_parquet(stream, member)
    if ending == ".arrow":
        return open_arrow(stream, member)
    return open_delimited(stream, member)


def _object(data: bytes) -> dict[str, object] | None:
    """Return the object that a JSON file is; None for a list, or an object of columns."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
        return None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    lists = [one for one in value.values() if isinstance(one, list) and one]
    tables = any(all(isinstance(part, dict) for part in one) for one in lists)
    columns = len(value) > 1 and len(lists) == len(value)
    return None if tables or columns else value


def _lines(data: bytes, ending: str) -> Iterator[Row]:
    """Yield a file of lines as rows with one cell; a document is one row."""
    text = data.decode("utf-8-sig", "replace")
    yield 0, ["text"]
    if ending in (".md", ".yaml", ".yml"):
        yield 1, [text]
        return
    for number, line in enumerate(text.split("\n"), 1):
        if number > MOST_ROWS:
            raise too_many_rows()
        if line.strip():
            yield number, [line.rstrip("\r")]
