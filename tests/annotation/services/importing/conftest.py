"""Campaigns to import into."""

from __future__ import annotations

import pytest

from annotation.models import Campaign
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing import large, large_gold, large_items, large_judgments
from tests.annotation.services.importing.files import RUG, load_items


@pytest.fixture
def empty() -> Campaign:
    return campaign_create(actor=None, slug="camp")


@pytest.fixture
def rug(empty: Campaign) -> Campaign:
    """With one item and one text, `RUG`."""
    assert load_items(empty, RUG).ok
    return empty


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of five rows, so that a small file has many."""
    for module in (large, large_items, large_judgments, large_gold):
        monkeypatch.setattr(module, "ROWS", 5)
