"""Domain errors as pages."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from annotation.errors import (
    Conflict,
    DomainError,
    NoRoom,
    NotAllowed,
    NotFound,
    TooManyFailures,
    as_refusal,
)
from paraanno.observability.counted import refused


class DomainErrorMiddleware:
    """Turn an uncaught DomainError into a page with its sentence: 404, 403, 409, 429, 507 or
    400."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        error = as_refusal(error)
        if not isinstance(error, DomainError):
            return None
        refused(error.code)
        title, status = _title(error)
        context = {"title": title, "text": error.message}
        return render(request, "refused.html", context, status=status)


def _title(error: DomainError) -> tuple[str, int]:
    if isinstance(error, NotFound):
        return _("Not found"), 404
    if isinstance(error, NotAllowed):
        return _("Not allowed"), 403
    if isinstance(error, Conflict):
        return _("Not possible now"), 409
    if isinstance(error, TooManyFailures):
        return _("Too many attempts"), 429
    if isinstance(error, NoRoom):
        return _("Not possible now"), 507
    return _("That does not work"), 400


# The language choice in the footer.


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponseBase:
    """Store the language in a cookie and return to the page."""
    return set_language(request)
