"""Campaigns that are archived away."""

import pytest

from annotation.access import campaign_get
from annotation.campaigns.queries import campaigns_with_progress
from annotation.campaigns.services import campaign_bring_back, campaign_close, campaign_put_away
from annotation.errors import Invalid, NotAllowed
from annotation.models import AuditEntry
from tests.factories import make_campaign, make_user


def test_it_leaves_the_lists_and_can_only_be_read():
    campaign, alice = make_campaign(items=1), make_user("alice")
    with pytest.raises(Invalid, match="close it first"):
        campaign_put_away(campaign=campaign, actor=alice)
    campaign_close(campaign=campaign, actor=alice)
    for _ in range(2):
        campaign_put_away(campaign=campaign, actor=alice)
    assert not campaigns_with_progress(user=alice)
    assert campaigns_with_progress(user=alice, archived=True).get() == campaign
    for right in ("see", "read", "keep", "own"):
        assert campaign_get(user=alice, slug=campaign.slug, right=right)
    with pytest.raises(NotAllowed, match="Bring it back first"):
        campaign_get(user=alice, slug=campaign.slug, right="research")
    for _ in range(2):
        campaign_bring_back(campaign=campaign, actor=alice)
    assert campaign_get(user=alice, slug=campaign.slug, right="research")
    verbs = AuditEntry.objects.filter(campaign=campaign).values_list("verb", flat=True)
    assert sorted(verb for verb in verbs if verb in ("put away", "bring back")) == [
        "bring back",
        "put away",
    ]
