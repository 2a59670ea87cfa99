"""A pilot: a few texts, real people, and nothing of it in the campaign."""

import pytest

from annotation.campaigns.pilots import pilot_end, pilot_start
from annotation.campaigns.scales import scale_remove
from annotation.campaigns.services import campaign_create
from annotation.errors import Conflict, Invalid
from annotation.models import Judgment
from tests.annotation.services.campaigns.test_copying import watched
from tests.factories import make_annotator, make_campaign, make_user, rate_all


def piloted(campaign):
    bob = make_user("bob")
    return pilot_start(campaign=campaign, texts=3, people=[bob.pk], actor=make_user("alice"))


def test_people_judge_some_texts_and_the_draft_stays_free():
    campaign = make_campaign(items=5, open_it=False)
    pilot = piloted(campaign)
    assert (pilot.slug, pilot.status, pilot.pilot) == ("camp-pilot", "open", True)
    assert (pilot.items.count(), pilot.annotators_per_sheet) == (3, 1)
    roles = dict(pilot.memberships.values_list("user__username", "role"))
    assert roles == {"alice": "owner", "dora": "researcher", "vera": "viewer", "bob": "annotator"}
    rate_all(make_annotator(pilot))
    assert Judgment.objects.filter(campaign=pilot, status="counted").exists()
    assert not Judgment.objects.filter(campaign=campaign).exists()
    campaign.refresh_from_db()
    assert campaign.status == "draft"
    scale_remove(scale=campaign.scales.get(name="GRAMMAR"), actor=None)


def test_practice_comes_along_once():
    campaign = watched()
    pilot = piloted(campaign)
    assert pilot.practice_texts.count() == 1
    assert set(pilot.substitutions.values_list("role", flat=True)) >= {"output", "practice"}


def test_what_cannot_be_tried():
    campaign = make_campaign(open_it=False)
    empty = campaign_create(actor=None, slug="empty")
    with pytest.raises(Invalid, match="import items first"):
        piloted(empty)
    pilot = piloted(campaign)
    with pytest.raises(Conflict, match="under way"):
        piloted(campaign)
    with pytest.raises(Invalid, match="a pilot already"):
        piloted(pilot)
    with pytest.raises(Invalid, match="1 to 100"):
        pilot_start(campaign=campaign, texts=0, people=[], actor=None)
    with pytest.raises(Invalid, match="no pilot"):
        pilot_end(pilot=campaign, actor=None)
