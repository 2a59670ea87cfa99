"""Withdrawal from a campaign, with the choice about the judgments."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.errors import NotAllowed
from annotation.models import Withdrawal
from annotation.selectors.access import campaign_get
from annotation.selectors.campaigns.progress import own_progress
from annotation.selectors.people.annotators import annotator_of
from annotation.selectors.people.withdrawal import withdrawal_of
from annotation.services.people.withdrawal import annotator_withdraw


@never_cache
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the choices; a confirmed POST withdraws."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    unsure = False
    if request.method == "POST" and annotator is not None:
        unsure = "sure" not in request.POST
        if not unsure:
            try:
                annotator_withdraw(
                    annotator=annotator,
                    judgments=request.POST.get("judgments", Withdrawal.Judgments.KEEP),
                    erase="erase" in request.POST,
                )
            except NotAllowed as refusal:
                messages.error(request, refusal.message)
                return redirect("rate-withdraw", slug)
            messages.success(
                request, _("You no longer take part in %(name)s.") % {"name": campaign.name}
            )
            return redirect("home")
    context = {
        "campaign": campaign,
        "annotator": annotator,
        "left": withdrawal_of(campaign=campaign, user=request.user),
        "progress": own_progress(campaign=campaign, annotator=annotator),
        "unsure": unsure,
        "chosen": request.POST,
    }
    return render(request, "annotation/rate_withdraw.html", context, status=422 if unsure else 200)
