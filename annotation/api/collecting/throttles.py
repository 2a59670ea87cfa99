"""Rate limit of the sheet routes, per user."""

from __future__ import annotations

import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

WINDOW = 60  # seconds


def admitted(request: HttpRequest, user_pk: int) -> bool:
    """Count the request, once however often this is called, and say whether it is within the
    limit."""
    known: bool | None = getattr(request, "within_limit", None)
    if known is None:
        known = _count(user_pk) <= settings.SHEET_REQUESTS_PER_MINUTE
        request.within_limit = known  # type: ignore[attr-defined]
    return known


def _count(user_pk: int) -> int:
    key = f"sheets-{user_pk}-{int(time.time()) // WINDOW}"
    cache.add(key, 0, timeout=2 * WINDOW)
    try:
        return cache.incr(key)
    except ValueError:
        return 0  # The cache was full and evicted the counter between the two calls.


class SheetThrottle(BaseThrottle):
    """Limit a user's requests per minute with one counter.

    It stops runaway programs, not people: an expert sends about a hundred requests a minute, and a
    browser that was offline about a hundred at once. A refused save stays in the browser's queue.
    """

    def allow_request(self, request: Request, view: APIView) -> bool:
        if request.user.pk is None:
            return True  # The permission class refuses the request.
        return admitted(request._request, request.user.pk)

    def wait(self) -> float:
        return WINDOW - time.time() % WINDOW
