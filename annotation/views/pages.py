"""The shared frame of a campaign's pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise

from annotation.models import Campaign
from annotation.selectors.access import Rights
from annotation.selectors.campaigns.campaigns import has_simulated


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of a campaign.

    name    the name of its URL
    place   the sort key among the tabs of all apps
    right   which of `Rights` shows it
    pages   names of pages without a tab of their own that belong to it
    apart   whether it starts a new group
    """

    name: str
    label: Promise
    place: int
    right: str = "read"
    pages: tuple[str, ...] = ()
    apart: bool = False


TABS: list[Tab] = []


def add_tabs(*tabs: Tab) -> None:
    """Register tabs; each app does this at startup."""
    TABS.extend(tabs)
    TABS.sort(key=lambda tab: tab.place)


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
            "url": reverse(tab.name, args=[campaign.slug]),
            "label": tab.label,
            "current": here == tab.name or here in tab.pages,
            "group": tab.apart,
        }
        for tab in TABS
        if getattr(rights, tab.right)
    ]
    base = {
        "campaign": campaign,
        "rights": rights,
        "tabs": tabs,
        "simulated": rights.read and has_simulated(campaign=campaign),
    }
    return render(request, template, {**base, **context}, status=status)
