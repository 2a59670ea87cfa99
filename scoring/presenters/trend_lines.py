"""The course of a coefficient over the days of its reports, as lines with bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.presenters.charts import ChartAxis, axis_for, band_path, line_path, number
from annotation.presenters.overview import day_told
from scoring.models import TrendPoint

ABOVE, BELOW = -8, 16
MOST_LINES = 2  # One in the accent colour and one in grey: more are a table.


@dataclass(frozen=True, slots=True)
class TrendLine:
    """One scale: its line and band, and the place of its name at the line's end, with the pixels by
    which it is moved off the line."""

    name: str
    line: str
    band: str
    end: str
    shift: int
    course: str


@dataclass(frozen=True, slots=True)
class TrendLines:
    """Lines over days, for a viewBox of 100 by 100; the higher one has its name above, the
    other below."""

    first: str
    last: str
    y_ticks: list[tuple[str, str]]
    lines: tuple[TrendLine, ...]

    @property
    def told(self) -> str:
        """What the lines show, in words."""
        return "; ".join(f"{line.name}: {line.course}" for line in self.lines)


def trend_lines(points: Sequence[TrendPoint]) -> TrendLines | None:
    """The first scales of the newest point; None with fewer than two days."""
    if len(points) < 2:
        return None
    first, last = points[0].day, points[-1].day
    names = [name for name, row in points[-1].numbers.items() if row[0] is not None][:MOST_LINES]
    rows = {
        name: [
            (float((point.day - first).days), *point.numbers[name][:3])
            for point in points
            if name in point.numbers and point.numbers[name][0] is not None
        ]
        for name in names
    }
    ends = [end for found in rows.values() for row in found for end in row[1:]]
    if not ends:
        return None
    top = max(found[-1][1] for found in rows.values())
    x = ChartAxis(0.0, float((last - first).days), ())
    y = axis_for(ends, most=1.0, bounded=True)
    return TrendLines(
        day_told(first), day_told(last),
        [(f"{100 - y.share(at):.2f}%", number(at, 1, bounded=True)) for at in y.ticks],
        tuple(_line(name, found, x, y, ABOVE if found[-1][1] == top else BELOW)
              for name, found in rows.items()),
    )  # fmt: skip


def _line(
    name: str, rows: Sequence[tuple[float, ...]], x: ChartAxis, y: ChartAxis, shift: int
) -> TrendLine:
    known = [row for row in rows if row[2] is not None and row[3] is not None]
    return TrendLine(
        name=name,
        line=line_path([(row[0], row[1]) for row in rows], x, y),
        band=band_path([(row[0], row[2]) for row in known], [(row[0], row[3]) for row in known],
                       x, y),
        end=f"{100 - y.share(rows[-1][1]):.2f}%",
        shift=shift,
        course=", ".join(number(row[1], bounded=True) for row in rows),
    )  # fmt: skip
