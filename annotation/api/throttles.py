"""How often one user may ask the routes of sheets."""

from __future__ import annotations

import time

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

WINDOW = 60  # seconds


class SheetThrottle(BaseThrottle):
    """Counts a user's requests of the present minute in one number.

    It stops programs that run wild, never people: an expert sends some hundred a minute, and the
    queue of a browser that was offline some hundred at once. A refused save stays in the queue.
    """

    def allow_request(self, request: Request, view: APIView) -> bool:
        if request.user.pk is None:
            return True  # The permission refuses it.
        key = f"sheets-{request.user.pk}-{int(time.time()) // WINDOW}"
        cache.add(key, 0, timeout=2 * WINDOW)
        try:
            return cache.incr(key) <= settings.SHEET_REQUESTS_PER_MINUTE
        except ValueError:
            return True  # The cache was full, and dropped the number between the two lines.

    def wait(self) -> float:
        return WINDOW - time.time() % WINDOW
