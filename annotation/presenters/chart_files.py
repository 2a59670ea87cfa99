"""The pictures of pages as files: the data of a chart as CSV, and the chart as an SVG of its own.

A page hands its charts over by name; `?chart=NAME.csv` of the same address answers with the file:
it has the same choice of judgments and the same rights as the picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.exporters import Column, row_chunks
from annotation.presenters.charts import ChartAxis, DotChart, DotRow

TYPES = {"csv": "text/csv; charset=utf-8", "svg": "image/svg+xml"}
NAMES, PLOT, NUMBERS, ROW, TOP = 220, 380, 180, 28, 56  # px: widths of the columns, and heights
INK, SOFT, ACCENT, PALE, LINE, GRID = (
    "#1d1e20", "#55575c", "#1f5f8b", "#b3cfe1", "#85857b", "#e6e6e0"
)  # fmt: skip

Value = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class ChartFile:
    """One chart. `beside` has further columns of its rows, in their order."""

    title: str
    panels: Sequence[tuple[str, DotChart]]  # One, or a column of a matrix each.
    beside: Sequence[Mapping[str, Value]] = ()

    def csv(self) -> str:
        """A line for each dot; a matrix names the column."""
        rows: list[dict[str, Value]] = []
        for label, chart in self.panels:
            ends = (chart.ceiling,) if chart.ceiling is not None else ()
            for at, row in enumerate((*chart.rows, *ends)):
                more = self.beside[at] if at < min(len(self.beside), len(chart.rows)) else {}
                named = {"column": label} if len(self.panels) > 1 else {}
                rows.append({**named, **_numbers(row), **more})
        return table_csv(rows)

    def svg(self) -> str:
        """The panels beside each other, with the numbers written."""
        first = self.panels[0][1]
        rows = [*first.rows, *([first.ceiling] if first.ceiling is not None else [])]
        panel = PLOT + NUMBERS
        width, height = NAMES + panel * len(self.panels), TOP + ROW * len(rows) + 16
        drawn = [text(8, 20, self.title, weight=650)]
        drawn += [text(8, TOP + ROW * at + 19, row.name) for at, row in enumerate(rows)]
        for at, (label, chart) in enumerate(self.panels):
            drawn += _panel(NAMES + at * panel, label if len(self.panels) > 1 else "", chart)
        return document(self.title, width, height, drawn)


@dataclass(frozen=True, slots=True)
class BarsFile:
    """A histogram: (from, to, n, whether these pass); bars of one place stand on each other."""

    title: str
    axis: ChartAxis
    bars: Sequence[tuple[float, float, int, bool]]

    def csv(self) -> str:
        return table_csv([
            {"from": low, "to": high, "texts": n, "passes": passes}
            for low, high, n, passes in self.bars
        ])  # fmt: skip

    def svg(self) -> str:
        height, floor, left = 200, TOP + 200, 40
        heights: dict[float, int] = {}
        for low, _high, n, _passes in self.bars:
            heights[low] = heights.get(low, 0) + n
        most, below = max(heights.values(), default=1), dict.fromkeys(heights, 0)
        drawn = [text(8, 20, self.title, weight=650), text(4, TOP + 4, str(most), SOFT)]
        for low, high, n, passes in self.bars:
            x, end = (left + PLOT * self.axis.share(one) / 100 for one in (low, high))
            tall = height * n / most
            y = floor - height * below[low] / most - tall
            below[low] += n
            drawn.append(rect(x + 1, y, max(1.0, end - x - 2), tall, ACCENT if passes else PALE))
        drawn.append(line(left, floor, left + PLOT, floor, LINE))
        drawn += [
            text(left + PLOT * float(x[:-1]) / 100, floor + 18, label, SOFT, anchor)
            for x, label, anchor in self.axis.labels()
        ]
        return document(self.title, left + PLOT + 40, floor + 32, drawn)


def chart_asked(
    request: HttpRequest, slug: str, charts: Mapping[str, ChartFile | BarsFile]
) -> HttpResponse | None:
    """The file that `?chart=NAME.csv` (or .svg) asks for; None where no file is asked for. Raises
    NotFound if the page has no such chart."""
    asked = request.GET.get("chart")
    if asked is None:
        return None
    name, _dot, form = asked.rpartition(".")
    if name not in charts or form not in TYPES:
        raise NotFound(_("There is no such picture."))
    chart = charts[name]
    content = "\ufeff" + chart.csv() if form == "csv" else chart.svg()
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{name}.{form}"'}
    return HttpResponse(content, content_type=TYPES[form], headers=headers)


def table_csv(rows: Sequence[Mapping[str, Value]]) -> str:
    """The rows as CSV; every column that any of them has."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    whole = [{name: row.get(name) for name in names} for row in rows]
    return "".join(row_chunks(whole, [Column(name) for name in names], format="csv"))


