"""Notices to an annotator between two sheets: a warning, or that their work is paused."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.selectors.access import campaign_get
from annotation.selectors.people.annotators import annotator_of
from annotation.selectors.quality.overview import paused, warnings_unread
from annotation.services.quality.actions import warning_read

# Only for checks that reveal nothing: annotators must not learn which texts were controls.
HINTS = {
    "fast": _("Some sheets were done very quickly. There is no hurry: take the time they need."),
    "straight": _(
        "Many answers in a row were the same. That can be right; please look at each text anew."
    ),
}


@never_cache
@require_http_methods(["GET", "POST"])
def notice(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the notice; a POST confirms it. A paused annotator waits for a researcher."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    if request.method == "POST":
        if annotator is not None:
            warning_read(annotator=annotator)
        return redirect("rate", slug)
    checks = warnings_unread(annotator=annotator) if annotator is not None else set()
    context = {
        "campaign": campaign,
        "paused": annotator is not None and paused(annotator=annotator),
        "warned": bool(checks),
        "hints": [hint for check, hint in HINTS.items() if check in checks],
    }
    return render(request, "annotation/quality_notice.html", context)
