"""What a page tells of lists."""

from annotation.campaigns.services import campaign_open
from annotation.collecting.claiming import claim_next
from annotation.people.lists import list_write, lists_set
from annotation.sheets.sql import list_is_done, on_own_list, work_lists
from tests.factories import make_annotator, make_campaign, rate_all, rate_sheet


def test_how_far_each_list_is():
    campaign = make_campaign(items=3, open_it=False)
    items = list(campaign.items.order_by("position").values_list("pk", flat=True))
    bob = make_annotator(campaign)
    assert on_own_list(annotator=bob, items=items) == set(items)
    list_write(campaign=campaign, annotator=bob, name="bob", items=items[:2], actor=None)
    list_write(campaign=campaign, annotator=None, name="later", items=items, actor=None)
    lists_set(campaign=campaign, lists="listed", actor=None)
    campaign = campaign_open(campaign=campaign, actor=None)
    bob = campaign.annotators.select_related("campaign").get(pk=bob.pk)
    assert on_own_list(annotator=bob, items=items) == set(items[:2])
    rate_sheet(bob, claim_next(annotator=bob))
    assert not list_is_done(annotator=bob)
    told = [(one.name, one.items, one.done) for one in work_lists(campaign_id=campaign.pk)]
    assert told == [("bob", 2, 1), ("later", 3, 0)]
    rate_all(bob)
    assert list_is_done(annotator=bob)
