"""Small bar charts as data for inline SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

STEP, WIDTH, HEIGHT, TOP = 36, 28, 80, 16
BINS = 20
LEAST = 480  # A drawing is as wide as its box: few bars must not become giants.


@dataclass(frozen=True, slots=True)
class Bars:
    """`width` of the drawing, `total` of the counts, and one dict per bar."""

    width: int
    total: int
    bars: list[dict[str, Any]]


def bars(counts: dict[str, int]) -> Bars:
    """Heights proportional to the counts, in the order given; more than BINS values are binned."""
    shown = counts if len(counts) <= BINS else _binned(counts)
    most = max(shown.values(), default=0) or 1
    total = sum(counts.values())
    return Bars(
        max(STEP * len(shown) + 8, LEAST),
        total,
        [
            {
                "x": 4 + STEP * place,
                "middle": 4 + STEP * place + WIDTH / 2,
                "y": round(TOP + HEIGHT - HEIGHT * n / most, 2),
                "height": round(HEIGHT * n / most, 2),
                "above": round(TOP + HEIGHT - HEIGHT * n / most - 4, 2),
                "label": value,
                "n": n,
                "share": n / total if total else 0.0,
            }
            for place, (value, n) in enumerate(shown.items())
        ],
    )


def _binned(counts: dict[str, int]) -> dict[str, int]:
    """BINS equal bins, named by their lower end."""
    values = [float(value) for value in counts]
    low = min(values)
    width = (max(values) - low) / BINS
    names = [f"{low + width * place:.4g}" for place in range(BINS)]
    found = dict.fromkeys(names, 0)
    for value, n in counts.items():
        found[names[min(BINS - 1, int((float(value) - low) / width))]] += n
    return found
