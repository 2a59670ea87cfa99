"""Domain errors as pages, and as responses of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.errors import (
    Conflict,
    DomainError,
    Invalid,
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


# Errors as JSON responses: always `{"code": ..., "detail": ...}`, with related data.


STATUS = [
    (NotFound, status.HTTP_404_NOT_FOUND),
    (NotAllowed, status.HTTP_403_FORBIDDEN),
    (Conflict, status.HTTP_409_CONFLICT),
    (Invalid, status.HTTP_400_BAD_REQUEST),
    (TooManyFailures, status.HTTP_429_TOO_MANY_REQUESTS),
    (NoRoom, status.HTTP_507_INSUFFICIENT_STORAGE),
]
# The same code, whether a service or the framework refused.
CODES = {"permission_denied": "not_allowed"}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an exception; None leaves it to Django (an unexpected one is a
    500).
    """
    error = as_refusal(error)
    if isinstance(error, DomainError):
        refused(error.code)
        code = next((code for kind, code in STATUS if isinstance(error, kind)), 400)
        return Response({"code": error.code, "detail": error.message, **error.data}, status=code)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        refused("invalid")
        fields = response.data if isinstance(response.data, dict) else {"": response.data}
        response.data = {"code": "invalid", "detail": _sentence(fields), "fields": fields}
        return response
    detail = response.data["detail"]
    code = CODES.get(detail.code, detail.code)
    refused(code)
    response.data = {"code": code, "detail": str(detail)}
    return response


def _sentence(fields: Mapping[str, object]) -> str:
    """Join the problems in one line: "slug: This field is required."."""
    parts = []
    for name, problems in fields.items():
        texts = problems if isinstance(problems, list) else [problems]
        message = " ".join(str(text) for text in texts)
        parts.append(message if name in ("", "non_field_errors") else f"{name}: {message}")
    return " ".join(parts)
