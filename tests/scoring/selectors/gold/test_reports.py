"""What the reports on gold hold."""

import pytest

from scoring.gold.report import gold_overview_for
from scoring.ratings.choice import Choice
from tests.scoring.selectors.ratings.reversed import reversed_campaign


@pytest.mark.parametrize(("up", "passing"), [(False, 1), (True, 2)])
def test_decisions_on_a_thread_are_of_the_same_direction(up, passing):
    campaign = reversed_campaign()
    campaign.scales.filter(name="MEANING").update(higher_is_better=up, threshold=2)
    found = str(gold_overview_for(campaign=campaign, choice=Choice()))
    assert f"'passing': {passing}" in found and f"'higher_is_better': {up}" in found
