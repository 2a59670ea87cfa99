"""The campaign whose guidelines are read."""

from __future__ import annotations

import pytest

from annotation.models import Campaign
from tests.factories import make_campaign


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=2)
