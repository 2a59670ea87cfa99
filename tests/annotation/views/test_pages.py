"""The frame of a campaign's pages: what is simulated."""

from __future__ import annotations

import pytest

from annotation.models import Annotator, Campaign
from tests.clients import client_of

pytestmark = pytest.mark.django_db


def test_readers_alone_are_told_that_judgments_are_simulated(campaign: Campaign) -> None:
    def simulated(name: str) -> bool:
        return client_of(name).get("/c/camp/guidelines/").context["simulated"]

    assert not simulated("vera")
    Annotator.objects.create(campaign=campaign, code="S", origin="simulated")
    assert simulated("vera") and not simulated("bob")
