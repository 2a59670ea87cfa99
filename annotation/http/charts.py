"""Charts as data for inline SVG: x in per cent, so that a chart is as wide as its box while its
text keeps its size. All coordinates are strings, so that every language writes a decimal point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Protocol
from xml.sax.saxutils import escape, quoteattr

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.exporters import Column, row_chunks
from paraanno.minus import minus

ROUND = (1, 2, 2.5, 5, 10)
STEPS = 3  # An axis has about as many.


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """A number line from `low` to `high` with its ticks; values outside are drawn on its edge."""

    low: float
    high: float
    ticks: tuple[float, ...]
    bounded: bool = False  # Of coefficients, which cannot pass 1: written without a leading zero.

    def at(self, value: float) -> str:
        """The place of a value in per cent."""
        return f"{self.share(value):.2f}%"

    def share(self, value: float) -> float:
        share = 100 * (value - self.low) / (self.high - self.low)
        return min(100.0, max(0.0, share))

    def labels(self) -> list[tuple[str, str, str]]:
        """(place, text, anchor) of each tick; words near an edge stay inside."""
        digits = _digits(self.ticks)
        return [
            (
                self.at(one),
                number(one, digits, bounded=self.bounded) if one else "0",
                anchor(self.share(one)),
            )
            for one in self.ticks
        ]


def anchor(share: float) -> str:
    """The anchor of a text at a place in per cent, so that it stays inside the chart."""
    return "start" if share < 5 else "end" if share > 92 else "middle"


def number(value: float, digits: int = 2, *, bounded: bool = False, sign: bool = False) -> str:
    """A number with a true minus; `bounded`: .71 and not 0.71."""
    text = f"{value:{'+' if sign else ''}.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    if bounded and abs(value) < 1:
        text = text.replace("0.", ".", 1)
    return str(minus(text))


def interval(
    low: float | None,
    high: float | None,
    digits: int = 2,
    *,
    bounded: bool = False,
    sign: bool = False,
) -> str:
    """An interval in brackets; empty if it lacks an end."""
    if low is None or high is None:
        return ""
    ends = (number(one, digits, bounded=bounded, sign=sign) for one in (low, high))
    return f"[{', '.join(ends)}]"


def axis_for(
    values: Iterable[float | None],
    *,
    least: float | None = None,
    most: float | None = None,
    bounded: bool = False,
    steps: int = STEPS,
) -> ChartAxis:
    """An axis over all the values with round ticks, within `least` and `most` where they are given.

    It covers the data, not 0 to the end. Without values it goes from 0 to 1.
    """
    numbers = [one for one in values if one is not None]
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    if high - low < 1e-9:
        low, high = low - 0.5 * (abs(low) or 1), high + 0.5 * (abs(high) or 1)
    step = _step((high - low) / steps)
    start, end = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
    start = start if least is None else max(start, least)
    end = end if most is None else min(end, most)
    first, last = ceil(start / step - 1e-9), floor(end / step + 1e-9)
    ticks = tuple(round(step * at, 10) + 0.0 for at in range(first, last + 1))
    return ChartAxis(start, end, ticks, bounded)


def _step(wanted: float) -> float:
    size = 10.0 ** floor(log10(wanted))
    return float(next(one * size for one in ROUND if one * size >= wanted - 1e-12))


def _digits(ticks: Sequence[float]) -> int:
    for digits in range(4):
        if all(abs(one - round(one, digits)) < 1e-9 for one in ticks):
            return digits
    return 4


@dataclass(frozen=True, slots=True)
class DotRow:
    """A value with its interval, drawn as a dot with whiskers, and written.

    hollow   not told apart, a bound, or left out: it is there and does not count the same
    url      the page of what it is made of
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    hollow: bool = False
    url: str = ""
    digits: int = 2
    bounded: bool = False
    sign: bool = False
    reason: object = ""

    @property
    def shown(self) -> str:
        if self.value is None:
            return "–"
        return number(self.value, self.digits, bounded=self.bounded, sign=self.sign)

    @property
    def ends(self) -> str:
        return interval(self.low, self.high, self.digits, bounded=self.bounded, sign=self.sign)


