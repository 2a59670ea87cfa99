"""Pilots by program."""

from __future__ import annotations

import pytest

from annotation.models import Campaign
from tests.clients import client_of
from tests.factories import make_annotator, make_campaign, rate_all

pytestmark = pytest.mark.django_db
API = "/api/v1/campaigns"
JSON = "application/json"


def test_a_pilot_from_its_start_to_its_judgments() -> None:
    make_campaign(items=4, open_it=False)
    alice = client_of("alice")
    assert alice.get(f"{API}/camp/pilots").json() == []
    body = {"texts": 3, "people": ["bob"]}
    answer = alice.post(f"{API}/camp/pilots", body, JSON)
    assert answer.status_code == 201, answer.json()
    made = answer.json()
    assert (made["slug"], made["status"], made["slots"]) == ("camp-pilot", "open", 3)
    assert alice.post(f"{API}/camp/pilots", body, JSON).status_code == 409
    body["people"] = ["zoe"]
    assert alice.post(f"{API}/camp/pilots", body, JSON).status_code == 400
    rate_all(make_annotator(Campaign.objects.get(pilot=True), "bob"))
    to = f"{API}/camp-pilot/pilot/judgments"
    refused = alice.put(to, {"counts": True}, JSON)
    assert refused.status_code == 400 and "end it first" in refused.json()["detail"]
    ended = alice.post(f"{API}/camp-pilot/pilot/end").json()
    assert ended == {"slug": "camp-pilot", "status": "closed"}
    [one] = alice.get(f"{API}/camp/pilots").json()
    assert (one["counts"], one["why_not"], one["slots_done"]) == (None, "", 3)
    assert alice.put(to, {"counts": True}, JSON).json() == {"counts": True}
    assert alice.put(to, {"counts": True}, JSON).status_code == 409
    assert alice.put(to, {"counts": False}, JSON).json() == {"counts": False}
    assert alice.put(f"{API}/camp/pilot/judgments", {"counts": True}, JSON).status_code == 400
