"""Which time a person answers about a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.importers.tables.books import Cell
from annotation.importers.tables.tools.common.answers import Answered, Records


class Occasions:
    """Equal answers are doubles; others of the same person about the same text are occasions, in
    the order of their times."""

    def __init__(self, records: Records, keys: Sequence[str]) -> None:
        self.keys = keys  # the fields that name the text
        times: dict[int, dict[int, str]] = {}
        for one in records():
            if one.counts and one.annotator:
                times.setdefault(self._text(one), {}).setdefault(_row_of(one), one.judged_at)
        self.places = {
            row: at
            for rows in times.values()
            if len(rows) > 1
            for at, row in enumerate(sorted(rows, key=lambda row: rows[row]), 1)
        }
        self.rows: set[int] = set()

    def _text(self, one: Answered) -> int:
        return hash((tuple(str(one.data.get(name)) for name in self.keys), one.annotator))

    def of(self, one: Answered) -> int | None:
        """Return which time the person answers about the text; None for the same row again."""
        if not one.annotator:
            return 1
        row = _row_of(one)
        if row in self.rows:
            return None
        self.rows.add(row)
        return self.places.get(row, 1)


def _row_of(one: Answered) -> int:
    return hash((key_of(one.data), one.annotator, key_of(one.answers), one.comment, one.judged_at))


def key_of(values: Mapping[str, Cell]) -> tuple[str, ...]:
    """Return what equal values have in common."""
    return tuple(f"{name}={value}" for name, value in sorted(values.items()))
