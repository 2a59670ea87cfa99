"""A server that does not answer is asked once in a while, and told of once."""

import logging

import pytest

from paraanno import broker
from paraanno.broker import PAUSE, Breaker


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
