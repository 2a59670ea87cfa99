"""The server of the rating screen's tests serves these too."""

from tests.rate.conftest import shared_site, world

__all__ = ["shared_site", "world"]
