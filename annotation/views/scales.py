"""The questions of a campaign: scales and thresholds."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.forms import ScaleForm, ThresholdForm
from annotation.models import Campaign, Scale
from annotation.selectors.access import campaign_get
from annotation.services.campaigns import scale_append, threshold_set
from annotation.services.errors import Invalid, NotFound
from annotation.services.scales import scale_change, scale_remove
from annotation.views.pages import campaign_page


def _scale(campaign: Campaign, key: UUID) -> Scale:
    scale = campaign.scales.filter(key=key).first()
    if scale is None:
        raise NotFound(_("There is no such scale."))
    return scale


@require_http_methods(["GET", "POST"])
def scale_new(request: HttpRequest, slug: str) -> HttpResponse:
    """One more question, before the campaign is opened."""
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
    """Change all of a question, before the campaign is opened."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    found = _scale(campaign, scale)
    form = ScaleForm(request.POST or None, instance=_scale(campaign, scale))
    if request.method == "POST" and form.is_valid():
        try:
            scale_change(scale=found, template=form.as_template(), actor=request.user)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("settings", slug)
    return campaign_page(
        request, "annotation/scale.html", campaign=campaign, rights=rights, form=form, scale=found
    )


@require_POST
def scale_delete(request: HttpRequest, slug: str, scale: UUID) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    try:
        scale_remove(scale=_scale(campaign, scale), actor=request.user)
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The scale was removed."))
    return redirect("settings", slug)


@require_POST
def threshold(request: HttpRequest, slug: str, scale: UUID) -> HttpResponse:
    """From which value a judgment passes; this may change at any time."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    form = ThresholdForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid(_("The threshold must be a number on the scale, or empty."))
        threshold_set(
            scale=_scale(campaign, scale),
            threshold=form.cleaned_data["threshold"],
            actor=request.user,
        )
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Saved."))
    return redirect("settings", slug)
