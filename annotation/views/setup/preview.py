"""The annotator's screen at any time, with any text, storing nothing."""

from __future__ import annotations

from uuid import UUID

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods

from annotation.errors import Invalid, NotFound
from annotation.models import Campaign, Item
from annotation.selectors.access import campaign_get
from annotation.selectors.campaigns.preview import (
    OwnText,
    item_to_preview,
    items_to_preview,
    nobody,
    preview_of_item,
    preview_of_own,
)
from annotation.selectors.campaigns.setup import preview_now
from annotation.selectors.collecting.sheets import SheetView
from annotation.services.campaigns.campaigns import preview_approve
from annotation.views.pages import campaign_page

LONGEST = 2000


@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]  # it passes all arguments on
@require_http_methods(["GET", "POST"])
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a text and a width; a POST says that the screen is as it should be."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    if request.method == "POST":
        preview_approve(campaign=campaign, seen=request.POST.get("seen", ""), actor=request.user)
        messages.success(request, _("Noted: the preview was looked at."))
        return redirect("setup-steps", slug)
    own, item, problem = _own(request.GET), None, ""
    if own is None:
        item = item_to_preview(campaign=campaign, key=_key(request.GET))
    else:
        try:
            preview_of_own(campaign=campaign, own=own)
        except Invalid as refusal:
            problem = refusal.message
    digest = preview_now(campaign=campaign)
    return campaign_page(
        request, "annotation/preview.html", campaign=campaign, rights=rights,
        items=items_to_preview(campaign=campaign), item=item, own=own, problem=problem,
        phone=request.GET.get("width") == "phone",
        frame="" if problem else _frame(campaign, item, own),
        phone_query=_query(request.GET, "phone"), wide_query=_query(request.GET, ""),
        digest=digest, approved=campaign.preview_seen == digest,
        status=422 if problem else 200,
    )  # fmt: skip


@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [SELF]})  # type: ignore[arg-type]
@never_cache
@require_http_methods(["GET", "POST"])
def preview_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rating page itself. Its scripts send nothing, and a POST, from a browser without
    scripts, stores nothing.
    """
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    if request.GET.get("done"):
        context = {"campaign": campaign, "again": _query(request.GET, "", "done")}
        return render(request, "annotation/preview_done.html", context)
    context = {
        "campaign": campaign,
        "annotator": nobody(campaign),
        "sheet": _sheet(campaign, request.GET),
        "address": request.get_full_path(),
        "progress": {"done": 0, "left": 0, "open": 1},
        "posted": request.method == "POST",
        "done": f"?{_query(request.GET, '')}&done=1",
    }
    return render(request, "annotation/preview_sheet.html", context)


def _sheet(campaign: Campaign, query: QueryDict) -> SheetView:
    own = _own(query)
    if own is not None:
        return preview_of_own(campaign=campaign, own=own)
    item = item_to_preview(campaign=campaign, key=_key(query))
    if item is None:
        example = OwnText(
            _("This is a sentence with a phrase in it."), _("a phrase"), _("some words")
        )
        return preview_of_own(campaign=campaign, own=example)
    return preview_of_item(campaign=campaign, item=item)


def _own(query: QueryDict) -> OwnText | None:
    """The typed text; it is stored nowhere."""
    if "sentence" not in query:
        return None
    parts = (query.get(name, "")[:LONGEST] for name in ("sentence", "phrase", "paraphrase"))
    return OwnText(*parts)


def _key(query: QueryDict) -> UUID | None:
    given = query.get("item", "")
    if not given:
        return None
    try:
        return UUID(given)
    except ValueError as error:
        raise NotFound(_("There is no such item.")) from error


def _frame(campaign: Campaign, item: Item | None, own: OwnText | None) -> str:
    """The address of the frame."""
    query = QueryDict(mutable=True)
    if item is not None:
        query["item"] = str(item.key)
    elif own is not None:
        query.update({name: getattr(own, name) for name in ("sentence", "phrase", "paraphrase")})
    return f"{reverse('preview-sheet', args=[campaign.slug])}?{query.urlencode()}"


def _query(given: QueryDict, width: str, *without: str) -> str:
    query = given.copy()
    for name in ("width", *without):
        query.pop(name, None)
    if width:
        query["width"] = width
    return query.urlencode()
