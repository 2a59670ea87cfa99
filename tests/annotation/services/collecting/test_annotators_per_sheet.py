"""How many places a sheet has: k of them are not void."""

from __future__ import annotations

import pytest

from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import annotators_per_sheet_set
from annotation.services.collecting.claiming import claim_next
from tests.annotation.services.together import THREADS, together, unforeseen
from tests.factories import make_annotator, make_campaign

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("wanted", [1, 5])
def test_k_changes_while_annotators_claim(wanted: int) -> None:
    campaign = make_campaign(items=8, k=3, cast=False)
    annotators = [make_annotator(campaign, f"racer{number}") for number in range(THREADS - 2)]
    work = [lambda a=a: claim_next(annotator=a) for a in annotators]
    change = lambda: annotators_per_sheet_set(campaign=campaign, wanted=wanted, actor=None)  # noqa: E731
    results = together([*work, change, change])
    assert unforeseen(results) == []
    assert verify(campaign=campaign) == []
