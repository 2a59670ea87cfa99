"""The save contract over HTTP."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Judgment, JudgmentVersion, Slot
from annotation.services.collecting.claiming import claim_next
from tests.annotation.api.collecting.place import Place, logged_in
from tests.factories import (
    item_rows,
    make_annotator,
    make_user,
    rate_sheet,
)

pytestmark = pytest.mark.django_db


def test_a_save_is_confirmed_by_an_echo_and_stored_once() -> None:
    place, request = Place(), str(uuid4())
    first, again = place.put(id=request), place.put(id=request)
    assert first.status_code == again.status_code == 200
    assert (first.json()["id"], first.json()["value"], first.json()["version"]) == (request, 4, 1)
    assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
    assert again.json()["version"] == 1
    assert JudgmentVersion.objects.count() == Judgment.objects.count() == 1


def test_a_stale_save_is_refused_with_the_stored_value_and_its_time() -> None:
    place = Place()
    place.put(value=4)
    answer = place.put(value=2)
    assert answer.status_code == 409
    assert answer.json()["code"] == "stale"
    stored = answer.json()["stored"]
    assert (stored["value"], stored["version"]) == (4, 1)
    assert stored["recorded_at"]
    assert Judgment.objects.get().value == 4


@pytest.mark.parametrize("base_version", [2, 7])
def test_a_save_from_a_version_that_is_not_there_yet_is_refused(base_version: int) -> None:
    place = Place()
    assert place.put(base_version=base_version).json()["code"] == "stale"
    assert not Judgment.objects.exists()
    place.put(value=4)
    answer = place.put(value=2, base_version=base_version)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert Judgment.objects.get().value == 4


def test_a_request_is_not_used_again_for_another_value() -> None:
    place, request = Place(), str(uuid4())
    place.put(id=request, value=4)
    answer = place.put(id=request, value=2)
    assert (answer.status_code, answer.json()["code"]) == (409, "request_reused")
    assert Judgment.objects.get().value == 4


def test_a_double_click_is_no_further_version() -> None:
    place = Place()
    place.put(value=4)
    again = place.put(value=4, base_version=1).json()
    assert (again["version"], again["repeated"]) == (1, True)
    assert JudgmentVersion.objects.count() == 1


def test_null_clears_and_is_a_save_of_its_own() -> None:
    place = Place()
    place.put(value=4)
    assert place.put(value=None, base_version=1).json()["version"] == 2
    assert Judgment.objects.get().value is None
    assert list(JudgmentVersion.objects.values_list("value", flat=True)) == [4, None]


def test_cannot_judge_has_a_reason_and_no_value() -> None:
    place = Place()
    assert place.put(value=None, reason="broken text").status_code == 200
    assert place.put(value=3, reason="broken text", base_version=1).status_code == 400
    assert Judgment.objects.get().reason == "broken text"


@pytest.mark.parametrize("value", [0, 6, 3.5, 1e300])
def test_values_off_the_scale_are_refused(value: float) -> None:
    place = Place()
    answer = place.put(value=value)
    assert answer.status_code == 400
    assert not Judgment.objects.exists()


def test_an_expired_login_is_401_as_json_and_never_a_redirect() -> None:
    answer = Place().put(client=Client())
    assert answer.status_code == 401
    assert answer["Content-Type"].startswith("application/json")


def test_another_persons_login_does_not_take_the_value() -> None:
    place = Place()
    make_annotator(place.campaign, "ben")
    answer = place.put(client=logged_in("ben"))
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_annotator")
    assert not Judgment.objects.exists()


def test_whoever_left_the_campaign_is_refused() -> None:
    place = Place()
    place.campaign.memberships.filter(user__username="bob").delete()
    assert place.put().status_code == 403


def test_a_bad_csrf_token_has_a_code_of_its_own() -> None:
    answer = Place().put(client=logged_in("bob", enforce_csrf_checks=True))
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")


def test_a_sheet_of_somebody_else_is_not_there() -> None:
    place = Place()
    ben = make_annotator(place.campaign, "ben")
    answer = place.put(client=logged_in("ben"), annotator=str(ben.key))
    assert answer.status_code == 404


def test_surplus_is_not_told() -> None:
    """The annotator's part is the same, whoever else was quicker."""
    place = Place(items=1)
    ben = make_annotator(place.campaign, "ben")
    claim_next(annotator=ben, now=timezone.now() + timedelta(hours=5))
    rate_sheet(ben, place.sheet)
    answer = place.put()
    assert answer.status_code == 200
    assert answer.json()["sheet_state"] == "claimed"
    assert "surplus" not in answer.content.decode()
    page = place.client.get(f"/rate/{place.campaign.slug}/{place.sheet.key}/").content.decode()
    assert 'data-state="claimed"' in page and "surplus" not in page
    assert Judgment.objects.get(annotator=place.bob).status == "surplus"


