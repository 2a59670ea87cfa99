"""Figures as data, rendered by Plotly on screen and by matplotlib for print. No Django."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from paraanno.common.cells import escape
from paraanno.common.records import Json, JsonObject

# The data of a figure, independent of the renderer: the same table for screen and print.


Kind = Literal["points", "line", "range"]
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
    """A data series: points, a line, or points with an interval each.

    `x`, `y` and, where given, `low` and `high` (the interval of y; None for a missing limit),
    `texts` (a label for each point), `links` (the address a point opens) and `about` (what it is:
    a value for each of the figure's `about` columns) have equal length; so have `sizes`, from 0
    (small) to 1 (large) for points that show a third number. `labelled` writes the texts beside
    the points.
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
    labelled: bool = False

    def __post_init__(self) -> None:
        beside = (self.texts, self.links, self.about, self.sizes)
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


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical reference line with a label, or (`diagonal`) the line y = x."""

    at: float = 0.0
    name: str = ""
    diagonal: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One pair of axes.

    note     what the caption must state (a random sample of points, the kind of intervals)
    beside   whether several series at one x category are drawn side by side
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
    about: Named = ()

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


# A figure as a Plotly specification. The page's style sheet sets background and text colours.


# Okabe and Ito (2008): safe for colour-blind readers, on light and dark backgrounds.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
ONE_WAY = "Cividis"
TWO_WAYS = "RdBu"
SHORT = 80
POINT, LEAST_POINT, MORE_POINT = 8, 8, 24  # Pixels, of points alike and of sized ones.
TICK = 24  # Longer tick labels lose their middle: variants differ at either end.
LEAST_HEIGHT, NAME_HEIGHT, AROUND = 416, 22, 190  # Pixels.


def plotly_figure(figure: Figure) -> JsonObject:
    """Return {data, layout} of plain values. A point's customdata is the address it opens.

    Texts are shortened and escaped, because Plotly interprets some HTML in labels.
    """
    data = [_trace(series, at, figure) for at, series in enumerate(figure.series)]
    bands = [band for at, one in enumerate(figure.series) if (band := _band(one, at))]
    if figure.cells is not None:
        data.insert(0, _heat(figure.cells))
    layout: JsonObject = {"scattermode": "group"} if figure.beside else {}
    if figure.y.names:
        layout["height"] = max(LEAST_HEIGHT, AROUND + NAME_HEIGHT * len(figure.y.names))
    return {
        "data": [*bands, *data],
        "layout": layout
        | {
            "xaxis": _axis(figure.x),
            "yaxis": _axis(figure.y),
            "margin": {"l": 60, "r": 20, "t": 20, "b": 55},
            "hovermode": "closest",
            "showlegend": len(figure.series) > 1,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "shapes": [_line(mark) for mark in figure.marks],
            "annotations": [_word(mark) for mark in figure.marks if mark.name],
        },
    }


def _trace(series: Series, at: int, figure: Figure) -> JsonObject:
    colour = PALETTE[at % len(PALETTE)]
    trace: JsonObject = {
        "type": "scatter",
        "mode": {"points": "markers", "line": "lines", "range": "markers"}[series.kind],
        "name": plain(series.name),
        "x": _ticks_named(series.x, figure.x),
        "y": _ticks_named(series.y, figure.y),
        "hovertemplate": _hover(series, figure),
    }
    if series.kind == "line":
        trace["line"] = {"color": colour, "width": 2, "dash": DASHES[at % len(DASHES)]}
    else:
        symbol = SYMBOLS[at % len(SYMBOLS)]
        opacity = 0.55 if series.kind == "points" else 1
        sizes: Json = [LEAST_POINT + MORE_POINT * share for share in series.sizes] or POINT
        trace["marker"] = {"size": sizes, "opacity": opacity, "color": colour, "symbol": symbol}
    if series.texts:
        trace["text"] = [plain(text) for text in series.texts]
    if series.labelled:
        trace |= {"mode": "markers+text", "textposition": "top center", "cliponaxis": False}
    if series.links:
        trace["customdata"] = list(series.links)
    if series.kind == "range" and series.low:
        trace["error_y"] = _error(series, colour)
    return trace


def _error(series: Series, colour: str) -> JsonObject:
    """Return error bars: the distance from each value to its interval limits."""
    ends = list(zip(series.y, series.low, series.high, strict=True))
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if high is None else high - y for y, _, high in ends],
        "arrayminus": [0 if low is None else y - low for y, low, _ in ends],
        "color": colour,
    }


def _band(series: Series, at: int) -> JsonObject | None:
    """Return the confidence band of a line, or None if it has no intervals."""
    if series.kind != "line" or not series.low:
        return None
    there = [
        (x, low, high)
        for x, low, high in zip(series.x, series.low, series.high, strict=True)
        if low is not None and high is not None
    ]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _, _ in there] + [x for x, _, _ in reversed(there)],
        "y": [high for _, _, high in there] + [low for _, low, _ in reversed(there)],
        "fill": "toself",
        "fillcolor": PALETTE[at % len(PALETTE)],
        "opacity": 0.18,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _heat(cells: Grid) -> JsonObject:
    name = plain(cells.name)
    trace: JsonObject = {
        "type": "heatmap",
        "name": name,
        "x": [_name(one) if isinstance(one, str) else one for one in cells.x],
        "y": [_name(one) if isinstance(one, str) else one for one in cells.y],
        "z": [list(line) for line in cells.values],
        "colorscale": TWO_WAYS if cells.both_ways else ONE_WAY,
        "reversescale": False,
        "hoverongaps": False,
        "hovertext": [
            [
                _hover_text(name, x, y, value)
                for x, value in zip(list[Place](cells.x), line, strict=True)
            ]
            for y, line in zip(list[Place](cells.y), cells.values, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }
    colorbar: JsonObject = {"title": {"text": name}, "thickness": 12}
    if cells.counts:
        # Plotly has no logarithmic colour scale: pass logarithms, and the counts as text.
        trace["text"] = [["" if n is None else f"{n:g}" for n in line] for line in cells.values]
        trace["z"] = [[None if n is None else math.log10(n) for n in line] for line in cells.values]
        colorbar |= {
            "tickvals": list(range(9)),
            "ticktext": [f"{10**power:,}" for power in range(9)],
        }
    trace["colorbar"] = colorbar
    if cells.low is not None and cells.high is not None:
        trace |= {"zmin": cells.low, "zmax": cells.high}
    if cells.written:
        trace["text"] = [
            ["" if value is None else written(value, ".2f") for value in line]
            for line in cells.values
        ]
        trace["texttemplate"] = "%{text}"
    return trace


def _hover_text(name: str, x: Place, y: Place, value: float | None) -> str:
    """Return the hover text of a cell; Plotly itself writes negative numbers with hyphens."""
    if value is None:
        return ""
    places = [_name(one) if isinstance(one, str) else written(one, ".4g") for one in (x, y)]
    return "<br>".join([*places, f"{name}: {written(value, '.4g')}"])


def _axis(axis: Axis) -> JsonObject:
    layout: JsonObject = {
        "title": {"text": plain(axis.title)},
        "zeroline": False,
        "automargin": True,
    }
    if axis.names:
        layout |= {"type": "category", "categoryorder": "array"}
        names = [_name(name) for name in axis.names]
        layout |= {"categoryarray": names, "tickvals": names, "autotickangles": [0, -45, -90]}
        layout["ticktext"] = [_name(_middle_out(name)) for name in axis.names]
    elif axis.low is not None and axis.high is not None:
        layout["range"] = [axis.low, axis.high]
    return layout


def _middle_out(name: str) -> str:
    half = TICK // 2
    return name if len(name) <= TICK else f"{name[: half - 1]}…{name[-half:]}"


def _ticks_named(places: tuple[float, ...], axis: Axis) -> list[Json]:
    """Replace positions by category names if the axis is categorical."""
    return [_name(axis.names[int(at)]) for at in places] if axis.names else list(places)


def _hover(series: Series, figure: Figure) -> str | list[str]:
    """Return one hover template, or one per point if a number is negative.

    Plotly writes negative numbers with a hyphen, so those are formatted here.
    """
    first = "%{text}<br>" if series.texts else f"{plain(series.name)}<br>"
    x = "%{x}" if figure.x.names else "%{x:.4~g}"
    y = "%{y:.3~f}"
    start, middle = f"{first}{plain(figure.x.title)}: ", f"<br>{plain(figure.y.title)}: "
    named = bool(figure.x.names)
    if min(series.y, default=0) >= 0 and (named or min(series.x, default=0) >= 0):
        return f"{start}{x}{middle}{y}<extra></extra>"
    return [
        f"{start}{x if named else written(place, '.4g')}{middle}{_trimmed(height)}<extra></extra>"
        for place, height in zip(series.x, series.y, strict=True)
    ]


def _trimmed(value: float) -> str:
    """Format as Plotly's `.3~f`: three decimals without trailing zeros."""
    return written(round(value, 3) + 0.0, ".3f").rstrip("0").rstrip(".")


def _line(mark: Mark) -> JsonObject:
    line: JsonObject = {"width": 1, "dash": "dot"}
    if mark.diagonal:
        return {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": line}
    return {
        "type": "line",
        "x0": mark.at,
        "x1": mark.at,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": line,
    }


def _word(mark: Mark) -> JsonObject:
    return {
        "x": mark.at,
        "y": 1,
        "yref": "paper",
        "yanchor": "top",
        "xanchor": "left",
        "text": plain(mark.name),
        "showarrow": False,
    }


def _name(name: str) -> str:
    return plain(as_read(name))


def plain(text: str) -> str:
    """Shorten a text and escape Plotly's markup and template placeholders."""
    short = text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
    for mark, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("%{", "% {")):
        short = short.replace(mark, safe)
    return " ".join(short.split())
