"""The save contract over HTTP."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.collecting.claiming import claim_next
from annotation.models import Judgment, JudgmentVersion, Slot
from tests.annotation.place import Place, refusal
from tests.factories import make_annotator, rate_sheet


def test_a_save_is_confirmed_by_an_echo_and_stored_once():
    place, request = Place(), str(uuid4())
    first, again = (place.put(id=request).json() for _ in range(2))
    assert first["recorded_at"] and again == {**first, "repeated": True}
    assert first | {"recorded_at": ""} == {
        "id": request,
        "value": 4,
        "reason": "",
        "comment": "",
        "version": 1,
        "recorded_at": "",
        "sheet_state": "claimed",
        "repeated": False,
    }
    assert JudgmentVersion.objects.count() == Judgment.objects.count() == 1


def test_a_stale_save_is_refused_with_the_stored_value_and_its_time():
    place = Place()
    place.put(value=4)
    answer = place.put(value=2)
    assert refusal(answer) == (409, "stale")
    stored = answer.json()["stored"]
    assert (stored["value"], stored["version"]) == (4, 1) and stored["recorded_at"]
    assert Judgment.objects.get().value == 4


@pytest.mark.parametrize("base_version", [2, 7])
def test_a_save_from_a_version_that_is_not_there_yet_is_refused(base_version):
    place = Place()
    assert refusal(place.put(base_version=base_version)) == (409, "stale")
    assert not Judgment.objects.exists()
    place.put(value=4)
    assert refusal(place.put(value=2, base_version=base_version)) == (409, "stale")
    assert Judgment.objects.get().value == 4


def test_a_request_is_not_used_again_for_another_value():
    place, request = Place(), str(uuid4())
    place.put(id=request, value=4)
    assert refusal(place.put(id=request, value=2)) == (409, "request_reused")
    assert Judgment.objects.get().value == 4


def test_a_double_click_is_no_further_version_and_null_clears():
    place = Place()
    place.put(value=4)
    again = place.put(value=4, base_version=1).json()
    assert (again["version"], again["repeated"]) == (1, True)
    assert place.put(value=None, base_version=1).json()["version"] == 2
    assert Judgment.objects.get().value is None
    assert list(JudgmentVersion.objects.values_list("value", flat=True)) == [4, None]


def test_surplus_is_not_told():
    """The annotator's part is the same, whoever else was quicker."""
    place = Place(items=1)
    ben = make_annotator(place.campaign, "ben")
    claim_next(annotator=ben, now=timezone.now() + timedelta(hours=5))
    rate_sheet(ben, place.sheet)
    answer = place.put()
    assert answer.json()["sheet_state"] == "claimed"
    page = place.client.get(f"/rate/{place.campaign.slug}/{place.sheet.key}/")
    assert b'data-state="claimed"' in page.content
    assert b"surplus" not in answer.content + page.content
    assert Judgment.objects.get(annotator=place.bob).status == "surplus"


def hand_in(place):
    """Hand the sheet in over HTTP; the answer has the next one."""
    body = {"state": "done", "annotator": str(place.bob.key)}
    return place.client.put(f"/api/v1/sheets/{place.sheet.key}/state", body, "application/json")


def test_submitting_gives_the_next_sheet_with_its_lease_and_can_be_repeated():
    """Handed out beside `PUT state`, as by `POST claim`."""
    place = Place(lease_minutes=45)
    answer = hand_in(place)
    assert refusal(answer) == (409, "incomplete") and len(answer.json()["missing"]) == 4
    rate_sheet(place.bob, place.sheet, submit=False)
    first, again = hand_in(place).json(), hand_in(place).json()
    following = first["sheet"]["key"]
    assert first["state"] == "done" and following == again["sheet"]["key"] != str(place.sheet.key)
    own = place.client.get(f"/api/v1/campaigns/{place.campaign.slug}/progress/own").json()
    assert own == {"done": 1, "open": 1, "left": 0, "texts": 2, "total": 2}
    slot = Slot.objects.get(sheet__key=following, annotator=place.bob)
    assert slot.lease_expires_at - slot.claimed_at == timedelta(minutes=45)


def test_what_was_fetched_ahead_is_given_back_at_once():
    place = Place(items=4)
    keys = [str(place.sheet.key)]
    for _ in range(3):
        body = {"annotator": str(place.bob.key), "beside": keys}
        answer = place.client.post("/api/v1/campaigns/camp/claim", body, "application/json")
        keys.append(answer.json()["sheet"]["key"])
    assert len(set(keys)) == 4
    body = {"state": "released", "annotator": str(place.bob.key), "next": False, "beside": keys[2:]}
    answer = place.client.put(f"/api/v1/sheets/{keys[1]}/state", body, "application/json")
    assert answer.status_code == 200
    [kept] = Slot.objects.filter(state="claimed")
    assert kept.sheet == place.sheet


@pytest.mark.parametrize(("allowed", "status"), [(True, 200), (False, 409)])
def test_a_done_sheet_changes_only_where_the_campaign_allows_it(allowed, status):
    place = Place(allow_revision=allowed)
    rate_sheet(place.bob, place.sheet)
    answer = place.put(value=2, base_version=1)
    assert answer.status_code == status
    assert allowed or answer.json()["code"] == "revision_closed"
    assert JudgmentVersion.objects.count() == 4 + allowed