def test_the_number_of_queries_does_not_grow_with_the_sheet() -> None:
    counts = []
    for systems in (1, 40):
        place = Place(rows=item_rows(1, systems), slug=f"size-{systems}")
        place.put(number=0)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert place.put(value=5, base_version=1).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 16


def test_submitting_gives_the_next_sheet_and_can_be_repeated() -> None:
    place = Place()
    rate_sheet(place.bob, place.sheet, submit=False)
    where = f"/api/v1/sheets/{place.sheet.key}/state"
    body = {"state": "done", "annotator": str(place.bob.key)}
    first, again = (place.client.put(where, body, "application/json") for _ in range(2))
    assert first.json()["state"] == "done"
    assert first.json()["sheet"]["key"] == again.json()["sheet"]["key"] != str(place.sheet.key)
    own = place.client.get(f"/api/v1/campaigns/{place.bob.campaign.slug}/progress/own").json()
    assert own == {"done": 1, "open": 1, "left": 0, "total": 2}


def hand_in(place: Place, sheet: Any) -> Any:
    """Hand the sheet in over HTTP and ask for the next one."""
    body = {"state": "done", "annotator": str(place.bob.key), "next": True}
    return place.client.put(f"/api/v1/sheets/{sheet.key}/state", body, "application/json")


def test_the_next_sheet_has_the_lease_of_the_campaign() -> None:
    """Handed out beside `PUT state`, as by `POST claim`."""
    place = Place(lease_minutes=45)
    rate_sheet(place.bob, place.sheet, submit=False)
    following = hand_in(place, place.sheet).json()["sheet"]["key"]
    slot = Slot.objects.get(sheet__key=following, annotator=place.bob)
    assert slot.lease_expires_at - slot.claimed_at == timedelta(minutes=45)


@pytest.mark.parametrize(("allowed", "status"), [(True, 200), (False, 409)])
def test_a_done_sheet_changes_only_where_the_campaign_allows_it(allowed: bool, status: int) -> None:
    place = Place(allow_revision=allowed)
    rate_sheet(place.bob, place.sheet, submit=False)
    hand_in(place, place.sheet)
    answer = place.put(value=2, base_version=1)
    assert answer.status_code == status
    if not allowed:
        assert answer.json()["code"] == "revision_closed"
    stored = Judgment.objects.get(pk=Judgment.objects.order_by("pk").first().pk)
    assert stored.version == (2 if allowed else 1)


def test_an_incomplete_sheet_names_what_is_missing() -> None:
    place = Place()
    place.put()
    where = f"/api/v1/sheets/{place.sheet.key}/state"
    body = {"state": "done", "annotator": str(place.bob.key)}
    answer = place.client.put(where, body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "incomplete")
    assert len(answer.json()["missing"]) == 3


def test_strangers_do_not_learn_that_a_campaign_exists() -> None:
    place = Place()
    make_user("charlie")
    client = logged_in("charlie")
    assert client.post(f"/api/v1/campaigns/{place.campaign.slug}/claim").status_code == 404
