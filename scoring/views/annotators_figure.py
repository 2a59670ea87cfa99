"""Drawings of annotators as data for inline SVG: a dot with its interval, and a trend.

Places are text: a drawing takes a point in every language.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from paraanno.numbers import minus

RANGE = 200  # Width of the drawing of an interval.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 220, 48, 12, 14, 26
Estimate = dict[str, Any]


def round_up(value: float) -> float:
    """The next of 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5 ..."""
    if value <= 0.1:
        return 0.1
    power = 10.0 ** math.floor(math.log10(value))
    return next(
        step * power for step in (1, 1.5, 2, 3, 5, 7, 10) if value <= step * power * (1 + 1e-9)
    )


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale that all drawings of a table share: from -most to most."""

    most: float

    @classmethod
    def of(cls, estimates: list[Estimate]) -> Axis:
        """Wide enough for every value and interval."""
        names = ("value", "ci_low", "ci_high")
        ends = [abs(one[name]) for one in estimates for name in names if one.get(name) is not None]
        return cls(round_up(max(ends, default=1.0)))

    def drawing(self, estimate: Estimate) -> dict[str, str] | None:
        """Where the dot and the ends stand."""
        if estimate.get("value") is None:
            return None
        places = {"dot": estimate["value"]}
        if estimate["ci_low"] is not None:
            places |= {"low": estimate["ci_low"], "high": estimate["ci_high"]}
        return {name: f"{RANGE * (1 + at / self.most) / 2:.1f}" for name, at in places.items()}


def trend_figure(trend: Estimate | None, judgments: int) -> dict[str, Any] | None:
    """Differences to the mean of the others along the judgments, and the line through them."""
    if trend is None or trend["value"] is None or not trend["points"]:
        return None
    last = max(judgments - 1, 1)
    line = [trend["intercept"], trend["intercept"] + trend["value"] * last / 100]
    most = round_up(max(abs(y) for y in [*line, *(point[1] for point in trend["points"])]))

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
            for place, gap, n in ((one[0], one[1], round(one[2])) for one in trend["points"])
        ],
        "bottom": HEIGHT - 6,
        "first": 1,
        "last": judgments,
    }
