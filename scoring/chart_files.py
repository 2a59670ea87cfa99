"""The pictures of pages as files: the numbers of a chart as CSV, and the chart as a figure.

A page hands its charts over by name; `?chart=NAME.csv` of the same address answers with the file:
it has the same choice of judgments and the same rights as the picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.exporters.columns import Column
from annotation.exporters.writers import row_chunks
from annotation.http.charts import ChartAxis, DotChart, DotRow
from scoring.figures.data import Axis, Figure, Mark, Series, Tone
from scoring.figures.paper import FORMATS, draw

ACROSS = 8  # Panels beside each other.
MULTIPLES = 4
CSV = "text/csv; charset=utf-8"
Value = str | float | int | bool | None


class ChartAsFile(Protocol):
    """A picture with its numbers."""

    @property
    def across(self) -> int: ...
    def csv(self) -> str: ...
    def figures(self) -> list[Figure]: ...


@dataclass(frozen=True, slots=True)
class ChartFile:
    """One chart. `beside` has further columns of its rows, in their order; `called`, what people
    call the rows, where the table has names of its own."""

    title: str
    panels: Sequence[tuple[str, DotChart]]  # One, or a column of a matrix each.
    beside: Sequence[Mapping[str, Value]] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    across: int = ACROSS

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

    def figures(self) -> list[Figure]:
        """The panels; one has the title, several their columns."""
        several = len(self.panels) > 1
        return [
            dots_figure(label if several else self.title, chart, self.called)
            for label, chart in self.panels
        ]


def dots_figure(title: str, chart: DotChart, called: Mapping[str, str]) -> Figure:
    """A dot chart as a figure: its rows go down, its values across."""
    rows = [(at, row) for at, row in enumerate(chart.rows) if row.value is not None]
    dots = Series(
        title,
        tuple(float(at) for at, _row in rows),
        tuple(float(row.value or 0.0) for _at, row in rows),
        "range",
        tuple(row.low for _at, row in rows),
        tuple(row.high for _at, row in rows),
        links=tuple(row.url for _at, row in rows),
        hollow=tuple(row.hollow for _at, row in rows),
    )
    marks = [Mark(at) for at in chart.refs]
    top = chart.ceiling
    if top is not None and top.value is not None:
        low, high = (top.value if end is None else end for end in (top.low, top.high))
        marks.append(Mark(top.value, low=low, high=high))
    return Figure(
        title,
        Axis("", names=tuple(row.name for row in chart.rows)),
        Axis("", chart.axis.low, chart.axis.high),
        (dots,),
        marks=tuple(marks),
        sideways=True,
        called=called,
    )


@dataclass(frozen=True, slots=True)
class BarsFile:
    """A histogram: (from, to, n, whether these pass); bars of one place stand on each other."""

    title: str
    axis: ChartAxis
    bars: Sequence[tuple[float, float, int, bool]]
    threshold: float | None = None
    across: int = 1

    def csv(self) -> str:
        return table_csv(
            [
                {"from": low, "to": high, "texts": n, "passes": passes}
                for low, high, n, passes in self.bars
            ]
        )

    def figures(self) -> list[Figure]:
        series = []
        sides: list[tuple[str, bool, Tone]] = [
            (_("pass"), True, ""),
            (_("do not pass"), False, "faint"),
        ]
        tall: dict[float, float] = defaultdict(float)
        for name, wanted, tone in sides:
            bars = [(low, high, n) for low, high, n, passes in self.bars if passes is wanted]
            if bars:
                middles = tuple((low + high) / 2 for low, high, _n in bars)
                heights = tuple(float(n) for _low, _high, n in bars)
                width = 0.9 * (bars[0][1] - bars[0][0])
                series.append(Series(name, middles, heights, "bars", width=width, tone=tone))
                for middle, height in zip(middles, heights, strict=True):
                    tall[middle] += height
        across = Axis(self.title, self.axis.low, self.axis.high)
        up = Axis(_("Texts"), 0.0, max(tall.values(), default=1.0))
        marks = () if self.threshold is None else (Mark(self.threshold),)
        return [Figure("", across, up, tuple(series), marks=marks)]


@dataclass(frozen=True, slots=True)
class OwnAndOthers:
    """The share of each level among an annotator's points, and among those of the others."""

    code: str
    own: Sequence[float]
    others: Sequence[float]


@dataclass(frozen=True, slots=True)
class MultiplesFile:
    """Annotators as small multiples: their points beside those that the others gave the same
    texts."""

    title: str
    levels: Sequence[float]
    people: Sequence[OwnAndOthers]
    across: int = MULTIPLES

    def csv(self) -> str:
        """A line for each annotator and level."""
        return table_csv(
            [
                {"annotator": one.code, "value": level, "share": own, "others": others}
                for one in self.people
                for level, own, others in zip(self.levels, one.own, one.others, strict=True)
            ]
        )

    def figures(self) -> list[Figure]:
        """Bars for the own points, a line for the others."""
        places = tuple(float(at) for at in range(len(self.levels)))
        x = Axis("", names=tuple(f"{level:g}" for level in self.levels))
        most = max((share for one in self.people for share in (*one.own, *one.others)), default=1.0)
        return [
            Figure(
                one.code,
                x,
                Axis("", 0.0, 1.05 * most or 1.0),
                (
                    Series(_("points given"), places, tuple(one.own), "bars"),
                    Series(_("others"), places, tuple(one.others), "line", tone="ink"),
                ),
            )
            for one in self.people
        ]


def chart_asked(
    request: HttpRequest, slug: str, charts: Mapping[str, ChartAsFile]
) -> HttpResponse | None:
    """The file that `?chart=NAME.csv` (or svg, png, pdf) asks for; None where no file is asked for.
    Raises NotFound if the page has no such chart."""
    filename = request.GET.get("chart")
    if filename is None:
        return None
    name, _dot, form = filename.rpartition(".")
    if name not in charts or form not in ("csv", *FORMATS):
        raise NotFound(_("There is no such picture."))
    chart = charts[name]
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{name}.{form}"'}
    if form == "csv":
        return HttpResponse("\ufeff" + chart.csv(), content_type=CSV, headers=headers)
    drawn = draw(chart.figures(), form, across=chart.across)
    return HttpResponse(drawn, content_type=FORMATS[form], headers=headers)


def table_csv(rows: Sequence[Mapping[str, Value]]) -> str:
    """The rows as CSV; every column that any of them has."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    whole = [{name: row.get(name) for name in names} for row in rows]
    return "".join(row_chunks(whole, [Column(name) for name in names], format="csv"))


def _numbers(row: DotRow) -> dict[str, Value]:
    return {
        "name": row.name,
        "value": row.value,
        "ci_low": row.low,
        "ci_high": row.high,
        "hollow": row.hollow,
    }
