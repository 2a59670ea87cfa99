"""Correlation of metrics with human judgments: all metrics, and differences pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, cast
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from paraanno.template_filters import translated
from scoring.chart_files import ChartFile, chart_asked
from scoring.correlation.figures import GapName, TestName
from scoring.correlation.one_metric import MOST_POINTS, Points, phrases_of, points_asked, points_of
from scoring.correlation.words import (
    CorrelationPage,
    MetricMatrix,
    correlation_view,
    heads,
    matrix_file,
    metric_matrix,
    p_text,
    scatter_plot,
    scopes_sentence,
)
from scoring.metrics.registry import printed
from scoring.ratings.choice_form import RegionForm
from scoring.ratings.tables import human_names
from scoring.reports.compute import ReportView, newest_report
from scoring.runs.queries import newest_done_runs, run_get, run_labels
from scoring.stats.evaluation.catalogue import Level, at
from scoring.stats.evaluation.json_types import (
    ComparisonJson,
    CorrelationReport,
    HumanJson,
    Named,
    RunJson,
)
from scoring.stats.evaluation.verdicts import MetricVerdict, metric_verdict
from scoring.stats.significance.swaps import letters_in
from scoring.stats.table import EstimateJson

# A difference, its test by cluster, and that adjusted by Holm.
BY_CLUSTER: tuple[tuple[GapName, TestName, TestName], ...] = (
    ("difference", "permutation_p", "holm_p"),
    ("difference_spearman", "permutation_spearman_p", "holm_spearman_p"),
    ("difference_accuracy", "permutation_accuracy_p", "holm_accuracy_p"),
)
LEVELS: tuple[Level, ...] = ("main", "passes")  # Of the matrix.
GROUPS = ("pearson", "spearman", "accuracy")  # As the report names what is compared.
LITERATURE: tuple[TestName, ...] = (
    "williams_p",
    "steiger_p",
    "meng_p",
    "mcnemar_clustered_p",
    "mcnemar_p",
)


class MetricRow(TypedDict):
    """A metric on one human column; `url` leads to the texts behind it."""

    run: RunJson
    cells: list[EstimateJson]
    more: list[EstimateJson]
    free: EstimateJson | None
    roc: EstimateJson | None
    letters: str
    url: str


class MetricTable(TypedDict):
    """One human column; `whole` where every row has a number under every further head."""

    human: str
    rows: list[MetricRow]
    ceiling: Mapping[str, Named] | None
    main: list[dict[str, str]]
    passes: list[dict[str, str]]
    heads: list[dict[str, str]]
    whole: bool


class MetricGap(TypedDict):
    """A cell of the square; `clear` where Holm's p is below .05."""

    gap: float | None
    clear: bool


class TestedGap(TypedDict):
    """A difference with its tests as texts."""

    gap: EstimateJson | None
    p: str
    holm: str
    clear: bool
    reason: str


class LiteratureTest(TypedDict):
    p: str
    reason: str
    warning: str


class MetricPair(ComparisonJson):
    """A comparison with its p-values as texts."""

    gaps: list[TestedGap]
    literature: list[LiteratureTest]


AT_ONCE = 12  # Metrics: the tables of more are read when somebody unfolds them.
OPEN = 16  # Pairs: a table of fewer is open.


@require_GET
@correlation_view()
def correlation(page: CorrelationPage) -> HttpResponse:
    """A table for each human column, the figure of its coefficients, and metric by metric."""
    view, report = page.result("correlation", after_runs=True)
    tables = [table_of(page, report, human) for human in report["human"]] if report["runs"] else []
    picture = _picture(page, report) if tables else {}
    file = chart_asked(page.request, page.slug, _files(picture["matrix"]) if picture else {})
    if file is not None:
        return file
    return page.render(
        "scoring/correlation.html",
        view=view,
        found=report,
        tables=tables,
        later=len(report["runs"]) > AT_ONCE and "tables" not in page.query,
        unfolded="tables" in page.query,
        **picture,
        figures=_figures(page, report) if tables else [],
    )


