"""The campaign whose guidelines are read."""

import pytest

from tests.factories import make_campaign


@pytest.fixture
def campaign():
    return make_campaign(items=2)
