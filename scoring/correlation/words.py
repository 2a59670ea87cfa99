"""Shared parts of the correlation pages: links, the choice of judgments, number formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.http.campaign_page import PageView
from annotation.http.charts import ChartAxis, DotChart, DotRow, axis_for
from paraanno.common.texts import Sentence
from paraanno.template_filters import translated
from scoring.agreement.words import ceiling_dot, estimate_dot
from scoring.chart_files import ChartFile, Value
from scoring.correlation.figures import FigureRequest, figure_get
from scoring.correlation.one_metric import Points
from scoring.figures.data import Figure
from scoring.figures.paper import FORMATS
from scoring.figures.screen import svg
from scoring.metrics.registry import printed, printed_names
from scoring.ratings.choice_form import ChoiceForm
from scoring.reports.compute import ReportPage, ReportView
from scoring.runs.queries import newest_done_runs, reads_old_language, run_labels
from scoring.stats.evaluation.catalogue import COEFFICIENTS, Level, at
from scoring.stats.evaluation.json_types import CorrelationReport
from scoring.stats.evaluation.one_metric import fifths
from scoring.stats.evaluation.verdicts import MetricVerdict, metric_verdict
from scoring.stats.intervals import cannot_tell_metrics, how_made
from scoring.stats.significance.swaps import letters_in
from scoring.stats.table import EstimateJson, IntArray

FIGURE_FORMS = ("csv", *FORMATS)
TABLE_FORMS = ("csv", "tex", "md")


class CorrelationPage(ReportPage):
    """A page of correlation: the choice of judgments, and a scale."""

    def __init__(self, request: HttpRequest, slug: str, *, frame: bool = False) -> None:
        super().__init__(request, slug, "read")
        self.frame = frame
        self.form = ChoiceForm(request.GET, campaign=self.campaign, kind="correlation")
        self.choice = self.form.choice()
        self._views: dict[str, ReportView] = {}
        self._requests: dict[str, FigureRequest] = {}

    def result(
        self, kind: str, *, after_runs: bool = False, parameters: Mapping[str, str] | None = None
    ) -> tuple[ReportView, Any]:
        """The report and its result, of the type of its kind; with no human columns and runs if
        there is none yet."""
        key = f"{kind}?{urlencode(parameters or {})}"
        if key not in self._views:
            self._views[key] = self.report(
                kind, self.choice, after_runs=after_runs, parameters=parameters
            )
        view = self._views[key]
        result = None if self._asks_for_age(view) else view.result
        return view, result or {"human": {}, "runs": [], "turned": []}

    def _asks_for_age(self, view: ReportView | None) -> bool:
        """Whether an open page asks for its report, which is not there yet."""
        return "X-Report" in self.request.headers and view is not None and not view.fresh

    def figure(self, name: str, data: Mapping[str, str]) -> Figure:
        """A figure about what `data` asks for. Raises NotFound if there is nothing to draw."""
        key = urlencode(data)
        if key not in self._requests:  # Figures of the same texts read them once.
            self._requests[key] = FigureRequest(
                self.campaign,
                self.choice,
                data,
                lambda kind, about=None: self.result(kind, parameters=about)[1],
            )
        return figure_get(name=name, request=self._requests[key])

    def _drawn(self, figure: Mapping[str, str], query: str) -> dict[str, str] | None:
        """The figure of a page with its drawing, and with what its files are asked by; None if
        there is nothing to draw."""
        wanted = figure.get("query", query)
        try:
            plot = self.figure(figure["name"], QueryDict(wanted).dict())
        except NotFound:
            return None
        drawing = svg(plot, figure["title"], region=figure.get("region", ""))
        return {**figure, "query": wanted, "drawing": mark_safe(drawing)}  # noqa: S308 (escaped)

    def scale(self, report: Mapping[str, Any]) -> str:
        """The human column in the query string, else the first; empty if there is none."""
        name = self.request.GET.get("scale", "")
        return name if name in report["human"] else next(iter(report["human"]), "")

    def render(
        self,
        template: str,
        *,
        status: int | None = None,
        choice_query: str = "",
        parameters: Sequence[tuple[str, str]] = (),
        figures: Sequence[Mapping[str, str]] = (),
        **context: Any,
    ) -> HttpResponse:
        """Render the page with its figures. `parameters` holds its query parameters other than the
        choice; links and forms of the page keep both (`query`, `hidden`). Where the page asks
        whether its report is there and it is not, its age alone is shown."""
        view: ReportView | None = context.get("view")
        if self._asks_for_age(view):
            return self.bare("scoring/_fresh.html", view=view)
        runs = newest_done_runs(campaign=self.campaign)
        old, labels = reads_old_language(runs), run_labels(runs)
        hidden = [*parameters, *self.form.pairs]
        query = urlencode(hidden)
        return super().render(
            template,
            status=status,
            choice_query=choice_query or urlencode(self.form.pairs),
            choice_form=self.form,
            kept=list(parameters),
            hidden=hidden,
            query=query,
            figures=[drawn for one in figures if (drawn := self._drawn(one, query))],
            figure_forms=FIGURE_FORMS,
            table_forms=TABLE_FORMS,
            any_run=bool(runs),
            how_made=how_made(context.get("found")),
            cannot=cannot_apart(context.get("found")),
            old_language=[labels[run.pk] for run in runs if run.pk in old],
            **context,
        )


def correlation_view(*, frame: bool = True) -> PageView[CorrelationPage]:
    """A page of correlation; without `frame` a file or a part of a page, which waits."""
    return PageView(lambda request, slug: CorrelationPage(request, slug, frame=frame))


def cannot_apart(report: Mapping[str, Any] | None) -> Sentence | None:
    """What the phrases of a report are too few to tell apart."""
    clusters = (report or {}).get("clusters") or 0
    each = [
        cannot_tell_metrics(block, clusters) for block in (report or {}).get("human", {}).values()
    ]
    return next(filter(None, each), None)


def heads(level: Level) -> list[dict[str, str]]:
    """What heads the columns of a level of the catalogue, and what it says."""
    return [
        {"label": translated(label), "text": translated(COEFFICIENTS[key].says)}
        for key, label in at(level).items()
    ]


def p_text(value: float | None) -> str:
    """A p-value as text; never 0 but "less than"."""
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


# Metrics beside the human ceiling as a matrix of small bars, and one metric's texts as dots.


DRAWN = 250  # More dots hide each other.
JITTER = 0.12  # Of the distance of two values.


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A metric: its compact letters (it shares one with exactly those that no test tells apart from
    it), and a cell in each column."""

    key: str
    name: str
    letters: str
    cells: tuple[tuple[DotChart, DotRow], ...]
    verdict: MetricVerdict


