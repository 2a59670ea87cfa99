"""Whether a file is large: counted without reading more of it than that takes."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from annotation.importers import (
    ProblemLog,
)
from paraanno.common.records import format_of
from paraanno.common.texts import Lines

AT_ONCE = 10_000  # rows
# Few rows may be long; and what has as many bytes is not read into memory either.
AT_ONCE_BYTES = 50 * 2**20


def is_large(*, stream: BinaryIO, name: str, format: str | None) -> bool:
    """Whether the file has more rows than are imported at once, or more bytes.

    Reads the first rows of a seekable stream only, and rewinds it.
    """
    if stream.seek(0, os.SEEK_END) > AT_ONCE_BYTES:
        stream.seek(0)
        return True
    stream.seek(0)
    chosen = (format or format_of(name)).lower()
    lines = iter(Lines(stream, ProblemLog(name)))
    try:
        if chosen in ("csv", "tsv"):
            least = AT_ONCE + 1  # and the header
            return _more(csv.reader(lines, delimiter="," if chosen == "csv" else "\t"), least)
        return _more(lines, AT_ONCE)
    except csv.Error:
        # Its quotes are broken, and it will be refused; its lines tell how large it is.
        stream.seek(0)
        return _more(iter(Lines(stream, ProblemLog(name))), AT_ONCE + 1)
    finally:
        stream.seek(0)


def _more(rows: Iterator[object], most: int) -> bool:
    return sum(1 for row in islice(rows, most + 1) if row) > most


def lines_of(stream: BinaryIO) -> int:
    """Return the number of line ends, for the progress; rewinds the stream."""
    stream.seek(0)
    count = 0
    while block := stream.read(2**20):
        count += block.count(b"\n")
    stream.seek(0)
    return count
