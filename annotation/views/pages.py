"""The shared frame of a campaign's pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.models import Campaign
from annotation.selectors.access import Rights
from annotation.selectors.campaigns.campaigns import has_simulated
from annotation.views.rooms import rooms_for


def campaign_page(
    request: HttpRequest,
    template: str,
    *,
    campaign: Campaign,
    rights: Rights,
    status: int = 200,
    choice_query: str = "",
    **context: Any,
) -> HttpResponse:
    """Render a page below the campaign's rooms; links within the room keep `choice_query`."""
    here = str(request.resolver_match.url_name) if request.resolver_match else ""
    rooms = rooms_for(campaign=campaign, rights=rights, here=here, query=choice_query)
    base = {
        "campaign": campaign,
        "rights": rights,
        # A single page needs no way to it: annotators have only the guidelines.
        "rooms": rooms if sum(len(room["pages"]) for room in rooms) > 1 else [],
        "room": next((room for room in rooms if room["current"]), None),
        "at_overview": here == "campaign",
        "simulated": rights.read and has_simulated(campaign=campaign),
    }
    return render(request, template, {**base, **context}, status=status)
