"""A sheet is finished: its answers count."""

from __future__ import annotations

import pytest

from annotation.models import Slot
from annotation.services.submitting import sheet_submit
from tests.annotation.services.collecting.claimed import holding
from tests.annotation.services.together import THREADS, together
from tests.factories import rate_sheet


@pytest.mark.django_db(transaction=True)
def test_submitting_sixteen_times_is_done_once() -> None:
    bob, sheet = holding()
    rate_sheet(bob, sheet, submit=False)
    results = together([lambda: sheet_submit(annotator=bob, sheet_key=sheet.key)] * THREADS)
    assert set(results) == {"done"}
    slot = Slot.objects.get(annotator=bob)
    assert [event.kind for event in slot.events.all()] == ["claimed", "done"]
