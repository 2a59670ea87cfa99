"""The cache in Redis, which no request waits for: throttles count here, and nothing else is kept.

While Redis is away or hangs, each process counts in its own memory, as without Redis.
"""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from paraanno.broker import Breaker

# Seconds: connecting and one answer together stay below a tenth.
PATIENCE = 0.04
# Django makes a cache for every thread; what is known of the server is shared.
_BREAKERS: dict[str, Breaker] = {}


class PatientCache(RedisCache):
    """Django's cache in Redis, with the memory of the process in its place while it is away."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "retry": Retry(NoBackoff(), 0),
            **params.get("OPTIONS", {}),
        }
        super().__init__(server, {**params, "OPTIONS": options})
        self._memory = LocMemCache("while-redis-is-away", {"OPTIONS": {"MAX_ENTRIES": 100_000}})
        self._breaker = _BREAKERS.setdefault(
            server, Breaker("The cache", instead="each process counts requests by itself.")
        )

    def answers(self) -> bool:
        """Ask Redis whether it is there, whatever is known of it."""
        try:
            self._cache.get_client().ping()
        except (RedisError, OSError) as error:
            self._breaker.failed(error)
            return False
        self._breaker.worked()
        return True

    def _ask(self, name: str, *args: Any, **options: Any) -> Any:
        if self._breaker.allows():
            try:
                answer = getattr(super(), name)(*args, **options)
            except (RedisError, OSError) as error:
                self._breaker.failed(error)
            else:
                self._breaker.worked()
                return answer
        return getattr(self._memory, name)(*args, **options)


def _patient(name: str) -> Any:
    def method(self: PatientCache, *args: Any, **options: Any) -> Any:
        return self._ask(name, *args, **options)

    return method


for _name in (
    "add",
    "get",
    "set",
    "touch",
    "delete",
    "get_many",
    "has_key",
    "incr",
    "set_many",
    "delete_many",
    "clear",
):
    setattr(PatientCache, _name, _patient(_name))
