"""Panels over the API: made, changed, listed, paid."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from annotation.models import Participant
from tests.annotation.crowd import NearBrowser, Person
from tests.clients import client_of
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
GIVEN = {
    "name": "Crowd", "parameter": "PROLIFIC_PID", "sheets_per_person": 2,
    "codes": {"complete": "C1 K", "quota_full": "Q"},
    "return_url": "https://example.org/?cc={code}",
}  # fmt: skip
PANELS = "/api/v1/campaigns/camp/panels"


def send(client: Client, path: str, body: dict[str, Any], method: str = "post") -> Any:
    call = getattr(client, method)
    return call(path, json.dumps(body), content_type="application/json")


@pytest.fixture
def owner() -> Client:
    make_campaign(items=4, k=1)
    return client_of("alice")


def test_a_panel_is_made_and_changed(owner: Client) -> None:
    made = send(owner, PANELS, GIVEN)
    assert made.status_code == 201
    data = made.json()
    assert data["link"].startswith("http://testserver/p/") and "?" not in data["link"]
    assert owner.get(PANELS).json()["results"][0]["key"] == data["key"]
    one = f"{PANELS}/{data['key']}"
    changed = send(owner, one, {"max_participants": 5, "closed": True}, "patch").json()
    assert changed["max_participants"] == 5 and changed["closed_at"]
    assert owner.get(one).json() == changed


@pytest.mark.parametrize(
    ("name", "value"),
    [("codes", {"done": "A"}), ("sheets_per_person", 0), ("id_pattern", "(a*)*"),
     ("return_url", "ftp://example.org"), ("name", "")],
)  # fmt: skip
def test_bad_fields_are_named(owner: Client, name: str, value: Any) -> None:
    answer = send(owner, PANELS, {**GIVEN, name: value})
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [name]


def test_single_saves_and_whole_sheets_work_with_the_session_of_the_link(owner: Client) -> None:
    panel = send(owner, PANELS, GIVEN).json()
    for name, whole in (("one", True), ("two", False)):
        person = Person(name, panel["link"], "camp", NearBrowser())
        entered = person.enter()
        assert (entered.status, entered.location) == (302, "/rate/camp/")
        said = person.work(whole=whole)
        assert said["sheet"] is None and said["code"] == "complete"
        assert said["completion"] == {"code": "C1 K", "url": "https://example.org/?cc=C1%20K"}
        assert person.claim()["completion"]["code"] == "C1 K"
        assert person.enter().location.endswith("/end")
    progress = owner.get("/api/v1/campaigns/camp/progress").json()
    assert (progress["slots"], progress["done"]) == (4, 4)
    late = Person("three", panel["link"], "camp", NearBrowser())
    late.enter()
    assert late.claim()["code"] == "quota_full"


def test_platform_ids_stand_in_the_payments_alone(owner: Client) -> None:
    panel = send(owner, PANELS, GIVEN).json()
    person = Person("5f1e77", panel["link"], "camp", NearBrowser())
    person.enter()
    person.work()
    one = f"{PANELS}/{panel['key']}"
    told = owner.get(f"{one}/participants")
    assert [row["outcome"] for row in told.json()["results"]] == ["complete"]
    pages = [told, owner.get("/api/v1/campaigns/camp/annotators"), owner.get("/c/camp/audit/")]
    pages += [owner.get("/c/camp/people/"), owner.get(f"/c/camp/panels/{panel['key']}/")]
    assert not [page for page in pages if b"5f1e77" in page.content]
    paid = owner.get(f"{one}/payments")
    assert paid["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(paid).decode())))
    assert [(row["id"], row["sheets"]) for row in rows] == [("5f1e77", "2")]


def test_parts_end_by_the_platforms_ids(owner: Client) -> None:
    panel = send(owner, PANELS, GIVEN).json()
    Person("one", panel["link"], "camp", NearBrowser()).enter()
    path = f"{PANELS}/{panel['key']}/ended"
    answer = send(owner, path, {"outcome": "timed_out", "ids": ["one", "x"]})
    assert answer.json() == {"ended": 1, "before": 0, "unknown": ["x"]}
    assert Participant.objects.get().outcome == "timed_out"
    assert send(owner, path, {"outcome": "complete", "ids": ["one"]}).status_code == 400
