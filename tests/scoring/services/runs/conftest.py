"""Runs of which nobody tells the workers."""

import pytest


@pytest.fixture
def unannounced(monkeypatch):
    """No message tells a worker of a run."""
    monkeypatch.setattr("scoring.work.workers._send", lambda *_: None)
