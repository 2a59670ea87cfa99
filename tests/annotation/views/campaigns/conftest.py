"""The campaign whose guidelines are read."""

from tests.annotation.presenters.conftest import campaign

__all__ = ["campaign"]
