"""A campaign to run metrics over."""

from __future__ import annotations

import pytest

from annotation.models import Campaign
from tests.factories import make_campaign


@pytest.fixture
def campaign() -> Campaign:
    """4 items of two systems, which give the same text for the third: 7 texts."""
    return make_campaign(open_it=False)


@pytest.fixture
def unannounced(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message tells a worker of a run."""
    monkeypatch.setattr("scoring.services.workers.notify._send", lambda *_: None)
