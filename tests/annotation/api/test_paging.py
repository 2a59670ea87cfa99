"""Pages of lists."""

import pytest

from annotation.collecting.claiming import claim_next
from tests.annotation.api.conftest import queries_of
from tests.annotation.rated import CAMP, rated
from tests.factories import make_annotator, make_campaign, rate_all, rate_sheet


@pytest.mark.parametrize("rows", ["items", "judgments"])
def test_a_page_costs_the_same_for_many(login, rows):
    rated(20)
    vera = login("vera")
    few, many = (queries_of(vera, f"{CAMP}/{rows}?page_size={size}") for size in (2, 20))
    assert (few[1], many[1]) == (2, 20)
    assert few[0] == many[0]


def test_following_next_meets_every_judgment_once_while_others_are_added(login):
    campaign = make_campaign(items=6, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    rate_all(bob)
    vera = login("vera")
    before = campaign.judgments.count()
    page = vera.get(f"{CAMP}/judgments?page_size=7").json()
    seen = page["results"]
    while page["next"]:
        sheet = claim_next(annotator=ben)
        if sheet is not None:
            rate_sheet(ben, sheet)
        page = vera.get(page["next"]).json()
        seen += page["results"]
    keys = [(row["annotator"], row["substitution"], row["scale"]) for row in seen]
    assert len(keys) == len(set(keys)) >= before
    assert sum(row["annotator"] == bob.code for row in seen) == before
