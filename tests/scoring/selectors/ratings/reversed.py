"""A campaign on whose scale less is better."""

from tests.scoring.selectors.ratings.hand import hand_campaign

ERRORS = {"one": 0.1, "two": 0.5, "three": 0.9}


def reversed_campaign():
    """MEANING counts errors: "one" has most of them (4.5 on the mean), "three" fewest (1)."""
    campaign = hand_campaign()
    campaign.scales.filter(name="MEANING").update(higher_is_better=False, threshold=3)
    campaign.scales.filter(name="GRAMMAR").update(threshold=None)
    return campaign
