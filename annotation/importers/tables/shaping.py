"""The table that is in a file: that of a tool, or nested values made flat, with its repairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, takewhile
from typing import Any

from annotation.importers.tables.books import Book, Cell, Row, TableError, is_empty
from annotation.importers.tables.by_pandas import plain_cell
from annotation.importers.tables.guessing.state import like_a_system
from annotation.importers.tables.names import concepts
from annotation.importers.tables.tools import TOOLS, book_of
from paraanno.common.texts import say, shown

NESTED = ("json", "jsonl", "parquet")  # kinds whose cells may hold lists and objects
LOOKED_AT = 1000  # rows whose keys become columns
DEEPEST = 4
MOST_ENTRIES = 12  # of a list that becomes columns
MOST_COLUMNS = 500
SAMPLE = 2000  # rows in which tables below each other are looked for
TITLED = ("system", "annotator", "scale")  # what the titles of tables may say, with a word for it
OUTPUT = "output"  # a column of each table that is called after its title


def shaped(book: Book, form: str, what: str) -> Book:
    """Return the table in the file, in the form that a mapping names."""
    if form:
        recogniser = TOOLS.get(form)
        table = recogniser(book, what, ()) if recogniser is not None else None
        if table is None:
            raise TableError(say("this is no file of %(tool)s: choose another", tool=shown(form)))
        return book_of(book, table)
    return flat(book, what)


def flat(book: Book, what: str) -> Book:
    """Return the book with a column for each value of nested objects and short lists
    (data.original, references.1); a list of objects gives a row for each (outputs.text)."""
    if book.kind in NESTED:
        return replace(book, rows=lambda sheet: _flat_rows(book, sheet, what))
    return book if book.kind == "zip" else unstacked(book)


# Tables below each other in one sheet, each with its title and the same names of columns.


def unstacked(book: Book) -> Book:
    """Return the book with the tables that stand below each other in a sheet as one: the title of
    each, or the only name in which it differs, is in a column on the right."""
    stacks = {sheet: stack for sheet in book.sheets if (stack := _stack_in(book, sheet))}
    if not stacks:
        return book

    def rows(sheet: str) -> Iterator[Row]:
        stack = stacks.get(sheet)
        return stack.rows(book.rows(sheet)) if stack else book.rows(sheet)

    return replace(book, rows=rows)


@dataclass(frozen=True, slots=True)
class Stack:
    """Tables below each other: the names of their columns, without that which differs (`at`), and
    what the titles are called together."""

    names: tuple[str, ...]
    at: int | None
    called: str = ""
    above: str = ""

    def bare(self, title: str) -> str:
        """Return a title without what all begin with."""
        return title.removeprefix(self.above).strip(" :：")

    def title_in(self, row: Row, before: Row | None) -> str | None:
        """Return the title of the table whose head a row is, "" for one without; None for a row
        that is no head."""
        cells = _texts(row[1])
        width = max(len(cells), len(self.names))
        padded = [*cells, *[""] * (width - len(cells))]
        names = [*self.names, *[""] * (width - len(self.names))]
        differs = [at for at in range(width) if padded[at] != names[at]]
        if differs != ([] if self.at is None else [self.at]) and differs:
            return None
        if self.at is not None:
            return padded[self.at]
        alone = [text for text in _texts(before[1]) if text] if before else []
        return alone[0] if len(alone) == 1 else ""

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows as those of one table."""
        title, width, waiting = "", len(self.names), None
        first = True
        for row in rows:
            new = self.title_in(row, waiting)
            if new is not None:
                title = new.rpartition(":")[2].strip() or title
                if first:
                    names = [
                        OUTPUT if at == self.at else name for at, name in enumerate(self.names)
                    ]
                    yield row[0], [*names, self.called]
                first, waiting = False, None
                continue
            if waiting is not None and not first:
                yield self._titled(waiting, title, width)
            waiting = row
        if waiting is not None:
            yield self._titled(waiting, title, width)

    def _titled(self, row: Row, title: str, width: int) -> Row:
        cells = [*row[1], *[None] * (width - len(row[1]))][:width]
        alone = sum(not is_empty(cell) for cell in cells) < 2  # a note
        return row[0], [*cells, None if alone else title]


