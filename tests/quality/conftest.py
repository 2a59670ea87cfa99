"""The browser tests here use the server of the rating tests."""

from tests.rate.conftest import shared_site, world

__all__ = ["shared_site", "world"]
