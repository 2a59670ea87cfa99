"""Items and judgments of one campaign; every filter: tests/annotation/api/campaigns."""

import pytest

from annotation.campaigns.queries import item_get, items_found, judgments_found
from annotation.errors import NotFound
from tests.factories import item_rows, make_annotator, make_campaign, rate_all


def test_a_system_that_gave_no_text_for_an_item_does_not_find_it():
    rows = [*item_rows(1), {**item_rows(2)[2], "system": "S1", "paraphrase": ""}]
    campaign = make_campaign(rows=rows)
    assert campaign.items.count() == 2
    assert [one.position for one in items_found(campaign=campaign, system="S1")] == [0]


def test_nothing_of_another_campaign_is_found(campaign):
    """The other has the same items, systems, scales and codes."""
    other = make_campaign("other", items=1)
    rate_all(make_annotator(other))
    key = other.items.get().key
    assert item_get(campaign=other, key=key).key == key
    with pytest.raises(NotFound):
        item_get(campaign=campaign, key=key)
    assert not judgments_found(campaign=campaign, annotator="A01", system="S0").exists()
    assert judgments_found(campaign=other, annotator="A01", system="S0").count() == 2
