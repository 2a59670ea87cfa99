"""Campaigns by status, and sheets that annotators hold."""

import pytest

from annotation.health import collecting
from tests.annotation.place import Place

pytestmark = pytest.mark.django_db


def test_campaigns_and_open_sheets_are_counted():
    place = Place()
    campaigns, letters, sheets = collecting()
    assert {status for (status,), n in letters.rows if n == 0} == {"waiting", "sent", "refused"}
    assert dict(campaigns.rows)[("open",)] == 1 and dict(campaigns.rows)[("closed",)] == 0
    assert sheets.rows == [((), 1.0)]
    place.whole(place.answers(), state="done")
    assert list(collecting())[2].rows == [((), 0.0)]
