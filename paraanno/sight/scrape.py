"""`/metrics` for Prometheus: closed until a token or networks are set."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from paraanno.sight import counted
from paraanno.sight.gauges import GAUGES, Gauge

if TYPE_CHECKING:
    from prometheus_client import Metric

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
    registry.register(_Asked())
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


class _Asked:
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
