"""What all pages of a campaign share."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from annotation.selectors.access import Rights
from annotation.selectors.campaigns import has_simulated

# (address name, label, right); the tabs from "import" on stand apart.
TABS = [
    ("campaign", _("Progress"), "read"),
    ("items", _("Items"), "read"),
    ("agreement", _("Agreement"), "read"),
    ("annotators", _("Annotators"), "research"),
    ("results", _("Results"), "read"),
    ("gold", _("Gold"), "read"),
    ("runs", _("Metric runs"), "read"),
    ("correlation", _("Correlation"), "read"),
    ("exports", _("Export"), "read"),
    ("import", _("Import"), "research"),
    ("people", _("People"), "research"),
    ("quality", _("Quality"), "research"),
    ("remarks", _("Remarks"), "read"),
    ("settings", _("Settings"), "research"),
    ("consent", _("Consent"), "research"),
    ("guidelines", _("Guidelines"), "see"),
    ("audit", _("Log"), "research"),
]
# Pages without a tab, and the tab they belong to.
BELONGS_TO = {
    "item": "items",
    "annotator": "annotators",
    "run": "runs",
    "scores-import": "runs",
    "one-metric": "correlation",
    "differences": "correlation",
    "correlation-systems": "correlation",
    "mixes": "correlation",
    "stability": "correlation",
    "ranking": "correlation",
    "correlation-report": "correlation",
    "invite": "people",
    "exclude": "people",
    "background-answers": "consent",
    "question": "consent",
    "question-new": "consent",
    "quality-controls": "quality",
    "quality-text": "quality",
    "quality-record": "quality",
    "practice": "quality",
    "practice-text": "quality",
    "scale": "settings",
    "scale-new": "settings",
    "scale-remove": "settings",
}


def campaign_page(
    request: HttpRequest,
    template: str,
    *,
    campaign: Campaign,
    rights: Rights,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Render a page below the campaign's tabs."""
    here = str(request.resolver_match.url_name) if request.resolver_match else ""
    tabs = [
        {
            "url": reverse(name, args=[campaign.slug]),
            "label": label,
            "current": name == BELONGS_TO.get(here, here),
            "group": name == "import",
        }
        for name, label, right in TABS
        if getattr(rights, right)
    ]
    base = {
        "campaign": campaign,
        "rights": rights,
        "tabs": tabs,
        "simulated": rights.read and has_simulated(campaign=campaign),
    }
    return render(request, template, {**base, **context}, status=status)
