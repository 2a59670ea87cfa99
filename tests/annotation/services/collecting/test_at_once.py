"""A whole sheet at once; and everything that is left to the ordinary way."""

from datetime import timedelta

import pytest

from annotation.collecting import saving
from annotation.models import Judgment, JudgmentVersion, Slot, SlotEvent
from annotation.people.exclusions import exclusion_add
from annotation.quality.rules import rule_add
from paraanno import clock
from tests.annotation.api.collecting.place import Place, logged_in
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.collecting.ways import codes, rows
from tests.annotation.services.together import together
from tests.factories import make_annotator, rate_sheet

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_repeated_request_changes_nothing(long_way):
    place = Place()
    sent = place.answers()
    first = place.whole(sent, state="done").json()
    left = rows()
    again = place.whole(sent, state="done").json()
    assert again["state"] == "done"
    for one, before in zip(again["answers"], first["answers"], strict=True):
        assert one["repeated"] and one["version"] == 1
        assert one["recorded_at"] == before["recorded_at"]
    assert rows() == left and long_way == []


def test_an_id_that_comes_again_with_something_else_is_refused(long_way):
    place = Place()
    sent = place.answers()
    place.whole(sent, state="done")
    left = rows()
    other = {**sent[0], "value": 6 - sent[0]["value"]}
    moved = {**sent[1], "id": sent[2]["id"]}
    assert codes(place.whole([other, moved])) == ["request_reused", "stale"]
    assert rows() == left and long_way == []


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"base_version": 5}, "stale"),  # Of an answer that is not there.
        ({"value": 9}, "invalid"),
        ({"value": 3.5}, "invalid"),
        ({"value": 1e300}, "invalid"),
    ],
)
def test_an_answer_from_nowhere_or_off_the_scale_is_refused(wrong, code):
    place = Place()
    sent = place.answers()
    sent[3] |= wrong
    assert codes(place.whole(sent, state="done")) == [None, None, None, code]
    assert [*Judgment.objects.values_list("version", flat=True)] == [1] * 3


def test_an_answer_that_is_missing_or_cleared_keeps_the_sheet_open():
    place = Place()
    answer = place.whole(place.answers()[1:], state="done").json()
    assert (answer["state"], answer["code"], len(answer["missing"])) == ("claimed", "incomplete", 1)
    answer = place.whole(place.answers(None, base=1)[1:2], state="done").json()
    assert (answer["answers"][0]["version"], len(answer["missing"])) == (2, 2)
    assert Slot.objects.get(annotator=place.bob).state == "claimed"


def test_a_done_sheet_is_changed_by_the_services(long_way):
    place = Place()
    place.whole(place.answers(2), state="done")
    answer = place.whole(place.answers(5, base=1)[:1]).json()
    assert answer["state"] == "done" and answer["answers"][0]["version"] == 2
    assert len(long_way) == 1


def test_a_lease_lost_and_every_place_taken():
    """Kept as surplus; the annotator is told the same as ever."""
    place = Place(items=1)
    ben = make_annotator(place.campaign, "ben")
    offer(ben, now=clock.now() + timedelta(days=2))
    rate_sheet(ben, place.sheet)
    answer = place.whole(place.answers(), state="done")
    assert codes(answer) == [None] * 4 and answer.json()["state"] == "done"
    assert "surplus" not in answer.content.decode()
    assert {one.status for one in place.bob.judgments.all()} == {"surplus"}
    assert Slot.objects.exclude(state="void").count() == 1


def test_the_same_request_eight_times_at_once():
    place = Place(items=1)
    sent = place.answers()
    clients = [logged_in("bob") for _ in range(8)]
    answers = together(
        [lambda one=one: place.whole(sent, client=one, state="done") for one in clients]
    )
    assert {one.json()["state"] for one in answers} == {"done"}
    assert all(codes(one) == [None] * len(sent) for one in answers)
    assert Judgment.objects.count() == JudgmentVersion.objects.count() == len(sent)
    assert SlotEvent.objects.filter(kind="done").count() == 1


@pytest.mark.slow
def test_an_exclusion_in_the_middle():
    """Before or after, never half: what counts belongs to a slot that counts."""
    for number in range(4):
        place = Place(items=1, slug=f"mid-{number}")
        sent = place.answers()
        answer, exclusion = together(
            [
                lambda place=place, sent=sent: place.whole(sent, state="done"),
                lambda place=place: exclusion_add(target=place.bob, reason="test", actor=None),
            ]
        )
        assert not isinstance(exclusion, Exception), exclusion
        assert codes(answer) == [None] * 4
        assert {one.status for one in place.bob.judgments.all()} == {"surplus"}


def test_quality_rules_look_after_the_sheet(long_way, monkeypatch):
    place = Place()
    rule_add(campaign=place.campaign, check="straight", least=1, share=0.01, act="warn", actor=None)
    looked = []
    monkeypatch.setattr(saving, "sheet_finished", lambda **given: looked.append(given["sheet"].key))
    place.whole(place.answers()[:2])
    assert looked == []
    place.whole(place.answers()[2:], state="done")
    assert looked == [place.sheet.key] and long_way == []
