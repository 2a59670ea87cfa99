"""Campaigns, scales and progress through the API."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.models import Campaign
from annotation.services.collecting.claiming import claim_next
from tests.annotation.api.conftest import Login, rows_of
from tests.factories import make_annotator, make_campaign, make_user, rate_sheet

CAMPAIGNS = "/api/v1/campaigns"
CAMP = f"{CAMPAIGNS}/camp"

pytestmark = pytest.mark.django_db


def test_a_campaign_from_its_making_to_its_end(login: Login) -> None:
    alice = login("alice")
    made = alice.post(
        CAMPAIGNS, {"slug": "new", "name": "New", "annotators_per_sheet": 2, "order": "depth"}
    )
    assert made.status_code == 201, made.content
    assert (made.json()["status"], made.json()["order"]) == ("draft", "depth")
    assert made.json()["created_by"] == "alice"
    address = f"{CAMPAIGNS}/new"
    names = [scale["name"] for scale in alice.get(f"{address}/scales").json()]
    assert names == ["MEANING", "GRAMMAR"]
    empty = alice.post(f"{address}/open")
    assert (empty.status_code, empty.json()["code"]) == (400, "invalid")
    changed = alice.patch(address, {"lease_minutes": 5})
    assert (changed.status_code, changed.json()["lease_minutes"]) == (200, 5)


def test_open_pause_close(login: Login) -> None:
    make_campaign(open_it=False)
    dora = login("dora")
    for act, status in (("open", "open"), ("pause", "paused"), ("open", "open")):
        assert dora.post(f"{CAMP}/{act}").json()["status"] == status
    closed = dora.post(f"{CAMP}/close").json()
    assert closed["status"] == "closed"
    assert closed["closed_at"] is not None


def test_what_shapes_sheets_is_fixed_once_open(login: Login) -> None:
    make_campaign()
    answer = login("alice").patch(CAMP, {"order": "imported", "name": "Renamed"})
    assert answer.status_code == 400
    assert Campaign.objects.get().name == "Camp"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "two words"),
        ("slug", ""),
        ("slug", "a" * 61),
        ("slug", "camp"),
        ("name", "a\u0000b"),
        ("name", "a\ud800b"),
        ("template", "nothing"),
        ("order", "nothing"),
        ("annotators_per_sheet", 0),
        ("annotators_per_sheet", 10**9),
        ("max_per_sheet", 0),
        ("max_per_sheet", -1),
        ("shared_share", 5),
        ("shared_share", -0.1),
        ("lease_minutes", 0),
        ("lease_minutes", 10**12),
        ("lease_minutes", None),
    ],
)
def test_settings_out_of_bounds_are_refused(login: Login, field: str, value: Any) -> None:
    make_campaign(open_it=False)
    alice = login("alice")

    def send(method: Any, address: str, body: dict[str, Any]) -> Any:
        return method(address, json.dumps(body), content_type="application/json")

    made = send(alice.post, CAMPAIGNS, {"slug": "new", field: value})
    assert made.status_code == 400, made.content
    assert Campaign.objects.count() == 1
    if field not in ("slug", "template"):
        assert send(alice.patch, CAMP, {field: value}).status_code == 400


def test_the_list_is_what_the_user_takes_part_in(login: Login) -> None:
    make_campaign()
    make_campaign("other", cast=False)
    assert rows_of(login("charlie"), CAMPAIGNS) == []
    assert rows_of(login("bob"), CAMPAIGNS) == [
        {"slug": "camp", "name": "Camp", "status": "open", "role": "annotator"}
    ]
    assert {row["slug"] for row in rows_of(login("alice"), CAMPAIGNS)} == {"camp", "other"}


def test_the_list_needs_as_many_queries_for_many(
    login: Login, django_assert_num_queries: Any
) -> None:
    alice = login("alice")
    for number in range(6):
        alice.post(CAMPAIGNS, {"slug": f"c{number}"})
    # session, user, count, campaigns
    with django_assert_num_queries(4):
        assert len(alice.get(CAMPAIGNS).json()["results"]) == 6


def test_a_threshold_is_moved_and_stays_on_its_scale(login: Login) -> None:
    make_campaign()
    alice = login("alice")
    meaning = alice.get(f"{CAMP}/scales").json()[0]
    address = f"{CAMP}/scales/{meaning['key']}/threshold"
    assert alice.put(address, {"threshold": 4}).json()["threshold"] == 4
    assert alice.put(address, {"threshold": 9}).status_code == 400
    assert alice.put(address, {"threshold": None}).json()["threshold"] is None


def test_progress_of_all_and_of_oneself(login: Login) -> None:
    campaign = make_campaign(items=4, k=2)
    bob = make_annotator(campaign)
    rate_sheet(bob, claim_next(annotator=bob))
    whole = login("vera").get(f"{CAMP}/progress").json()
    assert whole == {
        "slots": 8, "done": 1, "claimed": 0, "sheets": 4, "sheets_complete": 0, "share": 0.125,
    }  # fmt: skip
    own = login("bob").get(f"{CAMP}/progress/own").json()
    assert own == {"done": 1, "open": 0, "left": 3, "total": 4}


def test_annotators_reach_nothing_but_their_work(login: Login) -> None:
    make_campaign()
    bob = login("bob")
    kinds = (
        "", "/scales", "/progress", "/items", "/systems", "/judgments", "/annotators",
        "/exclusions", "/invitations", "/imports", "/runs", "/exports", "/reports/agreement",
    )  # fmt: skip
    for kind in kinds:
        answer = bob.get(CAMP + kind)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed"), kind
    assert bob.post(f"{CAMP}/claim").status_code == 200


def test_an_administrator_needs_no_membership(login: Login) -> None:
    make_campaign()
    make_user("adam", is_superuser=True)
    adam = login("adam")
    assert rows_of(adam, CAMPAIGNS)[0]["role"] is None
    assert adam.get(CAMP).status_code == 200


def test_a_campaign_can_have_scales_of_its_own(login: Login) -> None:
    alice = login("alice")
    safe = {"name": "SAFE", "question": "Safe?", "level": "nominal", "threshold": 1, "points": [
        {"value": 0, "label": "No"}, {"value": 1, "label": "Yes"},
    ]}  # fmt: skip
    made = alice.post(CAMPAIGNS, {"slug": "camp", "scales": [safe]}, format="json")
    assert made.status_code == 201, made.content
    slider = {"name": "TONE", "level": "interval", "minimum": 0, "maximum": 100, "step": 0.5}
    added = alice.post(f"{CAMP}/scales", slider, format="json")
    assert (added.status_code, added.json()["level"]) == (201, "numeric"), added.content
    first, second = alice.get(f"{CAMP}/scales").json()
    assert (first["level"], first["minimum"], first["maximum"]) == ("nominal", 0, 1)
    assert (first["threshold"], second["maximum"], second["step"]) == (1, 100, 0.5)
    assert {point["label"] for point in first["points"]} == {"No", "Yes"}
    assert "MEANING" not in Campaign.objects.get().guidelines.get().text
    for wrong in ({"name": "SAFE"}, {"name": "X", "step": 0}, {"name": "X", "threshold": 9}):
        answer = alice.post(f"{CAMP}/scales", wrong, format="json")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert alice.post(CAMPAIGNS, {"slug": "b", "scales": []}, format="json").status_code == 400


def test_an_open_campaign_takes_no_more_scales(login: Login) -> None:
    make_campaign()
    answer = login("dora").post(f"{CAMP}/scales", {"name": "TONE"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
