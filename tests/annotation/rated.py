"""A campaign that two have judged, and its address."""

from tests.factories import make_annotator, make_campaign, rate_all

CAMP = "/api/v1/campaigns/camp"


def rated(items):
    campaign = make_campaign(items=items, k=2)
    for name, value in (("bob", 4), ("ben", 2)):
        rate_all(make_annotator(campaign, name), value)
    return campaign
