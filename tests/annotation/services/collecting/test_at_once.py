"""A whole sheet at once, in the plain case; and everything that is left to the services."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.api.collecting import whole
from annotation.models import Judgment, JudgmentVersion, Slot, SlotEvent
from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import campaign_pause
from annotation.services.collecting.claiming import claim_next
from annotation.services.people.exclusions import exclusion_add
from annotation.services.quality.rules import rule_add
from annotation.services.submitting import sheet_submit
from paraanno import clock
from tests.annotation.api.collecting.place import Place, logged_in
from tests.annotation.services.together import together
from tests.factories import make_annotator, make_user, rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fresh_throttles() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def long_way(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sheets that were saved by the services."""
    taken: list[str] = []
    by_parts = whole.sheet_save

    def noted(**given: Any) -> Any:
        taken.append(str(given["sheet_key"]))
        return by_parts(**given)

    monkeypatch.setattr(whole, "sheet_save", noted)
    return taken


def codes(answer: Any) -> list[str | None]:
    assert answer.status_code == 200, answer.content
    return [one.get("code") for one in answer.json()["answers"]]


def rows() -> list[Any]:
    """All that a save may write, without ids, keys and times."""
    ids = {
        "id", "campaign_id", "annotator_id", "substitution_id", "scale_id", "slot_id",
        "guideline_id", "sheet_id", "key", "scan_key", "request_id", "judgment_id",
    }  # fmt: skip
    # Of ids and times only whether there is one.
    return [
        {
            name: value is None if name in ids or name.endswith("_at") else value
            for name, value in row.items()
            if name != "at"
        }
        for model in (Judgment, JudgmentVersion, Slot, SlotEvent)
        for row in model.objects.order_by("pk").values()
    ]


def written_by(slug: str, how: Any) -> list[Any]:
    """The rows that `how` leaves of one sheet, in a database that has no others."""
    place = Place(slug=slug, items=1)
    how(place)
    assert verify(campaign=place.campaign) == []
    left = rows()
    place.campaign.judgments.all().delete()
    for model in (SlotEvent, Slot):
        model.objects.all().delete()
    return left


def test_one_request_leaves_the_rows_of_three(long_way: list[str]) -> None:
    def three(place: Place) -> None:
        rate_sheet(place.bob, place.sheet)

    def one(place: Place) -> None:
        assert place.whole(place.answers(), state="done").json()["state"] == "done"

    assert written_by("three", three) == written_by("one", one)
    assert long_way == []


def test_changed_answers_and_those_of_before_leave_the_same_rows_too(long_way: list[str]) -> None:
    def before(place: Place) -> list[dict[str, Any]]:
        """Two are saved; of these the first is changed later, and the other two are new."""
        for number in (0, 1):
            assert place.put(number=number, value=2).status_code == 200
        scale = str(place.campaign.scales.all()[0].key)
        sent = place.answers()
        kept = [one for one in sent if one["scale"] == scale][1]
        sent.remove(kept)
        sent[0] |= {"base_version": 1, "comment": "sure"}
        return sent

    def parts(place: Place) -> None:
        for one in before(place):
            where = (
                f"/api/v1/sheets/{place.sheet.key}/judgments/{one['substitution']}/{one['scale']}"
            )
            body = {**one, "annotator": str(place.bob.key)}
            assert place.client.put(where, body, "application/json").status_code == 200
        sheet_submit(annotator=place.bob, sheet_key=place.sheet.key)

    def at_once(place: Place) -> None:
        told = place.whole(before(place), state="done").json()
        assert [one["version"] for one in told["answers"]] == [2, 1, 1]
        assert told["state"] == "done"

    assert written_by("parts", parts) == written_by("at-once", at_once)
    assert long_way == []


