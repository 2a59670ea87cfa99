"""Items with their outputs, judgments and scores."""

from __future__ import annotations

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.selectors.items import empty_outputs, item_view, items_found, neighbours

PER_PAGE = 50


@require_GET
def items(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign's items; `q` searches their texts, `system` is a label."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    wanted, system = request.GET.get("q", "").strip(), request.GET.get("system", "")
    wanted = wanted.replace("\x00", "")
    found = items_found(campaign=campaign, text=wanted, system=system.replace("\x00", ""))
    return campaign_page(
        request, "scoring/items.html", campaign=campaign, rights=rights,
        page=Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        q=wanted, system=system, systems=campaign.systems.values_list("label", flat=True),
    )  # fmt: skip


@require_GET
def item_page(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    view = item_view(campaign=campaign, key=key)
    item = view.item
    before, after = neighbours(item=item)
    return campaign_page(
        request, "scoring/item.html", campaign=campaign, rights=rights, item=item, view=view,
        none=empty_outputs(item=item),
        references=item.references.all(), outside=item.outside_ids.all(),
        before=before, after=after,
    )  # fmt: skip
