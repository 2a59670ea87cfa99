"""A sheet is finished: its answers count."""

from __future__ import annotations

import pytest

from annotation.models import Slot
from annotation.selectors.verify import verify
from annotation.services.collecting.claiming import claim_next
from annotation.services.submitting import sheet_submit
from tests.annotation.services.together import THREADS, together
from tests.factories import make_annotator, make_campaign, rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


def test_submitting_sixteen_times_is_done_once() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    rate_sheet(bob, sheet, submit=False)
    results = together([lambda: sheet_submit(annotator=bob, sheet_key=sheet.key)] * THREADS)
    assert set(results) == {"done"}
    slot = Slot.objects.get(annotator=bob)
    assert [event.kind for event in slot.events.all()] == ["claimed", "done"]
    assert verify(campaign=campaign) == []
