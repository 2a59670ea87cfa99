"""What every test of a selector has."""

import pytest


@pytest.fixture(autouse=True)
def database(db):
    """Rows to read."""
