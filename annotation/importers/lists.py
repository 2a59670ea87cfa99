"""Files of fixed lists: who judges what, one item a line."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.importers.columns import Known
from annotation.importers.spans import Place, read_place
from paraanno.plain.cells import Cells
from paraanno.plain.lines import Source
from paraanno.plain.problems import Parsed, ProblemLog
from paraanno.plain.records import RecordSource, read_records
from paraanno.plain.sentence import say

LONGEST = 60
LISTS = Known.fixed(
    say("lists"), ("annotator", "list", "item", "phrase", "sentence", "start", "end")
)


@dataclass(frozen=True, slots=True)
class ListRow:
    """An item for an annotator (by code), or for a list that waits for one (by its name).

    The item is given by its outside id, or by its place; one of the two is None.
    """

    line: int
    annotator: str | None
    list_name: str | None
    item: str | None
    place: Place | None

    @property
    def whose(self) -> tuple[str, str]:
        """Equal for the rows of one list."""
        return (self.annotator or "", self.list_name or "")


def read_lists(
    source: Source | RecordSource, *, name: str, format: str | None = None, raw: bool = False
) -> Parsed[ListRow]:
    """Read a file of lists; `source`, `name`, `format` and `raw` as in `read_items`.

    An item twice on one list is an error that names both lines.
    """
    log = ProblemLog(name)
    seen: dict[tuple[object, ...], int] = {}
    rows: list[ListRow] = []
    for cells in read_records(source, log=log, format=format, raw=raw, columns=LISTS):
        row = _row(cells)
        if row is None:
            continue
        first = seen.setdefault((row.whose, row.item, row.place), row.line)
        if first != row.line:
            cells.fail(
                None, say("the same item is on this list in line %(line)s too: remove one",
                          line=first)
            )  # fmt: skip
            continue
        rows.append(row)
    return Parsed(tuple(rows), log.problems())


def _row(cells: Cells) -> ListRow | None:
    annotator, named = cells.name("annotator", LONGEST), cells.name("list", LONGEST)
    if cells.failed:
        return None
    if (annotator is None) == (named is None):
        said = say(
            "nobody or two people are named: give either an annotator’s code or, for somebody who "
            "comes later, a list’s name"
        )
        cells.fail("annotator", said)
        return None
    item, place = cells.name("item"), None
    if item is None and not cells.failed:
        if not ({"sentence", "phrase"} & cells.values.keys()):
            cells.fail("item", say("is empty: give the item, or its phrase, sentence and start"))
        else:
            place = read_place(cells)
    if cells.failed or (item is None and place is None):
        return None
    return ListRow(cells.line, annotator, named, item, place)
