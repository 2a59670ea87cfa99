"""The campaign whose guidelines are read, and a draft that takes files."""

import pytest

from tests.annotation.presenters.conftest import campaign
from tests.factories import make_campaign

__all__ = ["campaign"]


@pytest.fixture
def draft(data_dir):
    return make_campaign(items=1, open_it=False)
