"""What the pages about metrics and people share: their links, the choice of judgments, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from annotation.selectors.access import Rights, campaign_get
from annotation.views.pages import campaign_page
from scoring.figures import FORMATS
from scoring.forms import ChoiceForm
from scoring.selectors.runs import newest_done_runs
from scoring.services.reports import ReportView, report_get

PARTS = [
    ("correlation", _("All metrics")),
    ("one-metric", _("One metric, text by text")),
    ("differences", _("Differences")),
    ("correlation-systems", _("Systems")),
    ("mixes", _("Mixes")),
    ("stability", _("Stability")),
    ("ranking", _("Ranking")),
]
FIGURE_FORMS = ("csv", *FORMATS)
TABLE_FORMS = ("csv", "tex", "md")


class Asked:
    """A request for one of the pages: the campaign, the choice of judgments, and a scale."""

    def __init__(self, request: HttpRequest, slug: str) -> None:
        self.request = request
        self.slug = slug
        self.campaign, self.rights = campaign_get(user=request.user, slug=slug, right="read")
        self.form = ChoiceForm(request.GET, campaign=self.campaign, kind="correlation")
        self.choice = self.form.choice()

    def report(self, kind: str) -> tuple[ReportView, dict[str, Any]]:
        """The report, and what it says: without people and runs where there is none yet."""
        view = report_get(
            campaign=self.campaign, kind=kind, actor=self.request.user, choice=self.choice
        )
        return view, view.result or {"human": {}, "runs": [], "turned": []}

    def scale(self, found: dict[str, Any]) -> str:
        """The human column that the address names, else the first; empty where there is none."""
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
    """Render one of the pages. `kept` is what its address says beside the choice; figures and
    forms of the page carry both on (`query`, `hidden`)."""
    here = request.resolver_match.url_name if request.resolver_match else ""
    chosen = urlencode(form.pairs)
    parts = [
        {
            "url": f"{reverse(name, args=[campaign.slug])}{'?' if chosen else ''}{chosen}",
            "label": label,
            "current": name == here,
        }
        for name, label in PARTS
    ]
    return campaign_page(
        request, template, campaign=campaign, rights=rights, parts=parts, choice_form=form,
        kept=list(kept), hidden=[*kept, *form.pairs], query=urlencode([*kept, *form.pairs]),
        figure_forms=FIGURE_FORMS, table_forms=TABLE_FORMS,
        any_run=lambda: bool(newest_done_runs(campaign=campaign)), **context,
    )  # fmt: skip


def p_text(value: float | None) -> str:
    """Never 0: a p-value is only smaller than what is shown."""
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
