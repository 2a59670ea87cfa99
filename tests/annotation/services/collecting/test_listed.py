"""Claims from lists: the fast way of saving leaves them to the plain services."""

from annotation.campaigns.services import campaign_open
from annotation.collecting.claiming import fast_claim
from annotation.collecting.sheets import sheet_skip
from annotation.models import Annotator, Slot
from annotation.people.lists import lists_set
from paraanno import clock
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.importing.files import load_lists
from tests.factories import make_annotator, make_campaign, rate_all, rate_sheet


def test_the_next_sheet_is_the_next_of_the_list_and_a_skipped_one_is_nobodys():
    campaign = make_campaign(items=3, open_it=False)
    people = [make_annotator(campaign, name) for name in ("ann", "bea")]
    text = "annotator,item\n" + "".join(f"{one.code},item-{n}\n" for one in people for n in (2, 0))
    load_lists(campaign, text)
    lists_set(campaign=campaign, lists="listed", actor=None)
    campaign_open(campaign=campaign, actor=None)
    ann, bea = Annotator.objects.filter(pk__in=[one.pk for one in people]).order_by("pk")
    sheet = offer(ann)
    assert fast_claim(annotator=ann, beside=[sheet.key], now=clock.now()) is None
    beside = offer(ann, sheet)
    assert [one.item.position for one in (sheet, beside)] == [2, 0]
    sheet_skip(annotator=ann, sheet_key=beside.key, reason="odd")
    rate_sheet(ann, sheet)
    assert offer(ann) is None
    rate_all(bea)
    [left] = Slot.objects.filter(state="free")
    assert left.sheet.item.position == 0
