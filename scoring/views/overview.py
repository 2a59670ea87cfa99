"""All campaigns, for administrators."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.selectors.campaigns import campaigns_with_progress
from annotation.services.errors import NotFound
from scoring.selectors.overview import with_last_run_and_report

PER_PAGE = 50


@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """Progress, agreement of the newest report, and the last run of every campaign."""
    if not request.user.is_superuser:
        raise NotFound(_("There is no such page."))
    campaigns = with_last_run_and_report(campaigns_with_progress(user=request.user))
    page = Paginator(campaigns.order_by("name", "pk"), PER_PAGE).get_page(request.GET.get("page"))
    rows = [{"campaign": one, "alphas": _alphas(one.agreement or {})} for one in page]
    return render(request, "scoring/overview.html", {"rows": rows, "page": page})


def _alphas(scales: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "scale": name,
            "ordinal": numbers["alpha_ordinal"]["value"],
            "interval": numbers["alpha_interval"]["value"],
            "n": numbers["n_ratings"],
        }
        for name, numbers in scales.items()
    ]