def _stack_in(book: Book, sheet: str) -> Stack | None:
    """Return how the first rows of a sheet are tables below each other; None if they are not."""
    rows = list(islice(book.rows(sheet), SAMPLE))
    head = next((one for one in rows if sum(map(bool, _texts(one[1]))) > 1), None)
    if head is None or book.named:
        return None
    names = _texts(head[1])
    again = [row for row in rows if row[0] > head[0] and _differing(names, row[1]) is not None]
    places = {at for row in again for at in _differing(names, row[1]) or ()}
    if not again or len(places) > 1 or not all(names) or len({*names}) < len(names):
        return None
    stack = Stack(tuple(names), next(iter(places), None))
    before = {row[0]: last for last, row in pairwise(rows)}
    titles = [stack.title_in(row, before.get(row[0])) or "" for row in (head, *again)]
    if not all(titles) or len({*titles}) < len(titles):
        return None
    pairs = zip(*titles, strict=False)
    above = "".join(signs[0] for signs in takewhile(lambda signs: len({*signs}) == 1, pairs))
    above = above[: 1 + max(map(above.rfind, " :："))]
    rest = [title.removeprefix(above) for title in titles]
    if above[-2:].strip()[-1:] not in (*":：",) and not all(map(like_a_system, rest)):
        above = ""  # System A, System B
    of = [role for role in TITLED if role in concepts(above)]
    return replace(stack, called=of[0] if of else "", above=above)


def _texts(cells: Sequence[Cell]) -> list[str]:
    texts = ["" if is_empty(cell) else str(cell).strip() for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _differing(names: Sequence[str], cells: Sequence[Cell]) -> list[int] | None:
    """Return the only place in which a row has another name, where it repeats the others of at
    least three; none of them where it repeats all; None for another row."""
    texts = _texts(cells)
    if len(texts) != len(names) or len(names) < 2:
        return None
    places = [at for at, name in enumerate(names) if texts[at] != name]
    return places if len(places) <= (len(names) > 2) else None


def _flat_rows(book: Book, sheet: str, what: str) -> Iterator[Row]:
    rows = book.rows(sheet)
    _, names = next(rows, (0, ()))
    plain = [str(name) for name in names]
    first = list(islice(book.rows(sheet), 1, LOOKED_AT + 1))
    lists = _lists(plain, first, what)
    columns: dict[str, None] = {}
    for _, cells in first:
        for record in _records(plain, cells, lists, what):
            columns |= dict.fromkeys(record)
    if (list(columns) == plain and not lists) or len(columns) > MOST_COLUMNS:
        yield 0, names
        yield from rows
        return
    order = _in_order(plain, list(columns))
    yield 0, order
    for number, cells in rows:
        for record in _records(plain, cells, lists, what):
            if strange := [name for name in record if name not in columns]:
                raise TableError(
                    say(
                        "the key %(key)s is in none of the objects before: write it in the first "
                        "ones",
                        key=shown(strange[0]),
                    ),
                    number,
                )
            yield number, [record.get(name) for name in order]


def _lists(names: list[str], rows: Sequence[Row], what: str) -> tuple[str, ...]:
    """Return the keys whose lists give a row for each entry: lists of objects, and lists of texts
    but for references, with all that are as long in each record. Of several kinds, those that what
    is read needs: judgments for judgments."""
    lengths: dict[str, list[int]] = {}
    objects: dict[str, bool] = {}
    texts: dict[str, bool] = {}
    for _, cells in rows:
        for name, cell in zip(names, cells, strict=False):
            value = _listed(name, _nested(cell))
            if isinstance(value, list) and value:
                lengths.setdefault(name, []).append(len(value))
                objects[name] = objects.get(name, True) and all(
                    isinstance(one, dict) for one in value
                )
                texts[name] = texts.get(name, True) and all(isinstance(one, str) for one in value)
    listed = [name for name in lengths if objects[name]]
    if listed:
        judged = [name for name in listed if concepts(name) & {"annotator", "value"}]
        chosen = (
            (judged or listed)
            if what == "judgments"
            else ([name for name in listed if name not in judged] or listed)
        )
        return (chosen[0],)
    spoken = [
        name
        for name in lengths
        if texts[name]
        and max(lengths[name]) > 1
        and not concepts(name) & {"reference", "annotator", "value"}
    ]
    if not spoken:
        return ()
    first = spoken[0]
    return tuple(
        name
        for name in lengths
        if lengths[name] == lengths[first] and not concepts(name) & {"reference"}
    )


def _records(
    names: list[str], cells: Sequence[Cell], lists: tuple[str, ...], what: str
) -> Iterator[dict[str, Cell]]:
    """Yield the records of a row: one, or one for each entry of its lists."""
    if not lists:
        yield _of_row(names, cells)
        return
    values = {
        name: _listed(name, _nested(cell))
        for name, cell in zip(names, cells, strict=False)
        if name in lists
    }
    entries = max((len(one) for one in values.values() if isinstance(one, list)), default=0)
    bare = [None if name in lists else cell for name, cell in zip(names, cells, strict=False)]
    whole = {name: cell for name, cell in _of_row(names, bare).items() if name not in lists}
    if not entries:
        yield whole
    for at in range(entries):
        record = dict(whole)
        for name, value in values.items():
            part = value[at] if isinstance(value, list) and at < len(value) else None
            _spread(record, name, part, 1)
        entry: Any = values[lists[0]][at] if len(lists) == 1 else {}
        inner = _judgments_in(entry) if what == "judgments" else ""
        if not inner:
            yield record
            continue
        within = f"{lists[0]}.{inner}"
        alone = {name: cell for name, cell in record.items() if not name.startswith(f"{within}.")}
        for part in entry[inner]:
            own = dict(alone)
            _spread(own, within, part, 1)
            yield own


def _judgments_in(entry: object) -> str:
    """Return the key of the only list of objects in an entry of a list; "" if it has none."""
    lists = [
        key
        for key, value in (entry.items() if isinstance(entry, Mapping) else ())
        if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value)
    ]
    return lists[0] if len(lists) == 1 else ""