def _files(matrix: MetricMatrix) -> dict[str, ChartFile]:
    title = _("Metrics against %(human)s") % {"human": matrix.human}
    return {"matrix": matrix_file(matrix, title)} if matrix.heads else {}


def _picture(page: CorrelationPage, report: CorrelationReport) -> dict[str, Any]:
    """The matrix of one human column, and which metric stands beside it: those of the query string,
    else the first."""
    human = page.scale(report)
    labels = {head: translated(label) for level in LEVELS for head, label in at(level).items()}
    matrix = metric_matrix(report, human, labels)
    keys = [row.key for row in matrix.rows]
    chosen = page.query.get("metric", "")
    chosen = chosen if chosen in keys else keys[0]
    pairs = page.form.pairs
    return {
        "matrix": matrix,
        "scopes": scopes_sentence(report, human),
        "chosen": chosen,
        "rows": [
            (row, urlencode([("scale", human), ("metric", row.key), *pairs])) for row in matrix.rows
        ],
        "humans": [
            (name, urlencode([("scale", name), ("metric", chosen), *pairs]))
            for name in report["human"]
        ],
        "beside": urlencode([("run", chosen), ("scale", human), *pairs]),
    }


def table_of(page: CorrelationPage, report: CorrelationReport, human: str) -> MetricTable:
    """A row for each metric, the best Pearson correlation first; cells link to the texts behind
    them."""
    numbers = report["human"][human]
    address = reverse("one-metric", args=[page.slug])
    ceilings = numbers.get("against_ceiling", {})
    roc = report.get("roc", {})
    letters = numbers.get("significance_letters", {}).get("pearson", {})
    rows: list[MetricRow] = []
    for run in report["runs"]:
        label = run["label"]
        query = urlencode([("run", run["key"]), ("scale", human), *page.form.pairs])
        more = numbers.get("further", {}).get(label, {})
        within = numbers.get("within_originals", {}).get(label, {})
        free, curve = ceilings.get(label, {}).get("pearson"), roc.get(label)
        rows.append(
            {
                "run": run,
                "cells": [numbers["metrics"][label][name] for name in at("main")],
                "more": [more[name] for name in at("further") if name in more]
                + [within[name] for name in at("within") if name in within],
                "free": free and free["disattenuated"],
                "roc": curve and curve["area"],
                "letters": letters.get(label, ""),
                "url": f"{address}?{query}",
            }
        )
    rows.sort(key=lambda row: -_value(row["cells"][0]))
    further = [*heads("further"), *heads("within")]
    return {
        "human": human,
        "rows": rows,
        "ceiling": report["ceiling"].get(human),
        "main": heads("main"),
        "passes": heads("passes"),
        "heads": further,
        "whole": bool(rows) and all(len(row["more"]) == len(further) for row in rows),
    }


def _value(cell: EstimateJson) -> float:
    """Sort key that puts undefined values last."""
    return -2.0 if cell["value"] is None else float(cell["value"])


def _figures(page: CorrelationPage, report: CorrelationReport) -> list[dict[str, str]]:
    figures = [
        {
            "name": "coefficients",
            "title": _("Pearson with people, by metric"),
            # xgettext:no-python-format
            "help": _("With 95 % intervals."),
            "query": urlencode(page.form.pairs),
        }
    ]
    if len(report["runs"]) > 1:
        figures.append(
            {
                "name": "among",
                "title": _("How the metrics correlate with each other (Spearman)"),
                "help": _("Metrics for which lower is better have their sign reversed here too."),
                "query": urlencode(page.form.pairs),
            }
        )
    return figures


