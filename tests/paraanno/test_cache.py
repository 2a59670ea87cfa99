"""The cache is never waited for."""

import logging
import socket
import time

import pytest
from django.core.cache import cache, caches

from paraanno import broker
from paraanno.broker import PAUSE, Breaker
from paraanno.patient_cache import PatientCache
from tests.own_redis import cached_at


def use(settings, url):
    settings.CACHES = cached_at(url)
    found = caches["default"]
    assert isinstance(found, PatientCache)
    found._memory.clear()
    return found


def test_a_server_that_hangs_is_asked_once_and_counted_without(settings):
    """It takes connections and says nothing, as a frozen Redis does."""
    with socket.create_server(("127.0.0.1", 0)) as hung:
        use(settings, f"redis://127.0.0.1:{hung.getsockname()[1]}/0")
        began = time.monotonic()
        cache.add("n", 0)
        counts = [cache.incr("n") for _ in range(50)]
        assert counts == list(range(1, 51))
        with pytest.raises(ValueError, match="no-such"):
            cache.incr("no-such")
        # Fifty waits would be two seconds; one is 40 ms.
        assert time.monotonic() - began < 1
        hung.setblocking(False)
        hung.accept()[0].close()
        with pytest.raises(BlockingIOError):
            hung.accept()


@pytest.mark.service("redis")
def test_counts_go_on_while_redis_is_frozen_and_killed_and_after(settings, own_redis, monkeypatch):
    monkeypatch.setattr(broker, "PAUSE", 0.05)
    found = use(settings, own_redis.url)
    cache.set("kept", 1)
    own_redis.freeze()
    assert cache.get("kept") is None and not found.answers()
    own_redis.thaw()
    end = time.monotonic() + 30
    while not (found.answers() and cache.get("kept") == 1):
        assert time.monotonic() < end
    own_redis.kill()
    cache.set("kept", 2)
    assert cache.get("kept") == 2 and not found.answers()


# A server that does not answer is asked once in a while, and told of once.


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 1000.0

        def monotonic(self):
            return self.now

    standing = Clock()
    monkeypatch.setattr(broker, "time", standing)
    return standing


def test_one_caller_in_a_while_asks_until_it_answers(clock, caplog):
    caplog.set_level(logging.WARNING)
    cut = Breaker("The cache", instead="nothing is counted.")
    assert cut.allows() and cut.allows()
    cut.failed(OSError("gone"))
    cut.failed(OSError("gone"))  # Another thread was asking already.
    assert not cut.allows()
    clock.now += PAUSE
    assert [cut.allows() for _ in range(3)] == [True, False, False]
    cut.failed(OSError("gone"))
    clock.now += PAUSE
    assert cut.allows()
    cut.worked()
    assert cut.allows() and cut.allows()
    cut.worked()
    assert [record.message for record in caplog.records] == [
        "The cache does not answer (OSError): nothing is counted.",
        "The cache answers again.",
    ]
