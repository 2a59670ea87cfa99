"""What holds for every test of a service."""

import pytest

from annotation.models import Campaign
from annotation.selectors.verify import verify


@pytest.fixture
def rows_by_hand():
    """For a test that writes rows as no service does."""


@pytest.fixture(autouse=True)
def rules_hold(request, db):
    """Whatever services did, no campaign breaks a rule of `verify` at the end of a test."""
    yield
    if "rows_by_hand" in request.fixturenames:
        return
    for campaign in Campaign.objects.all():
        assert verify(campaign=campaign) == []
