"""Charts as data for inline SVG: x in per cent, so that a chart is as wide as its box while its
lines and dots keep their size; and QR codes of links, as pictures inside a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from django.utils.safestring import SafeString, mark_safe

from paraanno.template_filters import minus

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

    def labels(self, *, narrow: bool = False) -> list[tuple[str, str, str]]:
        """(place, text, anchor) of each tick; words near an edge stay inside. A narrow axis with
        more than three has words at every second one, 0 among them."""
        ticks = self.ticks
        if narrow and len(ticks) > 3:
            ticks = ticks[ticks.index(0) % 2 if 0 in ticks else 0 :: 2]
        digits = _digits(ticks)
        return [
            (
                self.at(one),
                number(one, digits, bounded=self.bounded) if one else "0",
                anchor(self.share(one)),
            )
            for one in ticks
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


def qr_drawn(link: str) -> SafeString:
    """The link as a QR code in SVG."""
    import segno

    drawn = segno.make(link, error="m").svg_inline(
        scale=3, border=4, light="#fff", svgclass="qr", lineclass=None, omitsize=False
    )
    return mark_safe(drawn)  # noqa: S308  Numbers alone.
