"""An annotator's own page: what they have done, how quickly, and the way back to each sheet."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Campaign, Slot
from annotation.selectors.access import campaign_get
from annotation.selectors.consent import consent_of
from annotation.selectors.own_work import own_day, own_history, own_work
from annotation.selectors.progress import own_progress
from annotation.selectors.voices import voice_of


@never_cache
@require_safe
def own(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = voice_of(campaign=campaign, user=request.user)
    done = own_history(annotator=annotator) if annotator else Slot.objects.none()
    work = own_work(annotator=annotator) if annotator else None
    context = {
        "campaign": campaign,
        "annotator": annotator,
        "progress": own_progress(campaign=campaign, annotator=annotator),
        "consent": consent_of(annotator=annotator) if annotator else None,
        "work": work,
        "day": own_day(annotator=annotator, work=work) if annotator and work else None,
        "page": Paginator(done, 50).get_page(request.GET.get("page")),
        "revise": campaign.allow_revision and campaign.status == Campaign.Status.OPEN,
    }
    return render(request, "annotation/rate_own.html", context)
