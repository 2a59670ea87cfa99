"""Small drawings within pages, as inline SVG. Coordinates are strings, so that every language
writes a decimal point. Values outside a drawing are drawn on its edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.template import Context

from paraanno.template_filters import minus_of_number
from scoring.figures.paper import FORMATS

register = template.Library()
RANGE = 200
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


SPARKS_WIDTH, SPARKS_HEIGHT = 112, 24


def bars_path(values: Sequence[int]) -> str:
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


def line_path(values: Sequence[float], *, low: float, high: float) -> str:
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


@register.inclusion_tag("scoring/drawings/bars.html")
def bar_chart(counts: dict[str, int], label: str) -> dict[str, object]:
    """A bar chart of the counts of values; screen readers get `label` with the numbers."""
    drawing = bars(counts)
    numbers = ", ".join(f"{bar.label}: {bar.n}" for bar in drawing.bars)
    return {"drawing": drawing, "label": f"{label}: {numbers}"}


@register.inclusion_tag("scoring/drawings/range.html")
def interval_range(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    *,
    least: float = 0.0,
    most: float = 1.0,
    label: str = "",
    lines: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, Any]:
    """A dot with its interval between `least` and `most`, and a mark at 0 if that lies between.
    `lines` are dashed: by name, what else the value is compared with.

    Nothing without a value. Without a label it is hidden from screen readers: the text beside it
    must give the numbers.
    """

    def place(at: float | None) -> str | None:
        if at is None:
            return None
        return f"{RANGE * (min(max(at, least), most) - least) / (most - least):.1f}"

    ends = (place(low), place(high)) if low is not None and high is not None else (None, None)
    return {
        "dot": place(value),
        "low": ends[0],
        "high": ends[1],
        "zero": place(0.0) if least < 0 < most else None,
        "lines": [(name, place(one["value"])) for name, one in (lines or {}).items()],
        "label": label,
    }


@register.inclusion_tag("scoring/drawings/spark.html")
def spark_bars(values: Sequence[int], label: str) -> dict[str, object]:
    """A sparkline of vertical bars in a table cell; nothing if all are 0."""
    return {"path": bars_path(values), "label": label, "bars": True}


@register.inclusion_tag("scoring/drawings/spark.html")
def spark_line(values: Sequence[float], label: str) -> dict[str, object]:
    """A sparkline of values of at most 1 in a table cell; nothing below two values."""
    path = line_path(values, low=min(0.0, *values), high=1.0) if values else ""
    return {"path": path, "label": label}


@register.inclusion_tag("scoring/_chart_files.html", takes_context=True)
def chart_files(context: Context, name: str, title: str) -> dict[str, object]:
    """Links to the data and the drawing of a chart that this page hands over by that name."""
    request = context["request"]
    query = request.GET.copy()
    links = []
    for form in ("csv", *FORMATS):
        query["chart"] = f"{name}.{form}"
        links.append((form.upper(), f"{request.path}?{query.urlencode()}"))
    return {"links": links, "title": title}