@dataclass(frozen=True, slots=True)
class DotChart:
    """Rows on one axis. `ceiling` is drawn through every row, `refs` are dotted lines."""

    axis: ChartAxis
    rows: tuple[DotRow, ...]
    ceiling: DotRow | None = None
    refs: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        rows: Sequence[DotRow],
        *,
        ceiling: DotRow | None = None,
        refs: Sequence[float] = (),
        least: float | None = None,
        most: float | None = None,
    ) -> DotChart:
        """The rows on an axis that covers them, their intervals, the ceiling and the lines."""
        every = [*rows, *([ceiling] if ceiling is not None else [])]
        values = [end for row in every for end in (row.value, row.low, row.high)]
        bounded = bool(every) and all(row.bounded for row in every)
        axis = axis_for([*values, *refs], least=least, most=most, bounded=bounded)
        return cls(axis, tuple(rows), ceiling, tuple(refs))


def line_path(points: Sequence[tuple[float, float]], x: ChartAxis, y: ChartAxis) -> str:
    """A path through points, for a viewBox of 100 by 100 that is stretched over the plot."""
    places = [f"{x.share(at):.2f} {100 - y.share(value):.2f}" for at, value in points]
    return "M" + "L".join(places) if places else ""


def band_path(
    low: Sequence[tuple[float, float]],
    high: Sequence[tuple[float, float]],
    x: ChartAxis,
    y: ChartAxis,
) -> str:
    """A closed path between two lines."""
    return line_path([*low, *reversed(high)], x, y) + "Z" if low and high else ""


# The pictures of pages as files: the data of a chart as CSV, and the chart as an SVG of its own.
#
# A page hands its charts over by name; `?chart=NAME.csv` of the same address answers with the file:
# it has the same choice of judgments and the same rights as the picture.


TYPES = {"csv": "text/csv; charset=utf-8", "svg": "image/svg+xml"}
NAMES, PLOT, NUMBERS, ROW, TOP = 220, 380, 180, 28, 56  # px: widths of the columns, and heights
INK, SOFT, ACCENT, PALE, LINE, GRID = (
    "#1d1e20",
    "#55575c",
    "#1f5f8b",
    "#b3cfe1",
    "#85857b",
    "#e6e6e0",
)

Value = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class ChartFile:
    """One chart. `beside` has further columns of its rows, in their order; `called`, what people
    call the rows, where the table has names of its own."""

    title: str
    panels: Sequence[tuple[str, DotChart]]  # One, or a column of a matrix each.
    beside: Sequence[Mapping[str, Value]] = ()
    called: Mapping[str, str] = field(default_factory=dict)

    def csv(self) -> str:
        """A line for each dot; a matrix names the column."""
        rows: list[dict[str, Value]] = []
        for label, chart in self.panels:
            ends = (chart.ceiling,) if chart.ceiling is not None else ()
            for at, row in enumerate((*chart.rows, *ends)):
                more = self.beside[at] if at < min(len(self.beside), len(chart.rows)) else {}
                named = {"column": label} if len(self.panels) > 1 else {}
                rows.append({**named, **_numbers(row), **more})
        return table_csv(rows)

    def svg(self) -> str:
        """The panels beside each other, with the numbers written."""
        first = self.panels[0][1]
        rows = [*first.rows, *([first.ceiling] if first.ceiling is not None else [])]
        panel = PLOT + NUMBERS
        width, height = NAMES + panel * len(self.panels), TOP + ROW * len(rows) + 16
        drawn = [text(8, 20, self.title, weight=650)]
        names = [self.called.get(row.name, row.name) for row in rows]
        drawn += [text(8, TOP + ROW * at + 19, name) for at, name in enumerate(names)]
        for at, (label, chart) in enumerate(self.panels):
            drawn += _panel(NAMES + at * panel, label if len(self.panels) > 1 else "", chart)
        return document(self.title, width, height, drawn)


@dataclass(frozen=True, slots=True)
class BarsFile:
    """A histogram: (from, to, n, whether these pass); bars of one place stand on each other."""

    title: str
    axis: ChartAxis
    bars: Sequence[tuple[float, float, int, bool]]

    def csv(self) -> str:
        return table_csv(
            [
                {"from": low, "to": high, "texts": n, "passes": passes}
                for low, high, n, passes in self.bars
            ]
        )

    def svg(self) -> str:
        height, floor, left = 200, TOP + 200, 40
        heights: dict[float, int] = {}
        for low, _high, n, _passes in self.bars:
            heights[low] = heights.get(low, 0) + n
        most, below = max(heights.values(), default=1), dict.fromkeys(heights, 0)
        drawn = [text(8, 20, self.title, weight=650), text(4, TOP + 4, str(most), SOFT)]
        for low, high, n, passes in self.bars:
            x, end = (left + PLOT * self.axis.share(one) / 100 for one in (low, high))
            tall = height * n / most
            y = floor - height * below[low] / most - tall
            below[low] += n
            drawn.append(rect(x + 1, y, max(1.0, end - x - 2), tall, ACCENT if passes else PALE))
        drawn.append(line(left, floor, left + PLOT, floor, LINE))
        drawn += [
            text(left + PLOT * float(x[:-1]) / 100, floor + 18, label, SOFT, anchor)
            for x, label, anchor in self.axis.labels()
        ]
        return document(self.title, left + PLOT + 40, floor + 32, drawn)


