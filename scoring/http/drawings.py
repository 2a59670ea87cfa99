"""Small bar charts as data for inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paraanno.minus import minus_of_number

STEP, WIDTH, HEIGHT, TOP = 36, 28, 80, 16
BINS = 20
LEAST = 480  # The drawing fills its box: a few bars must not become huge.


@dataclass(frozen=True, slots=True)
class Bar:
    """Coordinates as strings (always with a decimal point), the value and its count."""

    x: int
    middle: str
    y: str
    height: str
    above: str
    label: str
    n: int


@dataclass(frozen=True, slots=True)
class Bars:
    """`width` of the drawing and its bars from left to right."""

    width: int
    bars: list[Bar]


def bars(counts: dict[str, int]) -> Bars:
    """Bars with heights proportional to the counts, in the order given; more than BINS values are
    binned."""
    shown = counts if len(counts) <= BINS else _binned(counts)
    most = max(shown.values(), default=0) or 1
    bars = []
    for place, (value, n) in enumerate(shown.items()):
        left, height = 4 + STEP * place, HEIGHT * n / most
        top = TOP + HEIGHT - height
        bars.append(
            Bar(
                x=left,
                middle=str(left + WIDTH / 2),
                y=str(round(top, 2)),
                height=str(round(height, 2)),
                above=str(round(top - 4, 2)),
                label=str(minus_of_number(value)),
                n=n,
            )
        )
    return Bars(max(STEP * len(shown) + 8, LEAST), bars)


def _binned(counts: dict[str, int]) -> dict[str, int]:
    """Group the values into BINS equal bins, named by their lower end."""
    values = [float(value) for value in counts]
    low = min(values)
    width = (max(values) - low) / BINS
    names = [f"{low + width * place:.4g}" for place in range(BINS)]
    bins = dict.fromkeys(names, 0)
    for value, n in counts.items():
        bins[names[min(BINS - 1, int((float(value) - low) / width))]] += n
    return bins


# Sparklines as paths for inline SVG.


SPARKS_WIDTH, SPARKS_HEIGHT = 112, 24


def spark_bars(values: Sequence[int]) -> str:
    """A path of vertical bars, one for each value; empty if all are 0."""
    most = max(values, default=0)
    if not most:
        return ""
    step = SPARKS_WIDTH / len(values)
    return "".join(
        f"M{step * (at + 0.5):.1f} {SPARKS_HEIGHT}"
        f"V{SPARKS_HEIGHT - max(1.5, SPARKS_HEIGHT * value / most):.1f}"
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
        x = 1 + (SPARKS_WIDTH - 2) * at / (len(values) - 1)
        places.append(f"{x:.1f} {1 + (SPARKS_HEIGHT - 2) * (1 - share):.1f}")
    return "M" + "L".join(places)
