"""How far the pilots of a campaign are."""

import pytest

from annotation.campaigns.pilot_queries import annotators_to_pilot, people_to_pilot, pilots_of
from annotation.campaigns.pilots import pilot_end, pilot_start
from annotation.errors import Invalid
from tests.factories import make_annotator, make_campaign, make_user, rate_all


def test_numbers_of_a_pilot():
    campaign = make_campaign(items=4, open_it=False)
    [member] = annotators_to_pilot(campaign=campaign)
    assert member.user.username == "bob"
    first = pilot_start(campaign=campaign, texts=2, people=[member.user_id], actor=None)
    [empty] = pilots_of(campaign=campaign)
    assert (empty.people, empty.sheets_done, empty.sheets, empty.seconds) == (0, 0, 2, None)
    rate_all(make_annotator(first))
    pilot_end(pilot=first, actor=make_user("alice"))
    second = pilot_start(campaign=campaign, texts=1, people=[], actor=None)
    newest, done = pilots_of(campaign=campaign)
    assert (newest.campaign, done.campaign) == (second, first)
    assert (done.people, done.sheets_done, done.sheets, done.cannot) == (1, 2, 2, 0)
    assert done.answers == first.judgments.count()
    assert (done.counts, done.why_not, done.twice) == (None, "", 0)
    assert newest.why_not == "The pilot is under way: end it first."
    assert people_to_pilot(campaign=campaign, names=None) == [member.user_id]
    with pytest.raises(Invalid, match="zoe is no annotator"):
        people_to_pilot(campaign=campaign, names=["bob", "zoe"])
