"""Copy a campaign."""

from __future__ import annotations

from copy import copy
from uuid import UUID

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import campaigns_read_by, creator
from annotation.campaigns.copying import campaign_copy
from annotation.campaigns.forms import CopyForm, PilotForm, ScaleForm, ThresholdForm
from annotation.campaigns.pilots import pilot_end, pilot_leave_out, pilot_start, pilot_take_over
from annotation.campaigns.queries import annotators_to_pilot, pilots_of, source_to_change
from annotation.campaigns.scales import scale_change, scale_remove
from annotation.campaigns.services import (
    campaign_update,
    preview_approve,
    scale_append,
    threshold_set,
)
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
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.models import Campaign, Item, Scale
from annotation.people.forms import WithdrawalForm


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def campaign_copy_page(page: CampaignPage) -> HttpResponse:
    """Choose what comes along; needs the right to create campaigns too."""
    actor = creator(user=page.user)
    form = CopyForm(page.posted, initial={"slug": f"{page.campaign.slug[:58]}-2"})
    if page.saves(
        form,
        lambda: campaign_copy(campaign=page.campaign, actor=actor, **form.cleaned_data),
    ):
        return redirect("setup-steps", form.cleaned_data["slug"])
    return page.render(
        "annotation/campaign_copy.html",
        form=form,
    )


# Pilots: start one, see how far it is, and end it with one click.


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def pilot(page: CampaignPage) -> HttpResponse:
    """Show the campaign's pilots; a POST starts one."""
    members = [
        (str(one.user_id), one.user.get_username())
        for one in annotators_to_pilot(campaign=page.campaign)
    ]
    form = PilotForm(page.posted, people=members, initial={"people": [pk for pk, _name in members]})
    if page.sent and form.is_valid():
        people = [int(pk) for pk in form.cleaned_data["people"]]
        try:
            pilot_start(
                campaign=page.campaign,
                texts=form.cleaned_data["texts"],
                people=people,
                actor=page.user,
            )
        except Conflict as refusal:  # The form is not shown while a pilot is under way.
            page.warns(refusal.message)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            return page.done(_("The pilot is open."), "pilot")
    views = pilots_of(campaign=page.campaign)
    return page.render(
        "annotation/pilot.html",
        form=form,
        pilots=views,
        members=members,
        running=any(one.campaign.status != Campaign.Status.CLOSED for one in views),
    )


@require_POST
@campaign_view("research")
def pilot_stop(page: CampaignPage) -> HttpResponse:
    """End this pilot."""
    ended = pilot_end(pilot=page.campaign, actor=page.user)
    page.says(_("The pilot has ended; its judgments are kept."))
    source = ended.copied_from
    return page.go("campaign") if source is None else redirect("pilot", source.slug)


@require_POST
@campaign_view("research")
def pilot_judgments(page: CampaignPage) -> HttpResponse:
    """Take this pilot's judgments over into its campaign (`count` is given), or leave them out."""
    source = source_to_change(user=page.user, pilot=page.campaign)
    try:
        if "count" in page.post:
            n = pilot_take_over(pilot=page.campaign, actor=page.user)
            done = _("%(n)s answers of the pilot count in the campaign now.") % {"n": n}
        else:
            pilot_leave_out(pilot=page.campaign, actor=page.user)
            done = _("The pilot’s judgments are left out of all statistics; they are kept.")
    except DomainError as refusal:
        page.warns(refusal.message)
    else:
        page.says(done)
    return redirect("pilot", source.slug)


# The annotator's screen at any time, with any text, storing nothing.


LONGEST = 2000


@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]  # it passes all arguments on
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def preview(page: CampaignPage) -> HttpResponse:
    """Choose a text and a width; a POST says that the screen is as it should be."""
    if page.sent:
        preview_approve(campaign=page.campaign, seen=page.post.get("seen", ""), actor=page.user)
        return page.done(_("Noted: the preview was looked at."), "setup-steps")
    own, item, problem = _own(page.query), None, ""
    if own is None:
        item = item_to_preview(campaign=page.campaign, key=_key(page.query))
    else:
        try:
            preview_of_own(campaign=page.campaign, own=own)
        except Invalid as refusal:
            problem = refusal.message
    digest = preview_now(campaign=page.campaign)
    return page.render(
        "annotation/preview.html",
        items=items_to_preview(campaign=page.campaign),
        item=item,
        own=own,
        problem=problem,
        phone=page.query.get("width") == "phone",
        frame="" if problem else _frame(page.campaign, item, own),
        phone_query=_query(page.query, "phone"),
        wide_query=_query(page.query, ""),
        digest=digest,
        approved=page.campaign.preview_seen == digest,
        status=422 if problem else 200,
    )


