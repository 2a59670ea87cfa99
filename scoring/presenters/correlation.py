"""Shared parts of the correlation pages: links, the choice of judgments, number formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse

from annotation.models import Campaign
from annotation.selectors.access import Rights, campaign_get
from annotation.views.pages import campaign_page
from paraanno.translated import translated
from scoring.figures import FORMATS
from scoring.forms.choice import ChoiceForm
from scoring.selectors.runs import newest_done_runs, reads_old_language, run_labels
from scoring.services.reports.compute import ReportView, report_get
from scoring.stats.evaluation.catalogue import COEFFICIENTS, Level, at

FIGURE_FORMS = ("csv", *FORMATS)
TABLE_FORMS = ("csv", "tex", "md")


class PageRequest:
    """A request for a correlation page: the campaign, the choice of judgments, and a scale."""

    def __init__(self, request: HttpRequest, slug: str) -> None:
        self.request = request
        self.slug = slug
        self.campaign, self.rights = campaign_get(user=request.user, slug=slug, right="read")
        self.form = ChoiceForm(request.GET, campaign=self.campaign, kind="correlation")
        self.choice = self.form.choice()

    def report(
        self, kind: str, *, after_runs: bool = False, asked: Mapping[str, str] | None = None
    ) -> tuple[ReportView, Any]:
        """The report and its result, of the type of its kind; with no human columns and runs if
        there is none yet."""
        view = report_get(
            campaign=self.campaign, kind=kind, actor=self.request.user, choice=self.choice,
            after_runs=after_runs, asked=asked,
        )  # fmt: skip
        return view, view.result or {"human": {}, "runs": [], "turned": []}

    def scale(self, found: Mapping[str, Any]) -> str:
        """The human column in the query string, else the first; empty if there is none."""
        asked = self.request.GET.get("scale", "")
        return asked if asked in found["human"] else next(iter(found["human"]), "")

    def page(
        self, template: str, *, kept: Sequence[tuple[str, str]] = (), **context: Any
    ) -> HttpResponse:
        """Render the page; see `correlation_page`."""
        return correlation_page(
            self.request, template, campaign=self.campaign, rights=self.rights, form=self.form,
            kept=kept, **context,
        )  # fmt: skip


def correlation_page(
    request: HttpRequest,
    template: str,
    *,
    campaign: Campaign,
    rights: Rights,
    form: ChoiceForm,
    kept: Sequence[tuple[str, str]] = (),
    **context: Any,
) -> HttpResponse:
    """Render a correlation page. `kept` holds its query parameters other than the choice; links and
    forms of the page keep both (`query`, `hidden`)."""
    runs = newest_done_runs(campaign=campaign)
    old, labels = reads_old_language(runs), run_labels(runs)
    return campaign_page(
        request, template, campaign=campaign, rights=rights, choice_query=urlencode(form.pairs),
        choice_form=form,
        kept=list(kept), hidden=[*kept, *form.pairs], query=urlencode([*kept, *form.pairs]),
        figure_forms=FIGURE_FORMS, table_forms=TABLE_FORMS,
        any_run=bool(runs), old_language=[labels[run.pk] for run in runs if run.pk in old],
        **context,
    )  # fmt: skip


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