@dataclass(frozen=True, slots=True)
class MetricMatrix:
    """The metrics on one human column, the best first; `ceiling` has a cell, or None, by column."""

    human: str
    heads: tuple[tuple[str, ChartAxis], ...]
    rows: tuple[MatrixRow, ...]
    ceiling: tuple[tuple[DotChart, DotRow] | None, ...]

    @property
    def beside_best(self) -> list[str]:
        """The metrics that no test tells apart from the best one."""
        best, *others = self.rows
        own = set(letters_in(best.letters))
        return [row.name for row in others if own & set(letters_in(row.letters))]


def metric_matrix(report: CorrelationReport, human: str, heads: Mapping[str, str]) -> MetricMatrix:
    """The main coefficients and, last, the area under the ROC curve for the pass decision. `heads`
    are their labels by key."""
    part = report["human"][human]
    order = sorted(report["runs"], key=lambda run: _sort(part["metrics"][run["label"]]["pearson"]))
    letters = part.get("significance_letters", {}).get("pearson", {})
    charts: list[DotChart] = []
    for key in heads:
        rows = [
            estimate_dot(run["label"], one)
            for run in order
            if (one := _estimate(report, human, run["label"], key)) is not None
        ]
        if rows:
            charts.append(DotChart.of(rows, ceiling=ceiling_dot(report, human, key), most=1.0))
        else:
            charts.append(DotChart.of([]))
    complete = [
        (label, chart)
        for label, chart in zip(heads.values(), charts, strict=True)
        if len(chart.rows) == len(order)
    ]
    return MetricMatrix(
        human,
        tuple((label, chart.axis) for label, chart in complete),
        tuple(
            MatrixRow(
                run["key"],
                run["label"],
                letters.get(run["label"], ""),
                tuple((chart, chart.rows[place]) for _, chart in complete),
                metric_verdict(report, human, run["label"]),
            )
            for place, run in enumerate(order)
        ),
        tuple(None if chart.ceiling is None else (chart, chart.ceiling) for _, chart in complete),
    )


