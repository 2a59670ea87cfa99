"""An id for each request, a line of the access log when it is answered, and counting it.

The line has the route, not the address: addresses hold tokens of invitations and what was searched.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from paraanno.sight.counted import request_answered

logger = logging.getLogger("paraanno.access")
HEADER = "X-Request-ID"
_FROM_PROXY = re.compile(r"[A-Za-z0-9_-]{8,64}")

request_id: ContextVar[str] = ContextVar("request_id", default="")


class RequestMiddleware:
    """Give the request an id, which the answer has as a header and each line of the log names.

    A proxy in front may have given it one; from elsewhere none is taken.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "") if settings.SECURE_PROXY_SSL_HEADER else ""
        mine = given if _FROM_PROXY.fullmatch(given) else uuid4().hex
        before = request_id.set(mine)
        began = time.monotonic()
        try:
            response = self.get_response(request)
            response[HEADER] = mine
            seconds = time.monotonic() - began
            match = request.resolver_match
            request_answered(
                method=request.method or "", route=match.route if match else "-",
                status=response.status_code, seconds=seconds,
            )  # fmt: skip
            if settings.ACCESS_LOG:
                _write(request, response, seconds)
        finally:
            request_id.reset(before)
        return response


def _write(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    fields = {
        "method": request.method,
        "route": match.route if match else "-",
        "campaign": match.kwargs.get("slug", "") if match else "",
        "status": response.status_code,
        "ms": round(seconds * 1000),
        "user": _code_of(request),
    }
    said = " ".join(f"{name}={value}" for name, value in fields.items() if value != "")
    logger.info("%s", said, extra={"access": fields})


def _code_of(request: HttpRequest) -> str:
    """The number of the login; empty if this request needed none: no query is made for the log."""
    user = request.__dict__.get("user")
    if isinstance(user, SimpleLazyObject):
        user = request.__dict__.get("_cached_user")
    return f"u{user.pk}" if user is not None and user.pk else ""
