"""Pages of a campaign's scales and thresholds."""

from __future__ import annotations

from copy import copy
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Invalid
from annotation.forms.campaigns import ScaleForm, ThresholdForm
from annotation.models import Scale
from annotation.selectors.access import campaign_get, get_in
from annotation.services.campaigns.campaigns import scale_append, threshold_set
from annotation.services.campaigns.scales import scale_change, scale_remove
from annotation.views.pages import campaign_page


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
    found = get_in(campaign, Scale, scale)
    # A copy: a form changes its instance even if the input is invalid.
    form = ScaleForm(request.POST or None, instance=copy(found))
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
