"""What the columns of a table contain, from its first rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from annotation.importers.tables.books import Cell, Coded, NoValue, is_empty
from paraanno.plain.number_text import read_number

SAMPLE = 2000  # rows
MOST_COLUMNS = 500
MOST_COMPARED = 40  # columns of text
SHOWN = 3
LONG = 80


@dataclass(frozen=True, slots=True)
class Profile:
    """A column: its cells as texts ("" for empty ones), and shares from 0 to 1 of the filled ones.

    `filled` is the share of all rows; `length` the mean number of characters; `values` are the
    numbers, None for another cell.
    """

    texts: tuple[str, ...]
    filled: float
    numeric: float
    dates: float
    distinct: int
    length: float
    lowest: float | None
    highest: float | None
    values: tuple[float | None, ...] = ()

    @property
    def n(self) -> int:
        """The number of filled cells."""
        return sum(map(bool, self.texts))

    @property
    def is_text(self) -> bool:
        """Mostly texts that are no numbers."""
        return self.n > 0 and self.numeric + self.dates < 0.3

    @property
    def is_number(self) -> bool:
        """Mostly numbers (or what a spreadsheet made dates of)."""
        return self.n > 0 and self.numeric >= 0.5 and self.numeric + self.dates > 0.8

    @property
    def repeats(self) -> bool:
        """Few values that come again and again."""
        return 0 < self.distinct <= max(2, min(50, self.n // 3))

    @property
    def is_label(self) -> bool:
        """Short texts of which few come again and again: names, groups, words of a scale."""
        spaces = sum(text.count(" ") for text in self.texts)
        return self.is_text and self.repeats and self.length <= 40 and spaces <= 4 * self.n

    @property
    def kind(self) -> str:
        """What a column mostly holds: number, label or text."""
        return "number" if self.is_number else "label" if self.is_label else "text"

    @property
    def words(self) -> list[str]:
        """The different texts, in the order in which they come."""
        return list(dict.fromkeys(text for text in self.texts if text))

    def examples(self) -> list[str]:
        """Return some different values, shortened."""
        found = list(dict.fromkeys(text for text in self.texts if text))[:SHOWN]
        return [text if len(text) <= LONG else text[:LONG] + "…" for text in found]


def profile(cells: Sequence[Cell], decimal: str) -> Profile:
    """Describe the cells of one column."""
    texts = tuple(_text(cell) for cell in cells)
    filled = [text for text in texts if text]
    values = tuple(
        _number(cell, text, decimal) if text else None
        for cell, text in zip(cells, texts, strict=True)
    )
    numbers = [number for number in values if number is not None]
    dates = sum(isinstance(cell, date | datetime) for cell in cells)
    n = max(1, len(filled))
    return Profile(
        texts, len(filled) / max(1, len(cells)), len(numbers) / n, dates / n, len(Counter(filled)),
        sum(map(len, filled)) / n, min(numbers, default=None), max(numbers, default=None),
        values,
    )  # fmt: skip


def _text(cell: Cell) -> str:
    if is_empty(cell):
        return ""
    if isinstance(cell, Coded):
        return cell.label
    return "?" if isinstance(cell, NoValue) else str(cell).strip()


def _number(cell: Cell, text: str, decimal: str) -> float | None:
    if isinstance(cell, bool | date | NoValue):
        return None
    if isinstance(cell, int | float):
        return float(cell)
    return read_number(text, decimal)


def contained(inner: Profile, outer: Profile) -> float:
    """Return in which share of the rows with both the inner text occurs in the outer, longer one.

    Case is ignored.
    """
    both = inside = 0
    for small, large in zip(inner.texts, outer.texts, strict=True):
        if small and large:
            both += 1
            inside += len(small) < len(large) and small.casefold() in large.casefold()
    return inside / both if both >= 2 or (both == 1 and len(inner.texts) == 1) else 0.0


def same_texts(key: Profile, value: Profile) -> bool:
    """Whether equal keys are beside equal values."""
    seen: dict[str, str] = {}
    return all(
        seen.setdefault(one, two) == two
        for one, two in zip(key.texts, value.texts, strict=True)
        if one and two
    )
