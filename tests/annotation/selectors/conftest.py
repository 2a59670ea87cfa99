"""What every test of a selector has."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def database(db: None) -> None:
    """Rows to read."""
