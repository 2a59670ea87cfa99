"""Drawings of annotators as data for inline SVG: the axis of a table, and a trend.

Coordinates are strings, so that every language writes a decimal point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from paraanno.minus import minus
from scoring.stats.annotators.json_types import StatisticJson

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 220, 48, 12, 14, 26


class TrendDot(TypedDict):
    """A judgment: where its dot stands, and what it says."""

    x: str
    y: str
    place: int
    gap: str
    n: int


class TrendFigure(TypedDict):
    """The drawing of a trend; `ticks` are (place, text)."""

    width: int
    height: int
    left: int
    right: int
    ticks: list[tuple[str, str]]
    line: list[str]
    points: list[TrendDot]
    bottom: int
    first: int
    last: int


def round_up(value: float) -> float:
    """Round up to one of 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5 ..."""
    if value <= 0.1:
        return 0.1
    power = 10.0 ** math.floor(math.log10(value))
    return next(
        step * power for step in (1, 1.5, 2, 3, 5, 7, 10) if value <= step * power * (1 + 1e-9)
    )


@dataclass(frozen=True, slots=True)
class SharedAxis:
    """The axis that all drawings of a table share: from -most to most."""

    most: float

    @classmethod
    def of(cls, estimates: Sequence[StatisticJson]) -> SharedAxis:
        """Wide enough for every value and interval."""
        ends = [
            abs(end)
            for one in estimates
            for end in (one["value"], one.get("ci_low"), one.get("ci_high"))
            if end is not None
        ]
        return cls(round_up(max(ends, default=1.0)))

    @property
    def least(self) -> float:
        return -self.most


def trend_figure(trend: StatisticJson | None, judgments: int) -> TrendFigure | None:
    """Differences from the mean of the others in order of judging, and their trend line."""
    if trend is None or trend["value"] is None:
        return None
    dots, start = trend.get("points"), trend.get("intercept")
    if not dots or start is None:
        return None
    last = max(judgments - 1, 1)
    line = [start, start + trend["value"] * last / 100]
    most = round_up(max(abs(y) for y in [*line, *(point[1] for point in dots)]))

    def x(place: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * place / last:.1f}"

    def y(difference: float) -> str:
        return f"{TOP + (HEIGHT - TOP - BOTTOM) * (1 - difference / most) / 2:.1f}"

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "ticks": [(y(at), minus(f"{at:+g}") if at else "0") for at in (most, 0, -most)],
        "line": [x(0), y(line[0]), x(last), y(line[1])],
        "points": [
            {
                "x": x(place),
                "y": y(gap),
                "place": round(place) + 1,
                "gap": minus(f"{gap:+.2f}"),
                "n": n,
            }
            for place, gap, n in ((one[0], one[1], round(one[2])) for one in dots)
        ],
        "bottom": HEIGHT - 6,
        "first": 1,
        "last": judgments,
    }
