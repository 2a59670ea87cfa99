"""Errors as JSON responses: always `{"code": ..., "detail": ...}`, with related data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