class ChartAsFile(Protocol):
    """A picture with its numbers."""

    def csv(self) -> str: ...
    def svg(self) -> str: ...


def chart_asked(
    request: HttpRequest, slug: str, charts: Mapping[str, ChartAsFile]
) -> HttpResponse | None:
    """The file that `?chart=NAME.csv` (or .svg) asks for; None where no file is asked for. Raises
    NotFound if the page has no such chart."""
    filename = request.GET.get("chart")
    if filename is None:
        return None
    name, _dot, form = filename.rpartition(".")
    if name not in charts or form not in TYPES:
        raise NotFound(_("There is no such picture."))
    chart = charts[name]
    content = "\ufeff" + chart.csv() if form == "csv" else chart.svg()
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{name}.{form}"'}
    return HttpResponse(content, content_type=TYPES[form], headers=headers)


def table_csv(rows: Sequence[Mapping[str, Value]]) -> str:
    """The rows as CSV; every column that any of them has."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    whole = [{name: row.get(name) for name in names} for row in rows]
    return "".join(row_chunks(whole, [Column(name) for name in names], format="csv"))


def _numbers(row: DotRow) -> dict[str, Value]:
    return {
        "name": row.name,
        "value": row.value,
        "ci_low": row.low,
        "ci_high": row.high,
        "hollow": row.hollow,
    }


def _panel(left: int, label: str, chart: DotChart) -> list[str]:
    def x(value: float) -> float:
        return left + PLOT * chart.axis.share(value) / 100

    rows = [*chart.rows, *([chart.ceiling] if chart.ceiling is not None else [])]
    foot = TOP + ROW * len(rows)
    drawn = [text(left, 36, label, SOFT)] if label else []
    for tick, (_x, caption, anchor) in zip(chart.axis.ticks, chart.axis.labels(), strict=True):
        drawn += [line(x(tick), TOP, x(tick), foot, GRID), text(x(tick), 50, caption, SOFT, anchor)]
    drawn += [line(x(ref), TOP, x(ref), foot, LINE, dash="2 3") for ref in chart.refs]
    top = chart.ceiling
    if top is not None and top.value is not None:
        if top.low is not None and top.high is not None:
            band = rect(x(top.low), TOP, x(top.high) - x(top.low), foot - TOP, INK, opacity=0.09)
            drawn.append(band)
        drawn.append(line(x(top.value), TOP, x(top.value), foot, INK, dash="5 3"))
    for at, row in enumerate(rows):
        y = TOP + ROW * at + ROW / 2
        if row.low is not None and row.high is not None:
            drawn.append(line(x(row.low), y, x(row.high), y, LINE if row.hollow else ACCENT, 2.5))
        if row.value is not None:
            fill, edge = ("#ffffff", SOFT) if row.hollow else (ACCENT, "#ffffff")
            drawn.append(
                f'<circle cx="{x(row.value):.2f}" cy="{y:.2f}" r="5" fill="{fill}" '
                f'stroke="{edge}" stroke-width="1.5"/>'
            )
        drawn.append(text(left + PLOT + 12, y + 5, f"{row.shown} {row.ends}".strip()))
    return drawn


def document(title: str, width: float, height: float, drawn: Sequence[str]) -> str:
    """An SVG on white, with its title for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label={quoteattr(title)} '
        f'font-family="system-ui, sans-serif" font-size="13"><title>{escape(title)}</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(drawn)}</svg>\n'
    )


def text(
    x: float, y: float, words: str, fill: str = INK, anchor: str = "start", weight: int = 400
) -> str:
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" fill="{fill}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )


def line(
    x: float, y: float, to_x: float, to_y: float, stroke: str, width: float = 1, dash: str = ""
) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x:.2f}" y1="{y:.2f}" x2="{to_x:.2f}" y2="{to_y:.2f}" stroke="{stroke}" '
        f'stroke-width="{width}"{dashed}/>'
    )


def rect(x: float, y: float, width: float, height: float, fill: str, opacity: float = 1) -> str:
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}" '
        f'opacity="{opacity}"/>'
    )
