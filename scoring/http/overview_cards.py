"""The cards of a campaign's overview: agreement, systems, metrics. The page fetches each of them.

Agreement is computed if it is not yet. To compute results or correlations is to look at
comparisons, which is counted; so these cards show what is stored, with its date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.access import campaign_get
from annotation.campaigns.overview import day_told
from annotation.http.charts import ChartAxis, axis_for, band_path, line_path, number
from annotation.models import Campaign
from scoring.agreement.words import alphas_chart, metrics_chart
from scoring.metrics.registry import printed
from scoring.models import TrendPoint
from scoring.reports.compute import report_get, stored_report, trend_of
from scoring.results.views import OutcomePicture, outcome_pictures
from scoring.runs.queries import newest_done_runs, run_labels
from scoring.stats.agreement.coefficients import AgreementReport
from scoring.stats.evaluation.json_types import CorrelationReport
from scoring.stats.evaluation.verdicts import MetricVerdict, metric_verdict
from scoring.stats.systems.values import ResultsReport

# The course of a coefficient over the days of its reports, as lines with bands.


ABOVE, BELOW = -8, 16
MOST_LINES = 2  # One in the accent colour and one in grey: more are a table.


@dataclass(frozen=True, slots=True)
class TrendLine:
    """One scale: its line and band, and the place of its name at the line's end, with the pixels by
    which it is moved off the line."""

    name: str
    line: str
    band: str
    end: str
    shift: int
    course: str


@dataclass(frozen=True, slots=True)
class TrendLines:
    """Lines over days, for a viewBox of 100 by 100; the higher one has its name above, the
    other below."""

    first: str
    last: str
    y_ticks: list[tuple[str, str]]
    lines: tuple[TrendLine, ...]

    @property
    def summary(self) -> str:
        """What the lines show, in words."""
        return "; ".join(f"{line.name}: {line.course}" for line in self.lines)


def trend_lines(points: Sequence[TrendPoint]) -> TrendLines | None:
    """The first scales of the newest point; None with fewer than two days."""
    if len(points) < 2:
        return None
    first, last = points[0].day, points[-1].day
    names = [name for name, row in points[-1].numbers.items() if row[0] is not None][:MOST_LINES]
    rows = {
        name: [
            (float((point.day - first).days), *point.numbers[name][:3])
            for point in points
            if name in point.numbers and point.numbers[name][0] is not None
        ]
        for name in names
    }
    ends = [end for series in rows.values() for row in series for end in row[1:]]
    if not ends:
        return None
    top = max(series[-1][1] for series in rows.values())
    x = ChartAxis(0.0, float((last - first).days), ())
    y = axis_for(ends, most=1.0, bounded=True)
    return TrendLines(
        day_told(first),
        day_told(last),
        [(f"{100 - y.share(at):.2f}%", number(at, 1, bounded=True)) for at in y.ticks],
        tuple(
            _line(name, series, x, y, ABOVE if series[-1][1] == top else BELOW)
            for name, series in rows.items()
        ),
    )


def _line(
    name: str, rows: Sequence[tuple[float, ...]], x: ChartAxis, y: ChartAxis, shift: int
) -> TrendLine:
    bounded = [row for row in rows if row[2] is not None and row[3] is not None]
    return TrendLine(
        name=name,
        line=line_path([(row[0], row[1]) for row in rows], x, y),
        band=band_path(
            [(row[0], row[2]) for row in bounded], [(row[0], row[3]) for row in bounded], x, y
        ),
        end=f"{100 - y.share(rows[-1][1]):.2f}%",
        shift=shift,
        course=", ".join(number(row[1], bounded=True) for row in rows),
    )


MOST_SYSTEMS, MOST_METRICS = 8, 4


@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """Alpha of each scale with its interval, and its course over the days."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    view = report_get(campaign=campaign, kind="agreement", actor=request.user)
    report: AgreementReport | None = view.result
    chart = None
    if report is not None:
        levels = dict(campaign.scales.values_list("name", "level"))
        chart = alphas_chart(report, levels, reverse("agreement", args=[slug]))
    return _card(
        request,
        campaign,
        "agreement",
        chart=chart,
        reasons=_reasons(report),
        warning=report and report.get("warning"),
        view=view,
        lines=trend_lines(trend_of(campaign=campaign, kind="agreement")),
        waiting=view.waiting is not None and view.waiting.status != "failed" and not view.report,
    )


