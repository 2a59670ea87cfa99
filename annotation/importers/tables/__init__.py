"""Tables as people have them: any kind of file, opened, understood, and read as records.

`open_apart` opens a file (in the sandbox, where a library's parser reads it), `inspect_book`
guesses what its columns are, a `ColumnMap` says it, and a `MappedTable` gives the records of the
file in the columns that the readers of items, judgments and gold know. Strangers' files: what they
unpack to is bounded before they are unpacked.
"""

from annotation.importers.tables.books import Book, TableError
from annotation.importers.tables.inspecting import Inspection, inspect_book
from annotation.importers.tables.looking import MOST_LOOKED_AT
from annotation.importers.tables.mapped import MappedTable
from annotation.importers.tables.mapping import ColumnMap
from annotation.importers.tables.opening import TABLE_KINDS, is_book, open_book
from annotation.importers.tables.sandboxed import open_apart

__all__ = [
    "MOST_LOOKED_AT",
    "TABLE_KINDS",
    "Book",
    "ColumnMap",
    "Inspection",
    "MappedTable",
    "TableError",
    "inspect_book",
    "is_book",
    "open_apart",
    "open_book",
]
