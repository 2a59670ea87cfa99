"""Pilots: start one, see how far it is, and end it with one click."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Conflict, DomainError, Invalid
from annotation.forms.setup import PilotForm
from annotation.models import Campaign
from annotation.selectors.access import campaign_get
from annotation.selectors.campaigns.pilot_judgments import source_to_change
from annotation.selectors.campaigns.pilots import annotators_to_pilot, pilots_of
from annotation.services.campaigns.pilot_judgments import pilot_leave_out, pilot_take_over
from annotation.services.campaigns.pilots import pilot_end, pilot_start
from annotation.views.pages import campaign_page


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
                campaign=campaign, texts=form.cleaned_data["texts"], people=people,
                actor=request.user,
            )  # fmt: skip
        except Conflict as refusal:  # The form is not shown while a pilot is under way.
            messages.error(request, refusal.message)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The pilot is open."))
            return redirect("pilot", slug)
    views = pilots_of(campaign=campaign)
    return campaign_page(
        request, "annotation/pilot.html", campaign=campaign, rights=rights, form=form,
        pilots=views, members=members,
        running=any(one.campaign.status != Campaign.Status.CLOSED for one in views),
        status=422 if form.errors else 200,
    )  # fmt: skip


@require_POST
def pilot_stop(request: HttpRequest, slug: str) -> HttpResponse:
    """End this pilot."""
    found, _rights = campaign_get(user=request.user, slug=slug, right="research")
    ended = pilot_end(pilot=found, actor=request.user)
    messages.success(request, _("The pilot has ended; its judgments are kept."))
    source = ended.copied_from
    return redirect("campaign", found.slug) if source is None else redirect("pilot", source.slug)


@require_POST
def pilot_judgments(request: HttpRequest, slug: str) -> HttpResponse:
    """Take this pilot's judgments over into its campaign (`count` is given), or leave them out."""
    found, _rights = campaign_get(user=request.user, slug=slug, right="research")
    source = source_to_change(user=request.user, pilot=found)
    try:
        if "count" in request.POST:
            n = pilot_take_over(pilot=found, actor=request.user)
            done = _("%(n)s answers of the pilot count in the campaign now.") % {"n": n}
        else:
            pilot_leave_out(pilot=found, actor=request.user)
            done = _("The pilot’s judgments are left out of all statistics; they are kept.")
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, done)
    return redirect("pilot", source.slug)
