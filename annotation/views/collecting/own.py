"""An annotator's own page: their work, their pace, and links back to their sheets."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Campaign
from annotation.selectors.access import campaign_get
from annotation.selectors.campaigns.progress import own_progress
from annotation.selectors.collecting.own_work import own_day, own_history, own_work
from annotation.selectors.people.annotators import annotator_of
from annotation.selectors.people.consent import consent_of
from paraanno import clock


@never_cache
@require_safe
def own(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    done = own_history(annotator=annotator)
    now = clock.now()
    work = own_work(annotator=annotator, now=now) if annotator else None
    context = {
        "campaign": campaign,
        "annotator": annotator,
        "progress": own_progress(campaign=campaign, annotator=annotator),
        "consent": consent_of(annotator=annotator) if annotator else None,
        "work": work,
        "day": own_day(annotator=annotator, work=work, now=now) if annotator and work else None,
        "page": Paginator(done, 50).get_page(request.GET.get("page")),
        "revise": campaign.allow_revision and campaign.status == Campaign.Status.OPEN,
    }
    return render(request, "annotation/rate_own.html", context)
