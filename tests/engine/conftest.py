"""What the tests of runs share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from scoring.metrics import registry
from scoring.metrics.pinc import Pinc
from scoring.services import runs_work
from tests.engine import toys


@pytest.fixture
def toy_metrics(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toys are metrics during a test."""
    own = [one for one in vars(toys).values() if getattr(one, "name", "").startswith("toy-")]
    targets = {one.name: f"{one.__module__}:{one.__qualname__}" for one in own}
    monkeypatch.setattr(registry, "_TARGETS", {**registry._TARGETS, **targets})
    registry.metric_class.cache_clear()
    runs_work._loaded.cache_clear()
    yield
    registry.metric_class.cache_clear()
    runs_work._loaded.cache_clear()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pairs Pinc was given, call by call."""
    calls: list[int] = []
    whole = Pinc.score_many

    def counting(self: Pinc, pairs: Any) -> Any:
        calls.append(len(pairs))
        return whole(self, pairs)

    monkeypatch.setattr(Pinc, "score_many", counting)
    return calls
