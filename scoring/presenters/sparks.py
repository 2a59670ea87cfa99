"""Sparklines as paths for inline SVG."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 112, 24


def bars(values: Sequence[int]) -> str:
    """A path of vertical bars, one for each value; empty if all are 0."""
    most = max(values, default=0)
    if not most:
        return ""
    step = WIDTH / len(values)
    return "".join(
        f"M{step * (at + 0.5):.1f} {HEIGHT}V{HEIGHT - max(1.5, HEIGHT * value / most):.1f}"
        for at, value in enumerate(values)
        if value
    )


def line(values: Sequence[float], *, low: float, high: float) -> str:
    """A path through the values between `low` and `high`; empty below two values. Values outside
    are drawn on the edge."""
    if len(values) < 2:
        return ""
    places = []
    for at, value in enumerate(values):
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        x = 1 + (WIDTH - 2) * at / (len(values) - 1)
        places.append(f"{x:.1f} {1 + (HEIGHT - 2) * (1 - share):.1f}")
    return "M" + "L".join(places)
