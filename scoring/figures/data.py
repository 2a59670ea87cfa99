"""What a figure shows, whoever draws it: the one table behind the screen and the paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["points", "line", "range"]
Place = float | str
MINUS = "\N{MINUS SIGN}"
_NUMBERS = re.compile(r"-?[0-9][0-9.]*(?:e[-+]?[0-9]+)?(?:–-?[0-9][0-9.]*(?:e[-+]?[0-9]+)?)?")  # noqa: RUF001


def written(value: float, form: str) -> str:
    """A number in figures, with a minus sign as on the axes."""
    return f"{value:{form}}".replace("-", MINUS)


def as_read(name: str) -> str:
    """A name on an axis; one that is a number, or goes from one to another, with minus signs."""
    return name.replace("-", MINUS) if _NUMBERS.fullmatch(name) else name


@dataclass(frozen=True, slots=True)
class Axis:
    """`low` and `high` fix its ends; `names` makes it an axis of categories, in that order."""

    title: str
    low: float | None = None
    high: float | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """Points, a line through them, or a dot with a range for each place.

    `x`, `y` and, where given, `low` and `high` (an interval of y; None where there is none),
    `texts` (one for each point) and `links` (what a point opens) are equally long.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: Kind = "points"
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    texts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for column in (self.y, self.low, self.high, self.texts, self.links):
            if column and len(column) != len(self.x):
                raise ValueError(f"The columns of {self.name!r} are not equally long.")


@dataclass(frozen=True, slots=True)
class Cells:
    """A grid of values: rows from the bottom, columns from the left; None for an empty cell.

    `x` and `y` are names, or the middles of cells of equal width on axes of numbers.
    """

    name: str
    x: tuple[float, ...] | tuple[str, ...]
    y: tuple[float, ...] | tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    low: float | None = None
    high: float | None = None
    written: bool = False  # Each cell says its value.
    both_ways: bool = False  # Colours part at 0.
    counts: bool = (
        False  # Values are counts above 0, of which a few are large: logarithmic colours.
    )


@dataclass(frozen=True, slots=True)
class Mark:
    """An upright line with a word, or (`diagonal`) the line of equal x and y."""

    at: float = 0.0
    name: str = ""
    diagonal: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One pair of axes. `note` says what a caption must (drawn by lot, intervals of what).
    `beside`: what several series have at one name of the x axis stands side by side."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    cells: Cells | None = None
    marks: tuple[Mark, ...] = ()
    note: str = ""
    beside: bool = False

    def rows(self) -> Iterator[tuple[str, Place, Place, float | None]]:
        """What is drawn as rows (series, x, y, value of a cell or None): the table behind it."""
        for series in self.series:
            for x, y in zip(series.x, series.y, strict=True):
                yield series.name, x, y, None
        if self.cells is not None:
            lines = zip(list[Place](self.cells.y), self.cells.values, strict=True)
            for height, line in lines:
                for place, value in zip(list[Place](self.cells.x), line, strict=True):
                    if value is not None:
                        yield self.cells.name, place, height, value
