"""A draft as a list of steps, and the question before it is opened."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from annotation.models import Campaign
from annotation.selectors.access import campaign_get, campaigns_read_by
from annotation.selectors.campaigns.setup import setup_of
from annotation.views.pages import campaign_page


@require_GET
def setup_steps(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every step with what is there, what is missing and why."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    readable = campaigns_read_by(user=request.user)
    return campaign_page(
        request, "annotation/setup_steps.html", campaign=campaign, rights=rights,
        setup=setup_of(campaign=campaign),
        source=readable.filter(pk=campaign.copied_from_id or 0).first(),
        copies=readable.filter(copied_from=campaign, pilot=False).order_by("name"),
    )  # fmt: skip


def to_first_step(campaign: Campaign) -> HttpResponse:
    """Lead to the steps of a new draft; the link of the first that is missing has the focus."""
    missing = setup_of(campaign=campaign).missing
    mark = f"#do-{missing[0].key}" if missing else ""
    return redirect(reverse("setup-steps", args=[campaign.slug]) + mark)


@require_GET
def open_ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what becomes fixed and what is missing, and ask."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    return campaign_page(
        request, "annotation/open_ask.html", campaign=campaign, rights=rights,
        setup=setup_of(campaign=campaign),
    )  # fmt: skip