def _reasons(report: AgreementReport | None) -> list[str]:
    """Why alphas have no interval, each reason once."""
    blocks: list[Mapping[str, Any]] = [] if report is None else [*report["scales"].values()]
    alphas = [block[block["answer"]["coefficient"]] for block in blocks if "answer" in block]
    each = [alpha["options"].get("no_interval") for alpha in alphas]
    return list(dict.fromkeys(why for why in each if why))


@require_GET
def systems(request: HttpRequest, slug: str) -> HttpResponse:
    """The means of the first scale, of the newest stored results."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    stored = stored_report(campaign=campaign, kind="results")
    picture: OutcomePicture | None = None
    if stored is not None:
        report: ResultsReport = stored.report.result
        up = dict(campaign.scales.values_list("name", "higher_is_better"))
        picture = next(iter(outcome_pictures(report, up)), None)
    chart = picture and replace(
        picture.chart, rows=tuple(row.dot for row in picture.rows[:MOST_SYSTEMS])
    )
    return _card(
        request,
        campaign,
        "systems",
        stored=stored,
        warning=stored and stored.report.result.get("warning"),
        picture=picture,
        chart=chart,
        names=[] if chart else campaign.systems.values_list("label", flat=True)[:MOST_METRICS],
        more=max(0, len(picture.rows) - MOST_SYSTEMS) if picture else 0,
    )


@require_GET
def metrics(request: HttpRequest, slug: str) -> HttpResponse:
    """The best metrics beside the human ceiling, of the newest stored correlations."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    stored = stored_report(campaign=campaign, kind="correlation")
    chart, human, names, verdict = None, "", [], None
    if stored is None:
        runs_done = newest_done_runs(campaign=campaign)
        names, runs = [printed(one) for one in run_labels(runs_done).values()], len(runs_done)
    else:
        report: CorrelationReport = stored.report.result
        human, runs = next(iter(report["human"]), ""), len(report["runs"])
        page = reverse("one-metric", args=[slug])
        urls = {run["label"]: f"{page}?run={run['key']}" for run in report["runs"]}
        chart = metrics_chart(report, human, urls, most=MOST_METRICS)
        verdict = _of_best(report, human) if chart else None
    return _card(
        request,
        campaign,
        "metrics",
        stored=stored,
        warning=stored and stored.report.result.get("warning"),
        chart=chart,
        names=names[:MOST_METRICS],
        verdict=verdict,
        human=human,
        runs=runs,
        shown=MOST_METRICS,
    )


def _of_best(report: CorrelationReport, human: str) -> MetricVerdict:
    """May the metric that agrees best be used?"""
    metrics = report["human"][human]["metrics"]
    values = {name: one["pearson"]["value"] for name, one in metrics.items()}
    best = max(values, key=lambda name: -2.0 if values[name] is None else float(values[name] or 0))
    return metric_verdict(report, human, best)


def _card(request: HttpRequest, campaign: Campaign, name: str, **context: Any) -> HttpResponse:
    heads = {
        "agreement": (_("Agreement"), "agreement"),
        "systems": (_("Systems"), "results"),
        "metrics": (_("Metrics and people"), "correlation"),
    }
    title, page = heads[name]
    base = {
        "campaign": campaign,
        "name": f"card-{name}",
        "title": title,
        "url": reverse(page, args=[campaign.slug]),
    }
    return render(request, f"scoring/cards/{name}.html", {**base, **context})
