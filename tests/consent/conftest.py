"""The server of the rating screen's tests serves these too."""

from tests.rate.conftest import world

__all__ = ["world"]
