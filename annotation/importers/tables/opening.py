"""Open a file by what it holds; its name decides only where that leaves a choice."""

from __future__ import annotations

import os
from typing import BinaryIO

from annotation.importers.tables.books import Book, TableError
from annotation.importers.tables.by_pandas import (
    open_json,
    open_lines_of_json,
    open_parquet,
    open_spss,
    open_stata,
)
from annotation.importers.tables.delimited import open_delimited
from paraanno.plain.sentence import say

# What is read as a whole or in parts by a library, not as a stream of text.
TABLE_KINDS = (
    ".xlsx",
    ".xlsm",
    ".xls",
    ".ods",
    ".json",
    ".parquet",
    ".dta",
    ".sav",
    ".zsav",
    ".zip",
)
MOST_BYTES = 100 * 2**20  # of such a file
HEAD = 512  # bytes by which a kind is known
_BLANK = b"\xef\xbb\xbf \t\r\n"
_OF_LINES = (".jsonl", ".ndjson")
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_book(name: str) -> bool:
    """Whether the name's ending is that of a kind that is no stream of text."""
    return name.lower().endswith(TABLE_KINDS)


def needs_parser(head: bytes, name: str) -> bool:
    """Whether a file that begins so is read as a whole, or by a library's parser; any other is read
    as a stream of lines."""
    if head.startswith((_ZIP, _OLE, b"PAR1", b"$FL2", b"$FL3", b"<stata_dta>")):
        return True
    ending = os.path.splitext(name.lower())[1]
    is_list = head.lstrip(_BLANK)[:1] == b"[" and ending not in (*_OF_LINES, ".csv", ".tsv")
    return ending in TABLE_KINDS or is_list


def open_book(
    stream: BinaryIO, name: str, *, encoding: str | None = None, delimiter: str | None = None
) -> Book:
    """Open a seekable stream. Raises TableError for what is no table or beyond the bounds."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    head = stream.read(HEAD)
    stream.seek(0)
    ending = os.path.splitext(name.lower())[1]
    if not head:
        raise TableError(say("the file is empty: it needs at least a header"))
    if not needs_parser(head, name):
        if ending in _OF_LINES:
            return open_lines_of_json(stream, name)
        return open_delimited(stream, name, encoding=encoding, delimiter=delimiter)
    if size > MOST_BYTES:
        raise TableError(
            say(
                "the file has %(size)s MB; at most %(most)s MB are allowed for this kind: save "
                "it as CSV (UTF-8), which may have any size",
                size=size // 2**20,
                most=MOST_BYTES // 2**20,
            )
        )
    if head.startswith((_ZIP, _OLE)):
        return _open_archive(stream, name, head)
    if head.startswith(b"PAR1"):
        return open_parquet(stream, name)
    if head.startswith((b"$FL2", b"$FL3")):
        return open_spss(stream, name)
    if head.startswith(b"<stata_dta>") or ending == ".dta":
        return open_stata(stream, name)
    if ending in TABLE_KINDS and ending != ".json":
        raise TableError(
            say("this is no %(kind)s file, whatever its name says: rename or convert it",
                kind=ending)
        )  # fmt: skip
    return open_json(stream, name)


def _open_archive(stream: BinaryIO, name: str, head: bytes) -> Book:
    """Open a spreadsheet, or a zip of files."""
    from annotation.importers.tables.excel import open_excel
    from annotation.importers.tables.tools.common.zipped import is_folder, open_folder

    if head.startswith(_ZIP) and is_folder(stream):
        return open_folder(stream, name)
    return open_excel(stream, name, head)
