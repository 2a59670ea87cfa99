"""Files of builds stand in a folder of the test."""

import pytest

from tests.factories import make_campaign


@pytest.fixture(autouse=True)
def own_folder(data_dir):
    """Each test writes there."""


@pytest.fixture
def campaign():
    return make_campaign(items=1, systems=1, open_it=False)