def test_the_answer_is_that_of_the_long_way(
    long_way: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(items=3)
    quick = place.whole(place.answers(), state="done", next=True)
    assert long_way == []
    place.campaign.judgments.all().delete()
    Slot.objects.filter(annotator=place.bob, state="done").update(
        state="claimed", done_at=None, lease_expires_at=clock.now() + timedelta(hours=1)
    )
    monkeypatch.setattr(whole, "put_quickly", lambda request, sheet: None)
    slow = place.whole(place.answers(), state="done", next=True)
    assert len(long_way) == 1
    assert slow["Content-Type"] == quick["Content-Type"]

    def plain(answer: Any) -> Any:
        data = answer.json()
        for one in data["answers"]:
            assert one.pop("id") and one.pop("recorded_at").endswith("Z")
        return data

    assert plain(slow) == plain(quick)


def test_few_statements() -> None:
    place = Place()
    sent = place.answers()
    with CaptureQueriesContext(connection) as queries:
        place.whole(sent, state="done")
    told = [
        one["sql"] for one in queries if one["sql"] not in ("BEGIN", "BEGIN IMMEDIATE", "COMMIT")
    ]
    assert len(told) <= (3 if connection.vendor == "postgresql" else 6), told


def test_a_repeated_request_changes_nothing(long_way: list[str]) -> None:
    place = Place()
    sent = place.answers()
    first = place.whole(sent, state="done").json()
    left = rows()
    again = place.whole(sent, state="done").json()
    assert again["state"] == "done" and all(one["repeated"] for one in again["answers"])
    assert [one["version"] for one in again["answers"]] == [1] * len(sent)
    assert [one["recorded_at"] for one in again["answers"]] == [
        one["recorded_at"] for one in first["answers"]
    ]
    assert rows() == left and len(long_way) == 1


def test_the_id_of_another_answer_is_refused_and_the_others_are_kept() -> None:
    place = Place()
    used = str(uuid4())
    place.put(id=used, value=3)
    sent = place.answers()[1:]
    sent[1]["id"] = used
    answer = place.whole(sent, state="done")
    assert codes(answer) == [None, "request_reused", None]
    assert answer.json()["state"] == "claimed"


def test_one_stale_answer_among_good_ones() -> None:
    place = Place()
    place.put(value=2)
    assert codes(place.whole(place.answers(), state="done")) == ["stale", None, None, None]
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [2, 4, 4, 4]


def test_a_new_version_and_handing_in(long_way: list[str]) -> None:
    place = Place()
    place.whole(place.answers(2))
    told = place.whole(place.answers(5, base=1), state="done").json()
    assert [one["version"] for one in told["answers"]] == [2] * 4
    assert set(Judgment.objects.values_list("value", "status")) == {(5, "counted")}
    assert long_way == [] and verify(campaign=place.campaign) == []


def test_a_done_sheet_is_changed_by_the_services(long_way: list[str]) -> None:
    place = Place()
    place.whole(place.answers(2), state="done")
    told = place.whole(place.answers(5, base=1)[:1]).json()
    assert told["state"] == "done" and told["answers"][0]["version"] == 2
    assert len(long_way) == 1 and verify(campaign=place.campaign) == []


@pytest.mark.parametrize("wrong", [{"value": 9}, {"value": 3.5}, {"value": 1e300}])
def test_off_the_scale(wrong: dict[str, Any]) -> None:
    place = Place()
    sent = place.answers()
    sent[3] |= wrong
    assert codes(place.whole(sent, state="done")) == [None, None, None, "invalid"]


def test_one_answer_is_missing() -> None:
    place = Place()
    told = place.whole(place.answers()[1:], state="done").json()
    assert (told["state"], told["code"], len(told["missing"])) == ("claimed", "incomplete", 1)
    assert Slot.objects.get(annotator=place.bob).state == "claimed"


def test_a_cleared_answer_is_missing() -> None:
    place = Place()
    place.whole(place.answers())
    sent = place.answers(None, base=1)[:1]
    told = place.whole(sent, state="done").json()
    assert (told["answers"][0]["version"], told["code"]) == (2, "incomplete")


def test_a_scale_that_is_not_required_may_stay_without_an_answer(long_way: list[str]) -> None:
    place = Place()
    loose = place.campaign.scales.all()[1]
    place.campaign.scales.filter(pk=loose.pk).update(required=False)
    sent = place.answers(2)
    place.whole(sent)
    cleared = [one for one in place.answers(None, base=1) if one["scale"] == str(loose.key)]
    assert place.whole(cleared, state="done").json()["state"] == "done"
    told = Judgment.objects.order_by("scale_id").values_list("value", "status").distinct()
    assert set(told) == {(2, "counted"), (None, "draft")}
    assert long_way == [] and verify(campaign=place.campaign) == []


def test_another_persons_key() -> None:
    place = Place()
    make_annotator(place.campaign, "ben")
    answer = place.whole(place.answers(), client=logged_in("ben"), state="done")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_annotator")
    assert not Judgment.objects.exists()


def test_a_sheet_never_held() -> None:
    place = Place()
    ben = make_annotator(place.campaign, "ben")
    answer = place.whole(place.answers(), client=logged_in("ben"), annotator=str(ben.key))
    assert answer.status_code == 404
    assert not Judgment.objects.exists()


def test_no_token_against_forgery() -> None:
    place = Place()
    strict = logged_in("bob", enforce_csrf_checks=True)
    answer = place.whole(place.answers(), client=strict, state="done")
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
    strict.cookies["csrftoken"] = token = "t" * 32
    where = f"/api/v1/sheets/{place.sheet.key}"
    body = {"annotator": str(place.bob.key), "answers": place.answers(), "state": "done"}
    sent = strict.put(where, body, "application/json", headers={"X-CSRFToken": token})
    assert sent.json()["state"] == "done"


def test_no_session_and_one_that_ended() -> None:
    place = Place()
    assert place.whole(place.answers(), client=Client()).status_code == 401
    place.whole(place.answers()[:1])
    Session.objects.update(expire_date=clock.now() - timedelta(seconds=1))
    assert place.whole(place.answers()[1:]).status_code == 401
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize("what", ["log out", "password", "disable"])
def test_what_ends_a_login_counts_at_once(what: str) -> None:
    """Also where the session was used just before, so that its decoding is kept."""
    place = Place()
    assert place.whole(place.answers()[:1]).status_code == 200
    bob = make_user("bob")
    if what == "log out":
        other = Client()
        other.cookies = place.client.cookies.copy()
        place.client.logout()
        place.client = other
    elif what == "password":
        bob.set_password("another long word 8")
        bob.save()
    else:
        bob.is_active = False
        bob.save()
    answer = place.whole(place.answers()[1:], state="done")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert Judgment.objects.count() == 1


def test_a_lease_lost_and_every_place_taken() -> None:
    """Kept as surplus; the annotator is told the same as ever."""
    place = Place(items=1)
    ben = make_annotator(place.campaign, "ben")
    claim_next(annotator=ben, now=clock.now() + timedelta(days=2))
    rate_sheet(ben, place.sheet)
    told = place.whole(place.answers(), state="done")
    assert codes(told) == [None] * 4 and told.json()["state"] == "done"
    assert "surplus" not in told.content.decode()
    assert set(Judgment.objects.filter(annotator=place.bob).values_list("status", flat=True)) == {
        "surplus"
    }
    assert Slot.objects.filter(sheet=place.sheet).exclude(state="void").count() == 1
    assert verify(campaign=place.campaign) == []


def test_a_save_renews_a_lease_that_is_half_over(long_way: list[str]) -> None:
    place = Place(lease_minutes=60)
    place.whole(place.answers()[:1])
    soon = clock.now() + timedelta(minutes=20)
    Slot.objects.filter(annotator=place.bob).update(lease_expires_at=soon)
    place.whole(place.answers()[1:2])
    renewed = Slot.objects.get(annotator=place.bob).lease_expires_at
    assert timedelta(minutes=39) < renewed - soon < timedelta(minutes=41)
    place.whole(place.answers()[2:3])
    assert Slot.objects.get(annotator=place.bob).lease_expires_at == renewed
    assert long_way == []


def test_the_same_request_eight_times_at_once() -> None:
    place = Place(items=1)
    sent = place.answers()
    clients = [logged_in("bob") for _ in range(8)]
    answers = together(
        [lambda one=one: place.whole(sent, client=one, state="done") for one in clients]
    )
    assert [one.status_code for one in answers] == [200] * 8
    assert {one.json()["state"] for one in answers} == {"done"}
    assert all(codes(one) == [None] * len(sent) for one in answers)
    assert Judgment.objects.count() == JudgmentVersion.objects.count() == len(sent)
    assert SlotEvent.objects.filter(kind="done").count() == 1
    assert verify(campaign=place.campaign) == []


def test_two_tabs_one_saves_singly_and_one_the_whole() -> None:
    """Whoever comes second is told; nothing acknowledged is lost."""
    place = Place(items=1)
    place.whole(place.answers(1))
    other = logged_in("bob")
    for base in range(1, 7):
        whole_sheet = place.answers(2 + base % 2, base=base)
        single, at_once = together(
            [
                lambda base=base: place.put(value=5, base_version=base, client=other),
                lambda sent=whole_sheet: place.whole(sent),
            ]
        )
        told = codes(at_once)
        assert told[1:] == [None] * 3
        assert sorted([single.status_code == 200, told[0] is None]) == [False, True]
        assert (told[0] is None) or told[0] == "stale"
        assert (single.status_code == 200) or single.json()["code"] == "stale"
    # One of both took each version of the first place.
    assert set(Judgment.objects.values_list("version", flat=True)) == {7}
    assert verify(campaign=place.campaign) == []


def test_an_exclusion_in_the_middle() -> None:
    """Before or after, never half: what counts belongs to a slot that counts."""
    alice = make_user("alice")
    for number in range(4):
        place = Place(items=1, slug=f"mid-{number}")
        sent = place.answers()
        answer, exclusion = together(
            [
                lambda place=place, sent=sent: place.whole(sent, state="done"),
                lambda place=place: exclusion_add(target=place.bob, reason="test", actor=alice),
            ]
        )
        assert not isinstance(exclusion, Exception), exclusion
        assert codes(answer) == [None] * 4
        statuses = set(
            Judgment.objects.filter(annotator=place.bob).values_list("status", flat=True)
        )
        assert statuses == {"surplus"}
        assert verify(campaign=place.campaign) == []


def test_a_paused_campaign_takes_the_sheet_by_the_services(long_way: list[str]) -> None:
    place = Place()
    campaign_pause(campaign=place.campaign, actor=make_user("alice"))
    assert place.whole(place.answers(), state="done").json()["state"] == "done"
    assert len(long_way) == 1


def test_quality_rules_look_after_the_sheet(long_way: list[str]) -> None:
    place = Place()
    alice = make_user("alice")
    rule_add(
        campaign=place.campaign, check="straight", least=1, share=0.01, act="warn", actor=alice
    )
    looked: list[Any] = []
    from annotation.services import whole as services

    original = services.sheet_finished
    try:
        services.sheet_finished = lambda **given: looked.append(given)
        place.whole(place.answers()[:2])
        assert looked == []
        place.whole(place.answers()[2:], state="done")
    finally:
        services.sheet_finished = original
    assert [one["sheet"].key for one in looked] == [place.sheet.key]
    assert long_way == []
