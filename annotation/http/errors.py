"""Domain errors as pages, and as responses of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

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
        status, title = _answer(error)
        context = {"title": title, "text": error.message}
        return render(request, "refused.html", context, status=status)


# The status of each kind of refusal, and the title of its page.
ANSWERS = [
    (NotFound, 404, _("Not found")),
    (NotAllowed, 403, _("Not allowed")),
    (Conflict, 409, _("Not possible now")),
    (TooManyFailures, 429, _("Too many attempts")),
    (NoRoom, 507, _("Not possible now")),
]


def _answer(error: DomainError) -> tuple[int, Promise | str]:
    answers = ((status, title) for kind, status, title in ANSWERS if isinstance(error, kind))
    return next(answers, (400, _("That does not work")))


# The language choice in the footer.


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponseBase:
    """Store the language in a cookie and return to the page."""
    return set_language(request)


# Errors as JSON responses: always `{"code": ..., "detail": ...}`, with related data.


# The same code, whether a service or the framework refused.
CODES = {"permission_denied": "not_allowed"}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an exception; None leaves it to Django (an unexpected one is a
    500).
    """
    error = as_refusal(error)
    if isinstance(error, DomainError):
        refused(error.code)
        data = {"code": error.code, "detail": error.message, **error.data}
        return Response(data, status=_answer(error)[0])
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