@require_GET
@correlation_view()
def differences(page: CorrelationPage) -> HttpResponse:
    """Every pair of metrics on one human column, and their letters: those of no difference."""
    view, report = page.result("correlation")
    human = page.scale(report)
    numbers: HumanJson | None = report["human"].get(human)
    rows = numbers["comparisons"] if numbers else []
    letters = numbers.get("significance_letters", {}) if numbers else {}
    ranked = list(letters.get("pearson", ()))
    unfolded = len(rows) < OPEN or "tables" in page.query
    later = len(report["runs"]) > AT_ONCE and not unfolded
    return page.render(
        "scoring/differences.html",
        view=view,
        found=report,
        scales=list(report["human"]),
        pairs=len(rows),
        later=later,
        unfolded=unfolded,
        ranked=ranked,
        square=[] if later else _square(ranked, rows),
        scale=human,
        parameters=[("scale", human)] if human else [],
        rows=[] if later else compared(report, human),
        heads=heads("comparisons"),
        groups=[
            _group(head["label"], letters[name])
            for head, name in zip(heads("comparisons"), GROUPS, strict=True)
            if letters.get(name)
        ],
        warned=any(one.get("warnings") for one in rows),
    )


class BestGroup(TypedDict):
    """The best metric by a coefficient, those that no test tells apart from it, and the letters of
    all, best first."""

    name: str
    best: str
    beside: list[str]
    letters: list[tuple[str, str]]


def _group(name: str, letters: Mapping[str, str]) -> BestGroup:
    best, *others = letters
    own = set(letters_in(letters[best]))
    beside = [one for one in others if own & set(letters_in(letters[one]))]
    return {"name": name, "best": best, "beside": beside, "letters": list(letters.items())}


def _square(
    names: list[str], rows: list[ComparisonJson]
) -> list[tuple[str, list[MetricGap | None]]]:
    """Differences of Pearson correlations correlations, row minus column, and whether the
    Holm-adjusted p is below .05."""
    cells: dict[tuple[str, str], MetricGap] = {}
    for one in rows:
        difference = one["difference"]
        gap, clear = difference and difference["value"], (one.get("holm_p") or 1) < 0.05
        cells[one["a"], one["b"]] = {"gap": gap, "clear": clear}
        cells[one["b"], one["a"]] = {"gap": None if gap is None else -gap, "clear": clear}
    return [(name, [cells.get((name, other)) for other in names]) for name in names]


def compared(report: CorrelationReport, human: str) -> list[MetricPair]:
    """The pairs of metrics on one human column, p-values as texts."""
    numbers = report["human"].get(human)
    return [_pair(one) for one in numbers["comparisons"]] if numbers else []


def _pair(one: ComparisonJson) -> MetricPair:
    """A comparison with its p-values as texts."""
    reasons, warnings = one.get("reasons", {}), one.get("warnings", {})
    gaps: list[TestedGap] = [
        {
            "gap": one.get(name),
            "p": p_text(one.get(test)),
            "holm": p_text(one.get(adjusted)),
            "clear": (one.get(adjusted) or 1) < 0.05,
            "reason": reasons.get(test, ""),
        }
        for name, test, adjusted in BY_CLUSTER
    ]
    literature: list[LiteratureTest] = [
        {
            "p": p_text(one.get(test)),
            "reason": reasons.get(test, ""),
            "warning": warnings.get(test, ""),
        }
        for test in LITERATURE
    ]
    return cast(MetricPair, {**one, "gaps": gaps, "literature": literature})


# One metric against human judgments, text by text.


LISTED, FURTHEST = 100, 2


@require_GET
@correlation_view()
def one_metric(page: CorrelationPage) -> HttpResponse:
    """The page for the run and scale in the query string, else the first of each."""
    runs = newest_done_runs(campaign=page.campaign)
    about, view, points = _points(page)
    labels = run_labels(runs)
    parameters: list[tuple[str, str]] = []
    more: dict[str, Any] = {}
    if about:
        run = run_get(campaign=page.campaign, key=about["run"])
        parameters = [("run", about["run"]), ("scale", about["scale"])]
        more = {"run": run, "human": about["scale"]}
    if points is not None:
        more |= _listed(page, points) | _disagreeing(page, points)
        more |= _verdict(page, points)
    return page.render(
        "scoring/one_metric.html",
        parameters=parameters,
        view=view,
        points=points,
        runs=[(str(run.key), printed(labels[run.pk])) for run in runs],
        scales=human_names(campaign=page.campaign),
        region=RegionForm(page.query),
        figures=_one_metric_figures(points) if points and points.total else [],
        **more,
    )


