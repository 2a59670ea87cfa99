"""Campaigns to import into."""

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing import large
from tests.annotation.files import RUG, load_items


@pytest.fixture
def empty():
    return campaign_create(actor=None, slug="camp")


@pytest.fixture
def rug(empty):
    """With one item and one text, `RUG`."""
    assert load_items(empty, RUG).ok
    return empty


@pytest.fixture
def small_parts(monkeypatch):
    """Parts of five rows, so that a small file has many."""
    monkeypatch.setattr(large, "ROWS", 5)
