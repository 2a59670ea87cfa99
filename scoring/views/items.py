"""Items with all that is known of them: outputs, judgments, scores."""

from __future__ import annotations

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.selectors.items import item_view, items_found

PER_PAGE = 50


@require_GET
def items(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign's items; `q` searches in their texts, `system` is a label."""
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
    around = campaign.items.only("key")
    return campaign_page(
        request, "scoring/item.html", campaign=campaign, rights=rights, item=item, view=view,
        none=item.outputs.filter(substitution=None).select_related("system"),
        references=item.references.all(), outside=item.outside_ids.all(),
        before=around.filter(position__lt=item.position).order_by("-position").first(),
        after=around.filter(position__gt=item.position).order_by("position").first(),
    )  # fmt: skip
