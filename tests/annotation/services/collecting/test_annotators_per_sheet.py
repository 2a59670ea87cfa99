"""How many places a sheet has: k of them are not void."""

from __future__ import annotations

import pytest

from annotation.services.campaigns.campaigns import annotators_per_sheet_set
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.collecting.test_races import all_at_once, racing
from tests.annotation.services.together import THREADS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wanted", [1, 5])
def test_k_changes_while_annotators_claim(wanted: int) -> None:
    """Each sheet has its places at the end, which `rules_hold` looks at."""
    campaign, annotators = racing(THREADS - 2, items=8, k=3)
    change = lambda: annotators_per_sheet_set(campaign=campaign, wanted=wanted, actor=None)  # noqa: E731
    all_at_once(lambda act: act(), [*(lambda a=a: offer(a) for a in annotators), change, change])
