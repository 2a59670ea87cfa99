"""How good an annotator's work looks, for researchers; and what the annotator has to be told."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.collecting.saving import Answer, judgment_save
from annotation.quality.overview import overview, record
from tests.annotation.selectors.quality.watched import PLAN, by_role, share, watched
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.quality.acts import work
from tests.factories import make_annotator


def test_drafts_and_other_campaigns_do_not_count():
    bob = make_annotator(watched())
    work(bob, by_role(copy=1), sheets=1)
    sheet = offer(bob)
    text = sheet.entries.get(substitution__role="copy").substitution
    [scale, *_] = bob.campaign.scales.all()
    judgment_save(
        annotator=bob,
        sheet_key=sheet.key,
        substitution_key=text.key,
        scale_key=scale.key,
        answer=Answer(1),
        request_id=uuid4(),
        base_version=0,
    )
    assert share(bob, "copy") == (1, 1)
    assert share(make_annotator(watched(slug="other")), "copy") == (0, 0)


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow():
    counts = []
    for items in (2, 8):
        campaign = watched(items, slug=f"size-{items}")
        for name in ("bob", "ben", "beth")[: 1 + items // 4]:
            work(make_annotator(campaign, name), by_role(copy=1, degraded=4), seconds=0.1)
        bob = make_annotator(campaign)
        with CaptureQueriesContext(connection) as one:
            assert record(annotator=bob, plan=PLAN).checks[2].result.failed > 0
        with CaptureQueriesContext(connection) as two:
            assert len(overview(campaign=campaign)) == 1 + items // 4
        counts.append((len(one), len(two)))
    assert counts[0] == counts[1]
    assert counts[0][0] <= 30 and counts[0][1] <= 14
