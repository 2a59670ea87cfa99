"""Annotators' remarks on texts, for researchers."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.selectors.access import campaign_get
from annotation.selectors.collecting.remarks import remarks_of, skips_of
from annotation.views.pages import campaign_page


@require_GET
def remarks(request: HttpRequest, slug: str) -> HttpResponse:
    """Show flags, comments and skipped sheets."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    page = Paginator(remarks_of(campaign=campaign), 50).get_page(request.GET.get("page"))
    return campaign_page(
        request, "annotation/remarks.html", campaign=campaign, rights=rights, page=page,
        skips=skips_of(campaign=campaign)[:200],
    )  # fmt: skip
