"""Copy a campaign."""

from __future__ import annotations

from copy import copy
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
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import campaign_get, campaigns_read_by, creator, get_in
from annotation.campaigns.copying import campaign_copy
from annotation.campaigns.forms import CopyForm, PilotForm, ScaleForm, ThresholdForm
from annotation.campaigns.pilot_queries import annotators_to_pilot, pilots_of, source_to_change
from annotation.campaigns.pilots import pilot_end, pilot_leave_out, pilot_start, pilot_take_over
from annotation.campaigns.scales import scale_change, scale_remove
from annotation.campaigns.services import preview_approve, scale_append, threshold_set
from annotation.campaigns.setup import (
    OwnText,
    item_to_preview,
    items_to_preview,
    nobody,
    preview_now,
    preview_of_item,
    preview_of_own,
    setup_of,
)
from annotation.collecting.sheets import SheetView
from annotation.errors import Conflict, DomainError, Invalid, NotFound
from annotation.http.pages import campaign_page
from annotation.models import Campaign, Item, Scale


@require_http_methods(["GET", "POST"])
def campaign_copy_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose what comes along; needs the right to create campaigns too."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    actor = creator(user=request.user)
    form = CopyForm(request.POST or None, initial={"slug": f"{campaign.slug[:58]}-2"})
    if request.method == "POST" and form.is_valid():
        try:
            copy = campaign_copy(campaign=campaign, actor=actor, **form.cleaned_data)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            return redirect("setup-steps", copy.slug)
    return campaign_page(
        request,
        "annotation/campaign_copy.html",
        campaign=campaign,
        rights=rights,
        form=form,
        status=422 if form.errors else 200,
    )


# Pilots: start one, see how far it is, and end it with one click.


@require_http_methods(["GET", "POST"])
def pilot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the campaign's pilots; a POST starts one."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    members = [
        (str(one.user_id), one.user.get_username())
        for one in annotators_to_pilot(campaign=campaign)
    ]
    form = PilotForm(
        request.POST or None, people=members, initial={"people": [pk for pk, _name in members]}
    )
    if request.method == "POST" and form.is_valid():
        people = [int(pk) for pk in form.cleaned_data["people"]]
        try:
            pilot_start(
                campaign=campaign,
                texts=form.cleaned_data["texts"],
                people=people,
                actor=request.user,
            )
        except Conflict as refusal:  # The form is not shown while a pilot is under way.
            messages.error(request, refusal.message)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The pilot is open."))
            return redirect("pilot", slug)
    views = pilots_of(campaign=campaign)
    return campaign_page(
        request,
        "annotation/pilot.html",
        campaign=campaign,
        rights=rights,
        form=form,
        pilots=views,
        members=members,
        running=any(one.campaign.status != Campaign.Status.CLOSED for one in views),
        status=422 if form.errors else 200,
    )


@require_POST
def pilot_stop(request: HttpRequest, slug: str) -> HttpResponse:
    """End this pilot."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    ended = pilot_end(pilot=campaign, actor=request.user)
    messages.success(request, _("The pilot has ended; its judgments are kept."))
    source = ended.copied_from
    return redirect("campaign", campaign.slug) if source is None else redirect("pilot", source.slug)


@require_POST
def pilot_judgments(request: HttpRequest, slug: str) -> HttpResponse:
    """Take this pilot's judgments over into its campaign (`count` is given), or leave them out."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    source = source_to_change(user=request.user, pilot=campaign)
    try:
        if "count" in request.POST:
            n = pilot_take_over(pilot=campaign, actor=request.user)
            done = _("%(n)s answers of the pilot count in the campaign now.") % {"n": n}
        else:
            pilot_leave_out(pilot=campaign, actor=request.user)
            done = _("The pilot’s judgments are left out of all statistics; they are kept.")
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, done)
    return redirect("pilot", source.slug)


# The annotator's screen at any time, with any text, storing nothing.


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
        request,
        "annotation/preview.html",
        campaign=campaign,
        rights=rights,
        items=items_to_preview(campaign=campaign),
        item=item,
        own=own,
        problem=problem,
        phone=request.GET.get("width") == "phone",
        frame="" if problem else _frame(campaign, item, own),
        phone_query=_query(request.GET, "phone"),
        wide_query=_query(request.GET, ""),
        digest=digest,
        approved=campaign.preview_seen == digest,
        status=422 if problem else 200,
    )


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


# A draft as a list of steps, and the question before it is opened.


@require_GET
def setup_steps(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every step with what is there, what is missing and why."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    readable = campaigns_read_by(user=request.user)
    return campaign_page(
        request,
        "annotation/setup_steps.html",
        campaign=campaign,
        rights=rights,
        setup=setup_of(campaign=campaign),
        source=readable.filter(pk=campaign.copied_from_id or 0).first(),
        copies=readable.filter(copied_from=campaign, pilot=False).order_by("name"),
    )


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
        request,
        "annotation/open_ask.html",
        campaign=campaign,
        rights=rights,
        setup=setup_of(campaign=campaign),
    )


# Pages of a campaign's scales and thresholds.


@require_http_methods(["GET", "POST"])
def scale_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a scale before the campaign is opened."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = ScaleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            scale_append(campaign=campaign, template=form.as_template(), actor=request.user)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The scale was added."))
            return redirect("settings", slug)
    return campaign_page(
        request, "annotation/scale.html", campaign=campaign, rights=rights, form=form
    )


@require_http_methods(["GET", "POST"])
def scale_edit(request: HttpRequest, slug: str, scale: UUID) -> HttpResponse:
    """Change all settings of a scale before the campaign is opened."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    row = get_in(campaign, Scale, scale)
    # A copy: a form changes its instance even if the input is invalid.
    form = ScaleForm(request.POST or None, instance=copy(row))
    if request.method == "POST" and form.is_valid():
        try:
            scale_change(scale=row, template=form.as_template(), actor=request.user)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("settings", slug)
    return campaign_page(
        request, "annotation/scale.html", campaign=campaign, rights=rights, form=form, scale=row
    )


@require_POST
def scale_delete(request: HttpRequest, slug: str, scale: UUID) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    try:
        scale_remove(scale=get_in(campaign, Scale, scale), actor=request.user)
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The scale was removed."))
    return redirect("settings", slug)


@require_POST
def threshold(request: HttpRequest, slug: str, scale: UUID) -> HttpResponse:
    """Set the value from which a judgment passes; this may change at any time."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    form = ThresholdForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid(_("The threshold must be a number on the scale, or empty."))
        threshold_set(
            scale=get_in(campaign, Scale, scale),
            threshold=form.cleaned_data["threshold"],
            actor=request.user,
        )
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Saved."))
    return redirect("settings", slug)
