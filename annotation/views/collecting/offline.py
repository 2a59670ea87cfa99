"""The service worker of the rating pages (static/js/rate/worker.js)."""

from __future__ import annotations

from pathlib import Path

from django.contrib.auth.decorators import login_not_required
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@login_not_required  # The browser looks for a newer one by itself, and takes no redirect.
@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the script from below /rate/, because its address limits what it answers for."""
    script = Path(str(finders.find("js/rate/worker.js")))
    return HttpResponse(script.read_bytes(), content_type="text/javascript; charset=utf-8")
