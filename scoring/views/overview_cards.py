"""The cards of a campaign's overview: agreement, systems, metrics. The page fetches each of them.

Agreement is computed if it is not yet. To compute results or correlations is to look at
comparisons, which is counted; so these cards show what is stored, with its date.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.models import Campaign
from annotation.presenters.charts import DotChart
from annotation.selectors.access import campaign_get
from scoring.presenters.coefficient_dots import alphas_chart, metrics_chart
from scoring.presenters.system_dots import OutcomePicture, outcome_pictures
from scoring.presenters.trend_lines import trend_lines
from scoring.selectors.stored import stored_report, trend_of
from scoring.services.reports.compute import report_get
from scoring.stats.agreement.json_types import AgreementReport
from scoring.stats.evaluation.json_types import CorrelationReport
from scoring.stats.systems.json_types import ResultsReport

MOST_SYSTEMS, MOST_METRICS = 8, 4


@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """Alpha of each scale with its interval, and its course over the days."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    view = report_get(campaign=campaign, kind="agreement", actor=request.user)
    found: AgreementReport | None = view.result
    chart = None
    if found is not None:
        levels = dict(campaign.scales.values_list("name", "level"))
        chart = alphas_chart(found, levels, reverse("agreement", args=[slug]))
    return _card(
        request, campaign, "agreement", chart=chart, view=view,
        lines=trend_lines(trend_of(campaign=campaign, kind="agreement")),
        waiting=view.waiting is not None and view.waiting.status != "failed" and not view.report,
    )  # fmt: skip


@require_GET
def systems(request: HttpRequest, slug: str) -> HttpResponse:
    """The means of the first scale, of the newest stored results."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    stored = stored_report(campaign=campaign, kind="results")
    picture: OutcomePicture | None = None
    if stored is not None:
        found: ResultsReport = stored.report.result
        up = dict(campaign.scales.values_list("name", "higher_is_better"))
        picture = next(iter(outcome_pictures(found, up)), None)
    chart = picture and DotChart.of([row.dot for row in picture.rows[:MOST_SYSTEMS]])
    return _card(request, campaign, "systems", stored=stored, picture=picture, chart=chart,
                 more=max(0, len(picture.rows) - MOST_SYSTEMS) if picture else 0)  # fmt: skip


@require_GET
def metrics(request: HttpRequest, slug: str) -> HttpResponse:
    """The best metrics beside the human ceiling, of the newest stored correlations."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    stored = stored_report(campaign=campaign, kind="correlation")
    chart, human, runs = None, "", 0
    if stored is not None:
        found: CorrelationReport = stored.report.result
        human, runs = next(iter(found["human"]), ""), len(found["runs"])
        page = reverse("one-metric", args=[slug])
        urls = {run["label"]: f"{page}?run={run['key']}" for run in found["runs"]}
        chart = metrics_chart(found, human, urls, most=MOST_METRICS)
    return _card(request, campaign, "metrics", stored=stored, chart=chart, human=human, runs=runs,
                 shown=MOST_METRICS)  # fmt: skip


def _card(request: HttpRequest, campaign: Campaign, name: str, **context: Any) -> HttpResponse:
    heads = {
        "agreement": (_("Agreement"), "agreement"),
        "systems": (_("Systems"), "results"),
        "metrics": (_("Metrics and people"), "correlation"),
    }
    title, page = heads[name]
    base = {"campaign": campaign, "name": f"card-{name}", "title": title,
            "url": reverse(page, args=[campaign.slug])}  # fmt: skip
    return render(request, f"scoring/cards/{name}.html", {**base, **context})
