"""Campaigns, scales and progress through the API."""

import pytest

from annotation.collecting.claiming import claim_next
from annotation.models import Campaign
from tests.annotation.api.campaigns.asked import CAMP
from tests.annotation.api.conftest import rows_of
from tests.factories import make_admin, make_annotator, make_campaign, rate_sheet

CAMPAIGNS = "/api/v1/campaigns"
SAFE = {
    "name": "SAFE",
    "question": "Safe?",
    "level": "nominal",
    "threshold": 1,
    "points": [{"value": 0, "label": "No"}, {"value": 1, "label": "Yes"}],
}


def test_a_campaign_is_made_with_scales_of_its_own(login):
    alice = login("alice")
    assert alice.post(CAMPAIGNS, {"slug": "camp", "scales": []}).status_code == 400
    made = alice.post(CAMPAIGNS, {"slug": "camp", "order": "depth", "scales": [SAFE]})
    assert made.status_code == 201, made.content
    assert {
        "status": "draft",
        "order": "depth",
        "created_by": "alice",
    }.items() <= made.json().items()
    slider = {"name": "TONE", "level": "interval", "minimum": 0, "maximum": 100, "step": 0.5}
    added = alice.post(f"{CAMP}/scales", slider)
    assert (added.status_code, added.json()["level"]) == (201, "numeric"), added.content
    assert alice.post(f"{CAMP}/scales", slider).status_code == 400
    first, second = alice.get(f"{CAMP}/scales").json()
    assert (first["level"], first["minimum"], first["maximum"]) == ("nominal", 0, 1)
    assert (first["threshold"], second["maximum"], second["step"]) == (1, 100, 0.5)
    assert {point["label"] for point in first["points"]} == {"No", "Yes"}
    assert "MEANING" not in Campaign.objects.get().guidelines.get().text
    assert alice.patch(CAMP, {"lease_minutes": 5}).json()["lease_minutes"] == 5
    assert alice.post(f"{CAMP}/open").status_code == 400, "no texts"
    threshold = f"{CAMP}/scales/{first['key']}/threshold"
    for value in (0, None):
        assert alice.put(threshold, {"threshold": value}).json()["threshold"] == value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "two words"),
        ("slug", "a" * 61),
        ("slug", "camp"),
        ("name", "a\u0000b"),
        ("template", "nothing"),
        ("order", "nothing"),
        ("annotators_per_sheet", 10**9),
        ("max_per_sheet", 0),
        ("shared_share", -0.1),
        ("lease_minutes", 10**12),
        ("lease_minutes", None),
    ],
)
def test_settings_out_of_bounds_are_refused(login, field, value):
    make_campaign(open_it=False)
    alice = login("alice")
    assert alice.post(CAMPAIGNS, {"slug": "new", field: value}).status_code == 400
    assert Campaign.objects.count() == 1
    if field not in ("slug", "template"):
        assert alice.patch(CAMP, {field: value}).status_code == 400


def test_the_list_is_what_the_user_takes_part_in(login, django_assert_num_queries):
    make_campaign()
    make_campaign("other", cast=False)
    assert rows_of(login("charlie"), CAMPAIGNS) == []
    [row] = rows_of(login("bob"), CAMPAIGNS)
    assert row == {"slug": "camp", "name": "Camp", "status": "open", "role": "annotator"}
    alice = login("alice")
    with django_assert_num_queries(4):  # session, user, count, campaigns
        assert {row["slug"] for row in rows_of(alice, CAMPAIGNS)} == {"camp", "other"}
    make_admin()
    assert rows_of(login("adam"), CAMPAIGNS)[0]["role"] is None


def test_progress_of_all_and_of_oneself(login):
    bob = make_annotator(make_campaign())
    sheet = claim_next(annotator=bob)
    rate_sheet(bob, sheet)
    assert login("vera").get(f"{CAMP}/progress").json() == {
        "slots": 8,
        "done": 1,
        "claimed": 0,
        "sheets": 4,
        "sheets_complete": 0,
        "share": 0.125,
    }
    own = login("bob").get(f"{CAMP}/progress/own").json()
    assert own == {"done": 1, "open": 0, "left": 3, "texts": sheet.entries.count(), "total": 4}
