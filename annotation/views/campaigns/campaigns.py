"""Pages of a campaign: list, creation, overview, settings, log."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import Invalid
from annotation.forms.campaigns import CampaignForm, NewCampaignForm, ThresholdForm
from annotation.models import Campaign
from annotation.presenters.overview import (
    CARDS,
    end_told,
    needs_of,
    pace_told,
    progress_chart,
    work_now,
)
from annotation.selectors.access import Rights, campaign_get, creator
from annotation.selectors.board.live import figures_of, working_now
from annotation.selectors.campaigns.campaigns import (
    campaign_counts,
    campaigns_with_progress,
    log_of,
)
from annotation.selectors.campaigns.course import work_course
from annotation.selectors.campaigns.languages import language_asked
from annotation.selectors.campaigns.setup import setup_of
from annotation.services.campaigns import campaigns as services
from annotation.templatetags.rating import plain
from annotation.views.pages import campaign_page
from annotation.views.setup.steps import to_first_step


@require_GET
def campaign_list(request: HttpRequest) -> HttpResponse:
    archived = request.GET.get("archived") == "1"
    context = {
        "campaigns": campaigns_with_progress(user=request.user, archived=archived),
        "archived": archived,
        "any_archived": campaigns_with_progress(user=request.user, archived=True).exists(),
    }
    return render(request, "annotation/campaign_list.html", context)


@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    actor = creator(user=request.user)
    language = get_language()  # Of the questions, until another is given.
    initial = {} if language == "en" else {"language": language}
    form = NewCampaignForm(request.POST or None, initial=initial, user=actor)
    if request.method == "POST" and form.is_valid():
        try:
            campaign = services.campaign_create(actor=actor, **form.cleaned_data)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            return to_first_step(campaign)
    return render(request, "annotation/campaign_new.html", {"form": form})


@require_GET
def campaign_home(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how far the campaign is; annotators are redirected to their work."""
    campaign, rights = campaign_get(user=request.user, slug=slug)
    if not rights.read:
        return redirect("rate", slug)
    return _home(request, campaign, rights)


@require_POST
def campaign_language(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the language of the texts; an error is shown beside the field."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    given = request.POST.get("language", "")
    try:
        services.campaign_update(campaign=campaign, actor=request.user, changes={"language": given})
    except Invalid as refusal:
        return _home(
            request, campaign, rights, language_error=refusal.message, language_given=given,
            status=422,
        )  # fmt: skip
    messages.success(request, _("Saved."))
    return redirect("campaign", slug)


def _home(
    request: HttpRequest, campaign: Campaign, rights: Rights, status: int = 200, **context: Any
) -> HttpResponse:
    course = work_course(campaign=campaign)
    found = course.forecast() if campaign.status == Campaign.Status.OPEN else None
    return campaign_page(
        request, "annotation/campaign.html", campaign=campaign, rights=rights, status=status,
        course=course, chart=progress_chart(course, found), pace=pace_told(found),
        end=end_told(course, found), work=work_now(
            course, working_now(campaign=campaign, now=course.now), figures_of(campaign=campaign)
        ),
        counts=campaign_counts(campaign=campaign),
        needs=needs_of(campaign=campaign, course=course, rights=rights),
        # Of a draft without judgments there is nothing to draw.
        cards=CARDS if campaign.opened_at or campaign.judgments.exists() else [],
        asks_language=language_asked(campaign=campaign),
        setup=setup_of(campaign=campaign) if rights.research and not campaign.opened_at else None,
        **context,
    )  # fmt: skip


@require_POST
def campaign_status(request: HttpRequest, slug: str) -> HttpResponse:
    """Open, pause or close the campaign."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    acts = {
        "open": services.campaign_open,
        "pause": services.campaign_pause,
        "close": services.campaign_close,
    }
    act = acts.get(request.POST.get("act", ""))
    if act is None:
        raise Invalid(_("Choose open, pause or close."))
    try:
        campaign = act(campaign=campaign, actor=request.user)
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request,
            _("The campaign is %(state)s.") % {"state": campaign.get_status_display().lower()},
        )
    return redirect("campaign", slug)


@require_http_methods(["GET", "POST"])
def campaign_settings(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    # A copy: a form changes its instance even if the input is invalid.
    form = CampaignForm(request.POST or None, instance=copy(campaign))
    if request.method == "POST" and form.is_valid():
        try:
            services.campaign_update(
                campaign=campaign, actor=request.user, changes=form.cleaned_data
            )
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("settings", slug)
    scales = [
        (
            scale,
            ThresholdForm(initial={"threshold": plain(scale.threshold)}, auto_id=f"t{scale.pk}_%s"),
        )
        for scale in campaign.scales.prefetch_related("points")
    ]
    return campaign_page(
        request, "annotation/settings.html", campaign=campaign, rights=rights, form=form,
        scales=scales,
    )  # fmt: skip


@require_GET
def audit_log(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    page = Paginator(log_of(campaign=campaign), 50).get_page(request.GET.get("page"))
    return campaign_page(
        request, "annotation/audit.html", campaign=campaign, rights=rights, page=page
    )
