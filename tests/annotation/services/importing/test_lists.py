"""A list becomes what its file says, but what its annotator has open or done stays."""

from annotation.collecting.claiming import claim_next
from annotation.models import Annotator, WorkListEntry
from annotation.people.lists import lists_set
from tests.annotation.files import load_lists
from tests.factories import make_annotator, make_campaign, open_campaign, rate_sheet


def test_a_new_file_replaces_what_is_not_begun():
    campaign = make_campaign(items=4, open_it=False)
    bob = make_annotator(campaign)

    def given(*items):
        text = "annotator,item\n" + "".join(f"{bob.code},item-{n}\n" for n in items)
        report = load_lists(campaign, text)
        assert report.ok
        return report.counts

    assert given(0, 1, 2) == {"lists": 1, "entries": 3}
    lists_set(campaign=campaign, lists="listed", actor=None)
    open_campaign(campaign)
    bob = Annotator.objects.select_related("campaign").get(pk=bob.pk)
    rate_sheet(bob, claim_next(annotator=bob))
    assert claim_next(annotator=bob) is not None
    assert given(3) == {"lists": 0, "entries": 1}
    left = WorkListEntry.objects.order_by("position").values_list(
        "item__outside_ids__value", flat=True
    )
    assert list(left) == ["item-3", "item-0", "item-1"]
