"""Files that other tools wrote, recognised by their shape before the columns are guessed.

A recogniser is a function with a line in `TOOLS`. It looks at an opened file and returns what it is
as a plain table (`ToolTable`), or None for any other file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotation.importers.tables.books import Book
from annotation.importers.tables.tools import (
    argilla,
    doccano,
    hugging_face,
    label_studio,
    mturk,
    potato,
    prodigy,
    surveys,
    wmt,
)
from annotation.importers.tables.tools.common.answers import Recogniser, ToolColumn, ToolTable

__all__ = ["TOOLS", "Recogniser", "ToolColumn", "ToolTable", "book_of", "recognised"]
# By the key that a mapping keeps as its `form`. Each file is one tool's at most.
TOOLS: Mapping[str, Recogniser] = {
    "label-studio": label_studio.recognise,
    "potato": potato.recognise,
    "doccano": doccano.recognise,
    "argilla": argilla.recognise,
    "prodigy": prodigy.recognise,
    "mturk": mturk.recognise,
    "surveys": surveys.recognise,
    "wmt": wmt.recognise,
    "datasets": hugging_face.recognise,
}


def recognised(book: Book, what: str | None, scales: Sequence[str]) -> tuple[str, ToolTable] | None:
    """Return the key and the table of the tool that wrote the file; None if none did."""
    for key, recogniser in TOOLS.items():
        table = recogniser(book, what, scales)
        if table is not None:
            return key, table
    return None


def book_of(book: Book, table: ToolTable) -> Book:
    """Return the plain table as a book, whose row 0 names the columns."""
    return replace(book, sheets=("",), rows=lambda _: table.rows(), named=True)
