"""Figures as data: one description, drawn as SVG on pages (screen.py) and by matplotlib for print
(paper.py). No Django."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from paraanno.common.cells import escape

# The data of a figure, independent of the renderer: the same table for screen and print.


Kind = Literal["points", "line", "range", "bars"]
Tone = Literal["", "faint", "ink"]
# What a point is: the columns of a figure's table behind its numbers.
Named = tuple[str, ...]
Beside = tuple[str | float | None, ...]
Place = float | str
MINUS = "\N{MINUS SIGN}"
_NUMBERS = re.compile(r"-?[0-9][0-9.]*(?:e[-+]?[0-9]+)?(?:–-?[0-9][0-9.]*(?:e[-+]?[0-9]+)?)?")


def written(value: float, form: str) -> str:
    """Format a number with a true minus sign, as on the axes."""
    return f"{value:{form}}".replace("-", MINUS)


def as_read(name: str) -> str:
    """Return a tick label; a number or a range of numbers gets true minus signs."""
    return name.replace("-", MINUS) if _NUMBERS.fullmatch(name) else name


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis. `low` and `high` fix its limits; `names` makes it categorical, in that order."""

    title: str
    low: float | None = None
    high: float | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """A data series: points, a line, points with an interval each, or bars of a `width`, which
    stand on those of the series before.

    `x`, `y` and, where given, `low` and `high` (the interval of y; None for a missing limit),
    `texts` (a label for each point), `links` (the address a point opens) and `about` (what it is:
    a value for each of the figure's `about` columns) have equal length; so have `sizes`, from 0
    (small) to 1 (large) for points that show a third number, and `hollow`, of ranges that do not
    count the same. `labelled` writes the texts beside the points. `tone`: not the next colour, but
    the first one, faint (what does not count), or ink (what all are compared with).
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: Kind = "points"
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    texts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    about: tuple[Named, ...] = ()
    sizes: tuple[float, ...] = ()
    hollow: tuple[bool, ...] = ()
    width: float = 0.8
    labelled: bool = False
    tone: Tone = ""

    def __post_init__(self) -> None:
        beside = (self.texts, self.links, self.about, self.sizes, self.hollow)
        for column in (self.y, self.low, self.high, *beside):
            if column and len(column) != len(self.x):
                raise ValueError(f"The columns of {self.name!r} are not equally long.")


@dataclass(frozen=True, slots=True)
class Grid:
    """A heat map: rows from bottom to top, columns from left to right, None for an empty cell.

    `x` and `y` are category names, or the centres of cells of equal width on numeric axes.
    """

    name: str
    x: tuple[float, ...] | tuple[str, ...]
    y: tuple[float, ...] | tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    low: float | None = None
    high: float | None = None
    written: bool = False  # Print the value in each cell.
    both_ways: bool = False  # Diverging colours, centred at 0.
    counts: bool = False  # Values are skewed positive counts: logarithmic colour scale.

    def named(self, called: Mapping[str, str]) -> Grid:
        """The same with other names of its categories."""
        return replace(self, x=_called(self.x, called), y=_called(self.y, called))


def _called(
    places: tuple[float, ...] | tuple[str, ...], called: Mapping[str, str]
) -> tuple[float, ...] | tuple[str, ...]:
    names = tuple(called.get(one, one) for one in places if isinstance(one, str))
    return names or cast("tuple[float, ...]", places)


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical reference line with a label, or (`diagonal`) the line y = x; with an interval it
    is dashed, between the ends of a band."""

    at: float = 0.0
    name: str = ""
    diagonal: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """One pair of axes.

    called   what people call the names of series, categories and cells; the table keeps the names
    note     what the caption must state (a random sample of points, the kind of intervals)
    beside   whether several series at one x category are drawn side by side
    sideways whether values go across, and the categories of x down from the top (in print)
    about    names of the columns that say what a point is
    """

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    cells: Grid | None = None
    marks: tuple[Mark, ...] = ()
    note: str = ""
    beside: bool = False
    sideways: bool = False
    about: Named = ()
    called: Mapping[str, str] = field(default_factory=dict)

    @property
    def drawn(self) -> Figure:
        """The figure with its names as people write them."""

        def as_called(axis: Axis) -> Axis:
            return replace(axis, names=tuple(self.called.get(one, one) for one in axis.names))

        return replace(
            self,
            x=as_called(self.x),
            y=as_called(self.y),
            series=tuple(
                replace(one, name=self.called.get(one.name, one.name)) for one in self.series
            ),
            cells=self.cells and self.cells.named(self.called),
            called={},
        )

    @property
    def _ranges(self) -> bool:
        return any(series.low for series in self.series)

    @property
    def beside_points(self) -> Named:
        """Names of the columns after the value: the ends of ranges, and what a point is."""
        return (*(("low", "high") if self._ranges else ()), *self.about)

    def rows(self) -> Iterator[tuple[str, Place, Place, float | None, Beside]]:
        """Yield the plotted data as rows (series, x, y, value of a cell or None, and the columns of
        `beside_points`)."""
        ranges: Beside = (None, None) if self._ranges else ()
        unknown = ("",) * len(self.about)
        for series in self.series:
            for at, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
                low_high = (series.low[at], series.high[at]) if series.low else ranges
                about = series.about[at] if series.about else unknown
                yield series.name, x, y, None, (*low_high, *about)
        if self.cells is not None:
            lines = zip(list[Place](self.cells.y), self.cells.values, strict=True)
            for height, line in lines:
                for place, value in zip(list[Place](self.cells.x), line, strict=True):
                    if value is not None:
                        yield self.cells.name, place, height, value, (*ranges, *unknown)


def numbers_csv(figure: Figure) -> bytes:
    """The numbers of a figure as CSV: unchanged, with what each point is where that is known; names
    are escaped so that spreadsheets do not read them as formulas."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["series", "x", "y", "value", *figure.beside_points])
    for series, x, y, value, beside in figure.rows():
        row = (series, _named(x, figure.x.names), _named(y, figure.y.names), value, *beside)
        writer.writerow([escape(one) if isinstance(one, str) else one for one in row])
    return stream.getvalue().encode()


def _named(place: Place, names: tuple[str, ...]) -> Place:
    return names[int(place)] if names and not isinstance(place, str) else place


# What screen and print have in common.


# Okabe and Ito (2008): safe for colour-blind readers, on light and dark backgrounds. The style
# sheet of pages has the same (static/css/charts.css).
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
# Cividis, and red and blue around white.
ONE_WAY = ("#00224e", "#434e6c", "#7d7c78", "#bcae6c", "#fee838")
TWO_WAYS = ("#2166ac", "#92c5de", "#f7f7f7", "#f4a582", "#b2182b")


def blend(stops: Sequence[str], share: float) -> tuple[str, bool]:
    """The colour at a share of the way through the stops, and whether text on it must be white."""
    at = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    first = min(int(at), len(stops) - 2)
    one, other = (
        [int(stops[place][start : start + 2], 16) for start in (1, 3, 5)]
        for place in (first, first + 1)
    )
    mixed = [round(a + (b - a) * (at - first)) for a, b in zip(one, other, strict=True)]
    red, green, blue = mixed
    dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 118
    return f"#{red:02x}{green:02x}{blue:02x}", dark