@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [SELF]})  # type: ignore[arg-type]
@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def preview_sheet(page: CampaignPage) -> HttpResponse:
    """Show the rating page itself. Its scripts send nothing, and a POST, from a browser without
    scripts, stores nothing.
    """
    if page.query.get("done"):
        again = _query(page.query, "", "done")
        return page.bare("annotation/preview_done.html", again=again)
    return page.bare(
        "annotation/preview_sheet.html",
        annotator=nobody(page.campaign),
        sheet=_sheet(page.campaign, page.query),
        address=page.request.get_full_path(),
        progress={"done": 0, "left": 0, "open": 1},
        posted=page.sent,
        done=f"?{_query(page.query, '')}&done=1",
    )


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
@campaign_view("research")
def setup_steps(page: CampaignPage) -> HttpResponse:
    """Show every step with what is there, what is missing and why."""
    readable = campaigns_read_by(user=page.user)
    return page.render(
        "annotation/setup_steps.html",
        setup=setup_of(campaign=page.campaign),
        source=readable.filter(pk=page.campaign.copied_from_id or 0).first(),
        copies=readable.filter(copied_from=page.campaign, pilot=False).order_by("name"),
    )


def to_first_step(campaign: Campaign) -> HttpResponse:
    """Lead to the steps of a new draft; the link of the first that is missing has the focus."""
    missing = setup_of(campaign=campaign).missing
    mark = f"#do-{missing[0].key}" if missing else ""
    return redirect(reverse("setup-steps", args=[campaign.slug]) + mark)


@require_GET
@campaign_view("research")
def open_ask(page: CampaignPage) -> HttpResponse:
    """Show what becomes fixed and what is missing, and ask."""
    return page.render(
        "annotation/open_ask.html",
        setup=setup_of(campaign=page.campaign),
    )


# Pages of a campaign's scales and thresholds.


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def scale_new(page: CampaignPage) -> HttpResponse:
    """Add a scale before the campaign is opened."""
    form = ScaleForm(page.posted)
    if page.saves(
        form,
        lambda: scale_append(campaign=page.campaign, template=form.as_template(), actor=page.user),
    ):
        return page.done(_("The scale was added."), "settings")
    return page.render("annotation/scale.html", form=form)


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def scale_edit(page: CampaignPage, scale: UUID) -> HttpResponse:
    """Change all settings of a scale before the campaign is opened."""
    row = page.row(Scale, scale)
    # A copy: a form changes its instance even if the input is invalid.
    form = ScaleForm(page.posted, instance=copy(row))
    if page.saves(
        form, lambda: scale_change(scale=row, template=form.as_template(), actor=page.user)
    ):
        return page.done(_("Saved."), "settings")
    return page.render("annotation/scale.html", form=form, scale=row)


@require_POST
@campaign_view("research")
def scale_delete(page: CampaignPage, scale: UUID) -> HttpResponse:
    return page.act(
        "settings",
        do=lambda: scale_remove(scale=page.row(Scale, scale), actor=page.user),
        done=_("The scale was removed."),
    )


@require_POST
@campaign_view("research")
def threshold(page: CampaignPage, scale: UUID) -> HttpResponse:
    """Set the value from which a judgment passes; this may change at any time."""
    form, row = ThresholdForm(page.post), page.row(Scale, scale)

    def change() -> None:
        if not form.is_valid():
            raise Invalid(_("The threshold must be a number on the scale, or empty."))
        threshold_set(scale=row, threshold=form.cleaned_data["threshold"], actor=page.user)

    return page.act("settings", do=change, done=_("Saved."))


# What annotators who withdraw may choose.


@require_POST
@campaign_view("research")
def withdrawal_rules(page: CampaignPage) -> HttpResponse:
    """Set the choices of an annotator who withdraws."""
    form = WithdrawalForm(page.post)
    form.is_valid()  # two checkboxes: every form is valid
    campaign_update(campaign=page.campaign, actor=page.user, changes=form.cleaned_data)
    return page.done(_("Saved."), "consent")
