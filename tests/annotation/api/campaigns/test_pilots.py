"""Pilots by program."""

from annotation.models import Campaign
from tests.clients import client_of
from tests.factories import make_annotator, make_campaign, rate_all

API = "/api/v1/campaigns"
JSON = "application/json"


def test_a_pilot_from_its_start_to_its_judgments():
    make_campaign(open_it=False)
    alice = client_of("alice")
    for name, code in (("zoe", 400), ("bob", 201), ("bob", 409)):
        answer = alice.post(f"{API}/camp/pilots", {"texts": 3, "people": [name]}, JSON)
        assert answer.status_code == code, answer.json()
    [made] = alice.get(f"{API}/camp/pilots").json()
    assert (made["slug"], made["status"], made["slots"]) == ("camp-pilot", "open", 3)
    rate_all(make_annotator(Campaign.objects.get(pilot=True), "bob"))
    to = f"{API}/camp-pilot/pilot/judgments"
    assert alice.put(to, {"counts": True}, JSON).status_code == 400
    ended = alice.post(f"{API}/camp-pilot/pilot/end").json()
    assert ended == {"slug": "camp-pilot", "status": "closed"}
    [one] = alice.get(f"{API}/camp/pilots").json()
    assert (one["counts"], one["why_not"], one["slots_done"]) == (None, "", 3)
    for counts in (True, False):
        assert alice.put(to, {"counts": counts}, JSON).json() == {"counts": counts}
    assert alice.put(f"{API}/camp/pilot/judgments", {"counts": True}, JSON).status_code == 400
