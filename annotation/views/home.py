"""The home page: campaigns to annotate and campaigns to manage."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.selectors.campaigns.campaigns import campaigns_to_annotate, campaigns_with_progress


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "annotation/home.html",
        {
            "tasks": campaigns_to_annotate(user=request.user),
            "campaigns": campaigns_with_progress(user=request.user),
        },
    )
