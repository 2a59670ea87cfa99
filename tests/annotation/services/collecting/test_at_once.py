"""A whole sheet at once; and everything that is left to the ordinary way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from annotation.models import Judgment, JudgmentVersion, Slot, SlotEvent
from annotation.selectors.verify import verify
from annotation.services.collecting.claiming import claim_next
from annotation.services.people.exclusions import exclusion_add
from annotation.services.quality.rules import rule_add
from paraanno import clock
from tests.annotation.api.collecting.place import Place, logged_in
from tests.annotation.services.collecting.ways import codes, rows
from tests.annotation.services.together import together
from tests.factories import make_annotator, make_user, rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_the_version_of_an_answer_that_is_not_there_is_stale() -> None:
    place = Place()
    sent = place.answers()
    sent[0]["base_version"] = 5
    assert codes(place.whole(sent)) == ["stale", None, None, None]
    assert set(Judgment.objects.values_list("version", flat=True)) == {1}


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
        # Another value each time: the one that is stored is acknowledged at any version.
        whole_sheet = place.answers(2 + base % 2, base=base)
        value = 4 + base % 2
        single, at_once = together(
            [
                lambda base=base, value=value: place.put(
                    value=value, base_version=base, client=other
                ),
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


def test_quality_rules_look_after_the_sheet(long_way: list[str]) -> None:
    place = Place()
    alice = make_user("alice")
    rule_add(
        campaign=place.campaign, check="straight", least=1, share=0.01, act="warn", actor=alice
    )
    looked: list[Any] = []
    from annotation.services import sheet_saving as services

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
