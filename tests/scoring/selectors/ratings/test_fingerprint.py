"""What a report was made from, in a few index look-ups."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Annotator
from annotation.services.people.exclusions import exclusion_add
from scoring.models import Report
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


def test_reports_are_kept_until_the_data_change() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("agreement", args=[campaign.slug])
    for _ in range(3):
        client.get(address)
    assert Report.objects.filter(kind="agreement").count() == 1
    before = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    exclusion_add(target=Annotator.objects.get(code="a"), reason="x", actor=None, free_slots=False)
    after = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    assert (before, after) == (7, 4)
