"""The browser tests here use the server of the rating tests."""

from tests.rate.conftest import world

__all__ = ["world"]
