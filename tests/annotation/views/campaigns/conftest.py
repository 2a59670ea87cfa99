"""A draft that takes files."""

import pytest

from tests.factories import make_campaign


@pytest.fixture
def draft(data_dir):
    return make_campaign(items=1, open_it=False)
