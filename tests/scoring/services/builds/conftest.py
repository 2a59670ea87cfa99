"""Files of builds stand in a folder of the test."""

import pytest


@pytest.fixture(autouse=True)
def own_folder(data_dir):
    """Each test writes there."""
