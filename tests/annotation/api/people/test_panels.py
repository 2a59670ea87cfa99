"""Panels over the API: made, changed, listed, paid."""

import csv
import io

import pytest

from tests.annotation.api.conftest import rows_of
from tests.annotation.crowd import NearBrowser, Person
from tests.annotation.rated import CAMP
from tests.factories import make_campaign

GIVEN = {
    "name": "Crowd",
    "parameter": "PROLIFIC_PID",
    "sheets_per_person": 2,
    "codes": {"complete": "C1 K", "quota_full": "Q"},
    "return_url": "https://example.org/?cc={code}",
}
PANELS = f"{CAMP}/panels"


@pytest.fixture
def owner(login):
    make_campaign(k=1)
    return login("alice")


@pytest.fixture
def panel(owner):
    made = owner.post(PANELS, GIVEN)
    assert made.status_code == 201
    return dict(made.json())


def enter(panel, name):
    person = Person(name, panel["link"], "camp", NearBrowser())
    assert person.enter().location == "/rate/camp/"
    return person


def test_a_panel_is_made_and_changed(owner, panel):
    assert panel["link"].startswith("http://testserver/p/") and "?" not in panel["link"]
    assert rows_of(owner, PANELS) == [panel]
    one = f"{PANELS}/{panel['key']}"
    changed = owner.patch(one, {"max_participants": 5, "closed": True}).json()
    assert changed["max_participants"] == 5 and changed["closed_at"]
    assert owner.get(one).json() == changed
    for name, value in (("codes", {"done": "A"}), ("id_pattern", "(a*)*"), ("name", "")):
        answer = owner.post(PANELS, {**GIVEN, name: value})
        assert answer.status_code == 400 and list(answer.json()["fields"]) == [name]


def test_single_saves_and_whole_sheets_work_with_the_session_of_the_link(owner, panel):
    for name, whole in (("one", True), ("two", False)):
        person = enter(panel, name)
        last = person.work(whole=whole)
        assert last["sheet"] is None and last["code"] == "complete"
        assert last["completion"] == {"code": "C1 K", "url": "https://example.org/?cc=C1%20K"}
        assert person.claim()["completion"]["code"] == "C1 K"
        assert person.enter().location.endswith("/end")
    progress = owner.get(f"{CAMP}/progress").json()
    assert (progress["slots"], progress["done"]) == (4, 4)
    assert enter(panel, "three").claim()["code"] == "quota_full"


def test_platform_ids_stand_in_the_payments_alone(owner, panel):
    enter(panel, "5f1e77").work()
    one = f"{PANELS}/{panel['key']}"
    assert [row["outcome"] for row in rows_of(owner, f"{one}/participants")] == ["complete"]
    for page in (
        f"{one}/participants",
        f"{CAMP}/annotators",
        "/c/camp/audit/",
        "/c/camp/people/",
        f"/c/camp/panels/{panel['key']}/",
    ):
        assert b"5f1e77" not in owner.get(page).content
    paid = owner.get(f"{one}/payments")
    assert paid["Content-Type"].startswith("text/csv")
    [row] = csv.DictReader(io.StringIO(b"".join(paid).decode()))
    assert (row["id"], row["sheets"]) == ("5f1e77", "2")
