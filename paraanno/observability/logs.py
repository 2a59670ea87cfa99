"""A log of one JSON object a line, for programs that collect logs."""

from __future__ import annotations

import json
import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from paraanno.observability import counted
from paraanno.observability.counted import GAUGES, Gauge, request_answered

if TYPE_CHECKING:
    from prometheus_client import Metric


# One line for a request that met a database that is away: not its traceback, which says the same
# 170 lines for each of them.


class OneLine(logging.Filter):
    """Puts the error behind the message in place of the traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        from paraanno.http.errors import is_unavailable

        error = record.exc_info[1] if record.exc_info else None
        if is_unavailable(error):
            about = (str(error).strip() or "no answer").splitlines()[0]
            record.msg = f"{record.getMessage()} ({type(error).__name__}: {about})"
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


# An id for each request, a line of the access log when it is answered, and counting it.
#
# The line has the route, not the address: addresses hold tokens of invitations and what was
# searched.


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
        identifier = given if _FROM_PROXY.fullmatch(given) else uuid4().hex
        before = request_id.set(identifier)
        began = time.monotonic()
        try:
            response = self.get_response(request)
            response[HEADER] = identifier
            seconds = time.monotonic() - began
            match = request.resolver_match
            request_answered(
                method=request.method or "",
                route=match.route if match else "-",
                status=response.status_code,
                seconds=seconds,
            )
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
    message = " ".join(f"{name}={value}" for name, value in fields.items() if value != "")
    logger.info("%s", message, extra={"access": fields})


def _code_of(request: HttpRequest) -> str:
    """The number of the login; empty if this request needed none: no query is made for the log."""
    user = request.__dict__.get("user")
    if isinstance(user, SimpleLazyObject):
        user = request.__dict__.get("_cached_user")
    return f"u{user.pk}" if user is not None and user.pk else ""


class JsonLog(logging.Formatter):
    """`time` (UTC), `level`, `logger`, `message`; `request`, the id, within one; `error`, the
    traceback, of an error; and of the access log `method`, `route`, `campaign`, `status`, `ms`,
    `user` (the number of the login, with a u before it)."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if identifier := request_id.get():
            line["request"] = identifier
        if access := getattr(record, "access", None):
            line |= access
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


# `/metrics` for Prometheus: closed until a token or networks are set.


_BEARER = re.compile(r"Bearer (\S+)")


@never_cache
@require_safe
@login_not_required
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer 404 to everybody else, as if there were no such page."""
    if not _may(request):
        raise Http404
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    if counted.FOLDER in os.environ:
        MultiProcessCollector(registry)
    else:
        for one in counted.own():
            registry.register(one)
    registry.register(_Gauges())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may(request: HttpRequest) -> bool:
    given = _BEARER.fullmatch(request.headers.get("Authorization", ""))
    if settings.METRICS_TOKEN and given:
        return constant_time_compare(given[1], settings.METRICS_TOKEN)
    address = _address(request)
    return address is not None and any(address in one for one in settings.METRICS_NETWORKS)


def _address(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """The sender's address; behind a trusted proxy the one that it passes on last."""
    passed = request.META.get("HTTP_X_FORWARDED_FOR", "")
    text = request.META.get("REMOTE_ADDR", "")
    if settings.SECURE_PROXY_SSL_HEADER and passed:
        text = passed.rpartition(",")[2].strip()
    try:
        return ip_address(text)
    except ValueError:  # A socket of the file system, or a proxy that sends something else.
        return None


class _Gauges:
    """The gauges, and whether the database answered."""

    def collect(self) -> Iterator[Metric]:
        up = 1.0
        for ask in GAUGES:
            try:
                yield from [_metric(one) for one in ask()]
            except (DatabaseError, InterfaceError):
                up = 0.0
        yield _metric(Gauge("paraanno_database_up", "1: the database answers.", [((), up)]))


def _metric(gauge: Gauge) -> Metric:
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(gauge.name, gauge.help, labels=gauge.labels)
    for values, number in gauge.rows:
        family.add_metric(values, number)
    return family
