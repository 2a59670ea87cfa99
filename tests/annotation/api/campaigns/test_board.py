"""The board for programs."""

from tests.annotation.api.campaigns.asked import CAMP, rated
from tests.clients import client_of


def test_places_people_and_texts():
    """Names are for researchers."""
    rated(items=6)
    found = client_of("dora").get(f"{CAMP}/board").json()
    assert found["places"] == {"all": 12, "done": 12, "being_judged": 0, "free": 0}
    assert found["texts"] == {"all": 10, "complete": 10, "begun": 10}
    assert found["pace"]["last_24_hours"] == 12 and found["pace"]["end"] is None
    assert {one["name"] for one in found["people"]} == {"bob", "ben"}
    for one in found["people"]:
        assert one["figures"]["places"] == 6 and one["at_work"] and not one["excluded"]
    texts = found["disagreement"]["MEANING"]
    assert texts and all(text["values"] == [2.0, 4.0] for text in texts)
    assert found["alarms"] == [] and found["figures_at"]
    seen = client_of("vera").get(f"{CAMP}/board").json()["people"]
    assert [(one["name"], one["code"]) for one in seen] == [("", "A01"), ("", "A02")]