class OfOneMetric(TypedDict, total=False):
    verdict: MetricVerdict
    beside: object


def _verdict(page: CorrelationPage, points: Points) -> OfOneMetric:
    """May the metric be used? By the newest stored report about all judgments, if it is in it: to
    make one here would be to look at comparisons, which is counted."""
    stored = None if page.form.chosen else newest_report(campaign=page.campaign, kind="correlation")
    report: CorrelationReport | None = stored.result if stored else None
    part = (report or {"human": {}})["human"].get(points.human)
    if report is None or part is None or points.label not in part["metrics"]:
        return {}
    return {
        "verdict": metric_verdict(report, points.human, points.label),
        "beside": part.get("against_ceiling", {}).get(points.label),
    }


@require_GET
@correlation_view(frame=False)
def texts(page: CorrelationPage) -> HttpResponse:
    """The texts of a region, as a fragment for the open page."""
    if not page.query.get("run"):
        raise NotFound(_("There is no such run."))
    _about, _view, points = _points(page)
    more = _listed(page, points) if points else {}
    return page.bare("scoring/_region.html", points=points, **more)


@require_GET
@correlation_view(frame=False)
def beside(page: CorrelationPage) -> HttpResponse:
    """One metric's texts as dots and those furthest off, as a fragment beside the matrix."""
    about, view, points = _points(page)
    context: dict[str, Any] = {"view": view, "points": points}
    if points is not None and points.total:
        higher, lower = points.disagreements()
        context |= {
            "plot": scatter_plot(points, phrases_of(points=points)),
            "furthest": [
                (row, row.point.url(page.slug)) for row in (*higher[:FURTHEST], *lower[:FURTHEST])
            ],
        }
    context["url"] = f"{reverse('one-metric', args=[page.slug])}?" + urlencode(
        [*about.items(), *page.form.pairs]
    )
    return page.bare("scoring/_beside.html", **context)


def _points(page: CorrelationPage) -> tuple[dict[str, str], ReportView | None, Points | None]:
    """What is asked for, the report, and its points; None if there are none yet."""
    about = points_asked(campaign=page.campaign, data=page.query.dict())
    if not about:
        return about, None, None
    view, report = page.result("one-metric", parameters=about)
    if view.report is None:
        return about, view, None
    return about, view, points_of(campaign=page.campaign, report=report)


def _one_metric_figures(points: Points) -> list[dict[str, str]]:
    metric = printed(points.label)
    about = f"{metric} · {points.human}"
    figures = [
        {
            "name": "scatter",
            "title": about,
            "help": _("With this many texts, a density is shown.")
            if points.total > MOST_POINTS
            else _("Each point is a text; a click opens its item."),
            "region": "region",
        },
        {
            "name": "values",
            "title": _("%(metric)s at each value of %(people)s")
            % {"metric": metric, "people": points.human},
            "help": _("If there are many values, neighbours are grouped."),
        },
    ]
    if points.pass_and_fail:
        figures.append(
            {
                "name": "roc",
                "title": _("Predicting what passes by %(metric)s") % {"metric": metric},
                "help": _(
                    "A text passes where its gold reaches every threshold. The dotted line "
                    "is chance."
                ),
            }
        )
    return figures


def _disagreeing(page: CorrelationPage, points: Points) -> dict[str, Any]:
    higher, lower = points.disagreements()
    sides = [
        (_("Rated higher by the metric than by people"), higher),
        (_("Rated higher by people than by the metric"), lower),
    ]
    return {
        "sides": [
            (title, [(row, row.point.url(page.slug)) for row in rows])
            for title, rows in sides
            if rows
        ]
    }


def _listed(page: CorrelationPage, points: Points) -> dict[str, Any]:
    """The texts inside the region in the query string, lowest human value first."""
    region = RegionForm(page.query)
    if not region.given:
        return {"listed": None}
    inside = points.within(*region.ends())
    order = inside[points.better[1][inside].argsort(kind="stable")][:LISTED]
    listed = points.texts(order.tolist())
    return {"listed": [(one, one.url(page.slug)) for one in listed], "inside": int(inside.size)}
