"""The administrators' overview of all campaigns: results, and what needs attention."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from annotation.selectors.campaigns.campaigns import campaigns_with_progress
from paraanno.backups.nightly import backup_state
from paraanno.minus import minus
from scoring.selectors.overview import Row, TrendNumber, overview_rows
from scoring.stats.agreement.verdict import TENTATIVE

PER_PAGE = 50


@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """Progress, agreement, the best metric, their trends, and alerts of every campaign."""
    if not request.user.is_superuser:
        raise NotFound(_("There is no such page."))
    campaigns = campaigns_with_progress(user=request.user).order_by("name", "pk")
    page = Paginator(campaigns, PER_PAGE).get_page(request.GET.get("page"))
    rows = overview_rows(page.object_list)
    return render(
        request,
        "scoring/overview.html",
        {
            "page": page,
            "rows": [_shown(row) for row in rows],
            "needy": [row for row in rows if row.low_alphas or row.outdated or row.quiet_since],
            "least": TENTATIVE,
            "backup": backup_state(),
        },
    )


def _shown(row: Row) -> dict[str, object]:
    return {
        "row": row,
        "campaign": row.campaign,
        "sheets": sum(row.per_day),
        "alphas": [_drawn(one) for one in row.alphas],
        "best": [_drawn(one) for one in row.best],
    }


def _drawn(number: TrendNumber) -> dict[str, object]:
    return {
        "number": number,
        "course": minus(", ".join(f"{value:.2f}" for value in number.course)),
    }
