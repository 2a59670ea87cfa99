"""The frame of a campaign's pages: what is simulated."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Annotator, Campaign
from tests.clients import client_of

pytestmark = pytest.mark.django_db


def context_of(name: str, page: str) -> Any:
    answer = client_of(name).get(f"/c/camp/{page}")
    assert answer.status_code == 200
    return answer.context


def test_readers_alone_are_told_that_judgments_are_simulated(campaign: Campaign) -> None:
    assert context_of("vera", "")["simulated"] is False
    Annotator.objects.create(campaign=campaign, code="S", origin="simulated")
    assert context_of("vera", "")["simulated"] is True
    assert context_of("bob", "guidelines/")["simulated"] is False
