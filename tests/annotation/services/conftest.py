"""What holds for every test of a service."""

import pytest
from django.db import connection

from annotation.models import Campaign
from tests.annotation.selectors.verify.reverify import Reverify

_rules = Reverify()


@pytest.fixture
def rows_by_hand():
    """For a test that writes rows as no service does."""


@pytest.fixture(autouse=True)
def rules_hold(request, db):
    """Whatever services did, no campaign breaks a rule of `verify` at the end of a test."""
    yield
    # The same services have written the same rows on SQLite, except where threads meet.
    if "rows_by_hand" in request.fixturenames or (
        connection.vendor != "sqlite" and "transactional_db" not in request.fixturenames
    ):
        return
    for campaign in Campaign.objects.all():
        assert _rules.broken(campaign) == set()
