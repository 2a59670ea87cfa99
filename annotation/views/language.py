"""The language choice in the footer."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import set_language


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponseBase:
    """Store the language in a cookie and return to the page."""
    return set_language(request)
