"""Hidden repeats: the same sheet again, to see how far an annotator agrees with themselves."""

import pytest

from annotation.models import Sheet
from tests.annotation.acts import plan, work, worker
from tests.factories import make_campaign


@pytest.mark.slow
def test_hidden_repeats_come_for_a_share_of_sheets():
    campaign = make_campaign(items=40, systems=1, k=1)
    plan(campaign, repeat_share=0.5, repeat_after=2)
    bob = worker(campaign)
    sheets = work(bob, lambda text, scale: 3)
    again = [sheet for sheet in sheets if sheet.occasion == 2]
    assert 8 <= len(again) <= 32
    assert len(sheets) == 40 + len(again)
    place = {sheet.item_id: number for number, sheet in enumerate(sheets) if sheet.occasion == 1}
    gaps = [sheets.index(sheet) - place[sheet.item_id] for sheet in again]
    assert min(gaps[:3]) > 2
    assert Sheet.objects.filter(for_annotator=bob).values("item").distinct().count() == len(again)
