"""Copy a campaign."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.errors import Invalid
from annotation.forms.setup import CopyForm
from annotation.selectors.access import campaign_get, creator
from annotation.services.campaigns.copying import campaign_copy
from annotation.views.pages import campaign_page


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
        request, "annotation/campaign_copy.html", campaign=campaign, rights=rights, form=form,
        status=422 if form.errors else 200,
    )  # fmt: skip
