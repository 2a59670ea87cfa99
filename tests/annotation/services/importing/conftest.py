"""Campaigns to import into."""

import pytest

from annotation.importing import large
from tests.annotation.files import RUG, load_items
from tests.factories import new_campaign


@pytest.fixture
def empty():
    return new_campaign()


@pytest.fixture
def rug(empty):
    """With one item and one text, `RUG`."""
    assert load_items(empty, RUG).ok
    return empty


@pytest.fixture
def small_parts(monkeypatch):
    """Parts of five rows, so that a small file has many."""
    monkeypatch.setattr(large, "ROWS", 5)
