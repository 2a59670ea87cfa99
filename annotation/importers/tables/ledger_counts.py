"""The ledger of a sheet that was looked at."""

from __future__ import annotations

from annotation.importers.tables.books import Book, place_of
from annotation.importers.tables.guesses import ELSEWHERE, Guess
from annotation.importers.tables.ledger import Counting, Ledger
from annotation.importers.tables.looking import Looked
from annotation.importers.tables.mapping import IGNORE, ColumnMap
from annotation.importers.tables.row_reader import RowReader


def ledger_of(mapping: ColumnMap, looked: Looked) -> Ledger:
    """Return the ledger of the rows that were looked at, as the mapping reads them; what the other
    import of the same table reads is counted with it."""
    counting = Counting()
    twin = looked.twin
    _count_records(counting, mapping, looked)
    # Columns of it are read where the other kind is sure of them.
    also: dict[str, Guess] = {}
    if twin is not None:
        also = {one.column: one.guess for one in twin.columns}
        book = Book("", "", ("",), lambda _: iter(()))
        _count_records(counting, twin.mapping(book), twin, originals=twin.what == "items")
    roles = {one.column: one for one in mapping.columns}
    not_read = []
    for one in looked.columns:
        here = roles.get(one.column)
        if not one.filled or (here is not None and here.role != IGNORE):
            continue
        reason, there = one.guess.reason, also.get(one.column)
        if reason in ELSEWHERE and there is not None:
            if there.role != IGNORE:
                continue
            reason = there.reason
        if reason not in ELSEWHERE:
            not_read.append((one.name or one.column, reason))
    return Ledger(
        len(counting.originals), tuple(counting.systems), counting.references,
        tuple(counting.annotators), tuple(not_read),
        None if looked.count is not None else len(looked.rows),
    )  # fmt: skip


def _count_records(
    counting: Counting, mapping: ColumnMap, looked: Looked, *, originals: bool = True
) -> None:
    placed = [(place_of(one.column) or 0, one) for one in mapping.columns if one.role != IGNORE]
    reader = RowReader(mapping, placed)
    records = [dict(values) for _, cells in looked.rows for values, _, _ in reader.read(cells)]
    counting.count(records, reader.references, originals=originals)