def _numbers(row: DotRow) -> dict[str, Value]:
    return {
        "name": row.name, "value": row.value, "ci_low": row.low, "ci_high": row.high,
        "hollow": row.hollow,
    }  # fmt: skip


def _panel(left: int, label: str, chart: DotChart) -> list[str]:
    def x(value: float) -> float:
        return left + PLOT * chart.axis.share(value) / 100

    rows = [*chart.rows, *([chart.ceiling] if chart.ceiling is not None else [])]
    foot = TOP + ROW * len(rows)
    drawn = [text(left, 36, label, SOFT)] if label else []
    for tick, (_x, told, anchor) in zip(chart.axis.ticks, chart.axis.labels(), strict=True):
        drawn += [line(x(tick), TOP, x(tick), foot, GRID), text(x(tick), 50, told, SOFT, anchor)]
    drawn += [line(x(ref), TOP, x(ref), foot, LINE, dash="2 3") for ref in chart.refs]
    top = chart.ceiling
    if top is not None and top.value is not None:
        if top.low is not None and top.high is not None:
            band = rect(x(top.low), TOP, x(top.high) - x(top.low), foot - TOP, INK, opacity=0.09)
            drawn.append(band)
        drawn.append(line(x(top.value), TOP, x(top.value), foot, INK, dash="5 3"))
    for at, row in enumerate(rows):
        y = TOP + ROW * at + ROW / 2
        if row.low is not None and row.high is not None:
            drawn.append(line(x(row.low), y, x(row.high), y, LINE if row.hollow else ACCENT, 2.5))
        if row.value is not None:
            fill, edge = ("#ffffff", SOFT) if row.hollow else (ACCENT, "#ffffff")
            drawn.append(
                f'<circle cx="{x(row.value):.2f}" cy="{y:.2f}" r="5" fill="{fill}" '
                f'stroke="{edge}" stroke-width="1.5"/>'
            )
        drawn.append(text(left + PLOT + 12, y + 5, f"{row.shown} {row.ends}".strip()))
    return drawn


def document(title: str, width: float, height: float, drawn: Sequence[str]) -> str:
    """An SVG on white, with its title for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label={quoteattr(title)} '
        f'font-family="system-ui, sans-serif" font-size="13"><title>{escape(title)}</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(drawn)}</svg>\n'
    )


def text(
    x: float, y: float, words: str, fill: str = INK, anchor: str = "start", weight: int = 400
) -> str:
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" fill="{fill}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )


def line(
    x: float, y: float, to_x: float, to_y: float, stroke: str, width: float = 1, dash: str = ""
) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x:.2f}" y1="{y:.2f}" x2="{to_x:.2f}" y2="{to_y:.2f}" stroke="{stroke}" '
        f'stroke-width="{width}"{dashed}/>'
    )


def rect(x: float, y: float, width: float, height: float, fill: str, opacity: float = 1) -> str:
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}" '
        f'opacity="{opacity}"/>'
    )
