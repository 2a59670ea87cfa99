"""How many queries an answer takes."""

from __future__ import annotations

from annotation.models import Campaign
from tests.factories import make_annotator, make_campaign, rate_all

CAMP = "/api/v1/campaigns/camp"


def rated(items: int = 6) -> Campaign:
    campaign = make_campaign(items=items, k=2)
    for name in ("bob", "ben"):
        rate_all(make_annotator(campaign, name), value=4 if name == "bob" else 2)
    return campaign
