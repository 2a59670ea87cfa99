"""Error pages, and the same errors as JSON for the API."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token

from paraanno.answers.unavailable import RETRY_AFTER, is_unavailable


def _answer(request: HttpRequest, status: int, code: str, title: str, text: str) -> HttpResponse:
    """Return the error; no context processor runs, because they may need what has failed."""
    if request.path.startswith("/api/"):
        return JsonResponse({"code": code, "detail": text}, status=status)
    page = render_to_string("error.html", {"status": status, "title": title, "text": text})
    return HttpResponse(page, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    text = _("The server cannot read this request. Go back and try again.")
    return _answer(request, 400, "bad_request", _("Request not understood"), text)


@requires_csrf_token
def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    text = _("Your account may not do this. Ask the owner of the campaign for the right to do it.")
    return _answer(request, 403, "not_allowed", _("Not allowed"), text)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    text = _("There is no such page, or it is not open to your account.")
    return _answer(request, 404, "not_found", _("Page not found"), text)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an error nobody caught: 503 while the database is away, else 500.

    Django calls this while it handles the error, of whatever view or middleware.
    """
    if is_unavailable(sys.exc_info()[1]):
        return unavailable(request)
    text = _("Something went wrong on the server, and its log says what. Saved judgments are safe.")
    return _answer(request, 500, "server_error", _("Server error"), text)


def unavailable(request: HttpRequest) -> HttpResponse:
    text = _(
        "The database does not answer or cannot store anything at the moment. What you sent was "
        "not stored: try again in a few seconds. The rating screen keeps answers and sends them "
        "again by itself."
    )
    answer = _answer(request, 503, "unavailable", _("Not available at the moment"), text)
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a CSRF failure; its usual cause is a page opened before a login or logout."""
    text = _(
        "This page is out of date, perhaps after a new login. Go back, reload it and try again."
    )
    return _answer(request, 403, "csrf", _("Page out of date"), text)
