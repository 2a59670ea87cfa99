"""Small drawings within pages, as inline SVG. Coordinates are strings, so that every language
writes a decimal point. Values outside a drawing are drawn on its edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.template import Context

from scoring.annotators.pictures import TrendFigure
from scoring.figures.paper import FORMATS
from scoring.http import drawings
from scoring.http.drawings import bars

register = template.Library()
RANGE = 200


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
    return {"path": drawings.spark_bars(values), "label": label, "bars": True}


@register.inclusion_tag("scoring/drawings/spark.html")
def spark_line(values: Sequence[float], label: str) -> dict[str, object]:
    """A sparkline of values of at most 1 in a table cell; nothing below two values."""
    path = drawings.line(values, low=min(0.0, *values), high=1.0) if values else ""
    return {"path": path, "label": label}


@register.inclusion_tag("scoring/drawings/trend.html")
def trend_chart(figure: TrendFigure, label: str) -> dict[str, object]:
    """Dots and the line through them, as `annotators_figure.trend_figure` lays them out."""
    points = ", ".join(f"{point['place']}: {point['gap']}" for point in figure["points"])
    return {"figure": figure, "label": f"{label}: {points}"}


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
