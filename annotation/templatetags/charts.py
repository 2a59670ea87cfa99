"""Charts within pages, as inline SVG. The numbers that stand beside them are their text, so that
the drawings themselves are hidden from screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from annotation.http.charts import ChartAxis, DotChart, DotRow

register = template.Library()
SHADES, MOST_NAMED = 5, 7


@register.inclusion_tag("parts/charts/axis.html")
def chart_axis(axis: ChartAxis, *, narrow: bool = False) -> dict[str, object]:
    """The numbers of an axis, above the rows; fewer where several axes stand side by side."""
    return {"labels": axis.labels(narrow=narrow)}


@register.inclusion_tag("parts/charts/dot.html")
def chart_dot(chart: DotChart, row: DotRow) -> dict[str, object]:
    """One row of a chart: grid, ceiling, whisker and dot. It fills its cell. A dot leads where the
    name of its row does, which is where the keyboard stops."""
    axis = chart.axis
    drawn: dict[str, object] = {
        "grid": [(axis.at(one), one == 0 and axis.low < 0) for one in axis.ticks],
        "refs": [axis.at(one) for one in chart.refs],
        "hollow": row.hollow,
        "url": row.url,
        "dot": None if row.value is None else axis.at(row.value),
        "whisker": row.low is not None
        and row.high is not None
        and (axis.at(row.low), axis.at(row.high)),
    }
    top = chart.ceiling
    if top is not None and top.value is not None:
        low = top.value if top.low is None else top.low
        high = top.value if top.high is None else top.high
        drawn["ceiling"] = axis.at(top.value)
        drawn["band"] = (axis.at(low), f"{axis.share(high) - axis.share(low):.2f}%")
    return drawn


@register.inclusion_tag("parts/charts/bar.html")
def chart_bar(chart: DotChart, row: DotRow) -> dict[str, object]:
    """One cell of a matrix: a tick for the value, a pale bar for its interval, the ceiling."""
    drawn = chart_dot(chart, row)
    if row.low is not None and row.high is not None:
        share = chart.axis.share
        drawn["bar"] = (chart.axis.at(row.low), f"{share(row.high) - share(row.low):.2f}%")
    return drawn


@register.inclusion_tag("parts/charts/shares.html")
def chart_shares(shares: Sequence[float]) -> dict[str, object]:
    """Shares (adding up to 1) of the points of a scale as one bar, the lowest point first."""
    rects, x = [], 0.0
    for at, share in enumerate(shares):
        if share > 0:
            rects.append((_shade(at, len(shares)), f"{100 * x:.2f}%", f"{100 * share:.2f}%"))
        x += share
    return {"rects": rects}


@register.inclusion_tag("parts/charts/points.html")
def chart_points(points: Sequence[str]) -> dict[str, object]:
    """Which shade stands for which point; of many points only the ends."""
    named = [(_shade(at, len(points)), point) for at, point in enumerate(points)]
    return {"points": named if len(named) <= MOST_NAMED else [named[0], named[-1]]}


def _shade(at: int, of: int) -> int:
    return 1 + round((SHADES - 1) * at / max(1, of - 1))


@register.filter
def thousands(value: int) -> str:
    """A count with commas: 30,000."""
    return f"{value:,}"
