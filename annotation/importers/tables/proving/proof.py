"""What is to be proven: a table as it is guessed, with what its cells say as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from annotation.importers.tables.books import Cell, place_of
from annotation.importers.tables.looking import Looked, Seen
from annotation.importers.tables.mapped import VALUES, RowReader
from annotation.importers.tables.mapping import IGNORE, ColumnMap
from annotation.importers.tables.profiles import Profile

TEXT = ("sentence", "phrase", "paraphrase", "start", "item", "displayed")
NEW = ("paraphrase", "output_of")
Text = tuple[object, ...]
Findings = Iterator[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """One value of the table."""

    text: Text
    scale: str
    annotator: str
    occasion: str
    value: float


@dataclass(frozen=True, slots=True)
class Beside:
    """The texts of a file that are no part of its table: rows above and below, other sheets,
    remarks on cells; `again` are rows of totals and heads that come again."""

    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    # Rows with cells that look otherwise than most of their column, by its place.
    marks: Mapping[int, Set[int]] = field(default_factory=dict)


class Proof:
    """A table as a mapping reads it. Rules look here for their evidence."""

    def __init__(self, mapping: ColumnMap, looked: Looked, beside: Beside) -> None:
        self.mapping, self.looked, self.beside = mapping, looked, beside

    @cached_property
    def values(self) -> list[Seen]:
        """The columns that are read as judgments, and do not ask already."""
        judged = self.mapping.what == "judgments"
        columns = self.looked.columns if judged else ()
        return [one for one in columns if one.guess.role in VALUES and not one.guess.ask]

    @cached_property
    def plain(self) -> list[Seen]:
        """Those of them that nobody read to another range: these were looked at."""
        table = self.looked.table
        turned = table.rescaled if table is not None else frozenset()
        return [one for one in self.values if place_of(one.column) not in turned]

    @cached_property
    def profiles(self) -> Mapping[str, Profile]:
        """What each column holds, by its letters."""
        profiles = self.looked.profiles
        return {
            one.column: profiles[place_of(one.column) or 0]
            for one in self.looked.columns
            if (place_of(one.column) or 0) < len(profiles)
        }

    def columns(self, *roles: str) -> list[Seen]:
        """The columns of some roles."""
        return [one for one in self.looked.columns if one.guess.role in roles]

    @cached_property
    def records(self) -> list[tuple[int, Mapping[str, object]]]:
        """The records of the rows that were looked at, without those that fail."""
        mapping = self.mapping
        placed = [(place_of(one.column) or 0, one) for one in mapping.columns if one.role != IGNORE]
        reader = RowReader(mapping, placed)
        return [
            (number, values)
            for number, cells in self.looked.rows
            for values, failures, _ in reader.read(cells)
            if not failures
        ]

    @cached_property
    def judged(self) -> list[JudgedValue]:
        """The values that the table holds."""
        if self.mapping.what != "judgments":
            return []
        return list(self._judged())

    def _judged(self) -> Iterator[JudgedValue]:
        for _, one in self.records:
            try:
                value = float(str(one.get("value")))
            except ValueError:
                continue
            yield JudgedValue(
                tuple(one.get(name) for name in TEXT),
                str(one.get("scale") or ""),
                str(one.get("annotator") or ""),
                str(one.get("occasion") or ""),
                value,
            )

    @cached_property
    def people(self) -> Mapping[str, Mapping[str, Mapping[Text, float]]]:
        """What each annotator gave to each text, by scale: of wide tables and long ones."""
        by_scale: dict[str, dict[str, dict[Text, float]]] = {}
        for one in self.judged:
            by_scale.setdefault(one.scale, {}).setdefault(one.annotator, {})[one.text] = one.value
        return by_scale

    def cells(self, column: str) -> Sequence[Cell]:
        """The cells of a column."""
        at = place_of(column) or 0
        return [cells[at] if at < len(cells) else None for _, cells in self.looked.rows]

    def scale_of(self, one: Seen) -> str:
        """The scale of a column of values; "" if it is not certain."""
        guess = one.guess
        return guess.of if guess.role == "value_of" else guess.scale or self.looked.scale


def original_of(text: Text) -> Text:
    """Return the original of a judged text."""
    place = TEXT.index("paraphrase")
    return text[:place] + text[place + 1 :]