def scopes_sentence(report: CorrelationReport, human: str) -> str:
    """Whether metrics that scored phrases alone and in their sentences agree better with people the
    one way or the other; empty where no metric was run both ways."""
    values: dict[str, dict[str, float]] = {}
    for run in report["runs"]:
        value = report["human"][human]["metrics"][run["label"]]["pearson"]["value"]
        metric, *parts = run["signature"].split("|")
        scope = next((part for part in parts if part.startswith("scope:")), "")
        if value is not None and scope:
            ways = values.setdefault(metric, {})
            ways[scope] = max(value, ways.get(scope, value))
    alone, within = "scope:phrase", "scope:sentence"
    both = {name: ways for name, ways in values.items() if {alone, within} <= ways.keys()}
    if not both:
        return ""
    gaps = {name: ways[alone] - ways[within] for name, ways in both.items()}
    widest = max(gaps, key=lambda name: abs(gaps[name]))
    return _(
        "Metrics that were run both ways: %(n)s of %(all)s agree better with %(human)s on the "
        "phrase alone than in its sentence. The widest gap: %(metric)s, r %(phrase)s alone and "
        "%(sentence)s in the sentence."
    ) % {
        "n": sum(gap > 0 for gap in gaps.values()),
        "all": len(both),
        "human": human,
        "metric": printed(widest),
        "phrase": f"{both[widest][alone]:.2f}",
        "sentence": f"{both[widest][within]:.2f}",
    }


def matrix_file(matrix: MetricMatrix, title: str) -> ChartFile:
    """The matrix as a file: a panel for each coefficient."""
    panels = (
        [
            (label, row_chart)
            for (label, _axis), row_chart in zip(
                matrix.heads, [chart for chart, _row in matrix.rows[0].cells], strict=True
            )
        ]
        if matrix.rows
        else []
    )
    beside: list[dict[str, Value]] = [{"letters": row.letters} for row in matrix.rows]
    return ChartFile(title, panels, beside, printed_names(row.name for row in matrix.rows))


def _estimate(report: CorrelationReport, human: str, label: str, key: str) -> EstimateJson | None:
    if key in at("passes"):
        curve = report.get("roc", {}).get(label)
        return curve and curve["area"]
    return report["human"][human]["metrics"][label].get(key)


def _sort(estimate: EstimateJson) -> float:
    value = estimate["value"]
    return 2.0 if value is None else -value


@dataclass(frozen=True, slots=True)
class ScatterPlot:
    """Texts as dots, and the mean of each fifth with its interval; places in per cent."""

    x: ChartAxis
    y: ChartAxis
    dots: tuple[tuple[str, str], ...]
    means: tuple[tuple[str, str, str, str], ...]
    y_ticks: tuple[tuple[str, str], ...]
    total: int


def scatter_plot(points: Points, cluster: IntArray) -> ScatterPlot:
    """At most DRAWN texts, drawn at random but always the same, moved a little within their value;
    the means are of all texts."""
    x, y = axis_for(points.metric.tolist()), axis_for(points.people.tolist(), steps=5)
    random = Random(0)  # noqa: S311 repeatable by intent
    places: Sequence[int] = range(points.total)
    if points.total > DRAWN:
        places = random.sample(places, DRAWN)
    step = min((b - a for a, b in zip(y.ticks, y.ticks[1:], strict=False)), default=1.0)
    dots = []
    for place in places:
        moved = float(points.people[place]) + step * JITTER * random.uniform(-1, 1)
        dots.append((x.at(float(points.metric[place])), _down(y, moved)))
    means = []
    for one in fifths(points.metric, points.people, cluster):
        low, high = (one.y if end is None else end for end in (one.low, one.high))
        means.append((x.at(one.x), _down(y, one.y), _down(y, low), _down(y, high)))
    ticks = tuple(
        (_down(y, value), text) for value, (_, text, _) in zip(y.ticks, y.labels(), strict=True)
    )
    return ScatterPlot(x, y, tuple(dots), tuple(means), ticks, points.total)


def _down(y: ChartAxis, value: float) -> str:
    return f"{100 - y.share(value):.2f}%"