def _listed(name: str, value: Any) -> Any:
    """Return an object of objects that hold lists of objects as a list of these, each with its
    name: outputs by system, with the judgments of each."""
    if not isinstance(value, Mapping) or len(value) < 2:
        return value
    called = "annotator" if "annotator" in concepts(name) else "system"
    if not all(isinstance(one, Mapping) and called not in one for one in value.values()):
        return value
    if not any(map(_judgments_in, value.values())):
        return value
    return [{called: key, **one} for key, one in value.items()]


def _in_order(names: list[str], columns: list[str]) -> list[str]:
    """Return the columns in the order of the keys they come from."""
    place = {name: at for at, name in enumerate(names)}

    def key(column: str) -> int:
        return next(
            (at for name, at in place.items() if column == name or column.startswith(f"{name}.")),
            len(names),
        )

    return sorted(columns, key=key)


def _of_row(names: Sequence[str], cells: Sequence[Cell]) -> dict[str, Cell]:
    record: dict[str, Cell] = {}
    for name, cell in zip(names, cells, strict=False):
        value = _nested(cell)
        if value is None:
            record[name] = cell
        else:
            _spread(record, name, value, 1)
    return record


def _nested(cell: Cell) -> Any:
    """Return the object or list that a cell holds as JSON; None for another cell."""
    if not isinstance(cell, str) or cell[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _spread(record: dict[str, Cell], name: str, value: Any, depth: int) -> None:
    if isinstance(value, Mapping) and depth <= DEEPEST:
        for key, part in value.items():
            _spread(record, f"{name}.{key}", part, depth + 1)
    elif isinstance(value, list) and depth <= DEEPEST and 0 < len(value) <= MOST_ENTRIES:
        if len(value) == 1 and not isinstance(value[0], dict | list):
            record[name] = plain_cell(value[0])
            return
        for at, part in enumerate(value, 1):
            _spread(record, f"{name}.{at}", part, depth + 1)
    else:
        record[name] = plain_cell(value) if value not in ([], {}) else None
