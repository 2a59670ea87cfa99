"""Counts of what must not be tried without end, in the cache."""

from __future__ import annotations

import time

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.throttling import BaseThrottle

from annotation.errors import TooManyFailures
from annotation.models.fields import text_digest


def count(what: str, *parts: str, most: int, seconds: int) -> None:
    """Count one more; raises TooManyFailures beyond `most` in the current window of `seconds`.

    `parts` say of whom (an address, an e-mail); they are kept as a hash.
    """
    key = f"{what}-{text_digest(*parts)}-{int(time.time()) // seconds}"
    cache.add(key, 0, timeout=2 * seconds)
    try:
        number = cache.incr(key)
    except ValueError:  # The cache was full and evicted the count between the two calls.
        return
    if number > most:
        raise TooManyFailures(
            _("Too many attempts: wait %(n)s minutes, then try again.") % {"n": seconds // 60}
        )


def sender_of(request: HttpRequest) -> str:
    """The address that a request came from, as all throttles see it."""
    return str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]
