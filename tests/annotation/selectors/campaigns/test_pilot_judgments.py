"""Who may change the campaign of a pilot; what stands in it is tested with the service
(tests/annotation/services/campaigns/test_pilot_judgments.py)."""

import pytest

from annotation.campaigns.pilot_queries import source_to_change
from annotation.campaigns.pilots import pilot_start
from annotation.errors import Invalid, NotAllowed, NotFound
from tests.factories import make_campaign, make_user


def test_the_right_in_the_campaign_is_needed_too():
    campaign = make_campaign(open_it=False)
    pilot = pilot_start(campaign=campaign, texts=1, people=[], actor=None)
    assert source_to_change(user=make_user("alice"), pilot=pilot) == campaign
    with pytest.raises(NotAllowed):
        source_to_change(user=make_user("vera"), pilot=pilot)
    campaign.memberships.filter(user__username="dora").delete()
    with pytest.raises(NotFound):
        source_to_change(user=make_user("dora"), pilot=pilot)
    with pytest.raises(Invalid, match="no pilot"):
        source_to_change(user=make_user("alice"), pilot=campaign)
