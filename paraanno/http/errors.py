"""Error pages, and the same errors as JSON for the API."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, MutableMapping
from typing import Protocol

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.csrf import requires_csrf_token

# Whether an error means that the database is away, so that the same request may succeed later.


RETRY_AFTER = 5  # seconds
# Of PostgreSQL (SQLSTATE): the disk is full, or this is a copy for reading.
_REFUSED = {"53100", "25006"}


def is_unavailable(error: BaseException | None) -> bool:
    """Whether the database is away, full, locked or without a free connection.

    Both databases call that an operational error. SQLite calls a wrong statement so, too, which no
    later attempt mends.
    """
    if not isinstance(error, DatabaseError | InterfaceError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError):
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR
    if getattr(cause, "sqlstate", None) in _REFUSED:
        return True
    return isinstance(error, OperationalError | InterfaceError)


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


# The full address of a page, as it stands in e-mails, links to pass on, and answers of the API.


class AnyRequest(Protocol):
    """A request, of Django or of the API's framework."""

    def build_absolute_uri(self, location: str | None = None) -> str: ...


def full_address(request: AnyRequest, path: str = "/") -> str:
    """Return the path behind PARAANNO_SITE; without that setting, behind the name under which the
    site was asked, which whoever asks can choose among those allowed."""
    return settings.SITE + path if settings.SITE else request.build_absolute_uri(path)


def at_site(path: str, *, fallback: str) -> str:
    """Return the path behind PARAANNO_SITE; without it behind `fallback`, the start of an address
    that was stored when somebody was here, for work that no request asks for."""
    return (settings.SITE or fallback.rstrip("/")) + path


# Headers that every answer has beside its policy, those of static files too. Without Django: the
# settings name a function of it.


# Pages ask for none of these; neither may what is in a frame of theirs. Writing to the clipboard is
# not here: links and codes are copied by a button. Of names that it does not know (bluetooth),
# Chromium complains on every page.
NOT_USED = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
# Pages of other sites load no page, file or picture of this one; a view made for that says so.
RESOURCES = "Cross-Origin-Resource-Policy"
FURTHER = {
    "Permissions-Policy": ", ".join(f"{name}=()" for name in NOT_USED),
    RESOURCES: "same-origin",
}


def on_static_file(headers: MutableMapping[str, str], _path: str, _url: str) -> None:
    """Whitenoise answers before all other middleware."""
    headers[RESOURCES] = FURTHER[RESOURCES]


# What a page may load: the Content-Security-Policy of every answer, and the other headers.


class PolicyMiddleware(CSPMiddleware):
    """django-csp's, which puts the same text together twice for each answer: made once here, for
    all answers that no view gives a policy of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.policy = build_policy()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        for name, value in FURTHER.items():
            response.headers.setdefault(name, value)
        own = (
            self.get_policy_parts(request, response),
            self.get_policy_parts(request, response, True),
        )
        exempt = getattr(response, "_csp_exempt", False)
        if own != (PolicyParts(), PolicyParts()) or exempt or settings.DEBUG:
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.policy)
        return response
