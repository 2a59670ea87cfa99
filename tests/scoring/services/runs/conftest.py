"""Runs of which nobody tells the workers."""

from __future__ import annotations

import pytest


@pytest.fixture
def unannounced(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message tells a worker of a run."""
    monkeypatch.setattr("scoring.services.workers.notify._send", lambda *_: None)
