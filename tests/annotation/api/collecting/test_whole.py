"""A whole sheet in one request, over HTTP: its format, and what refuses all of it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from annotation.models import Judgment, JudgmentVersion, Slot
from annotation.services.campaigns.campaigns import campaign_close
from tests.annotation.api.collecting.place import Place, logged_in
from tests.factories import make_annotator, make_user

pytestmark = pytest.mark.django_db
NOWHERE = "00000000-0000-4000-8000-000000000000"


def codes(answer: Any) -> list[str | None]:
    """What became of each answer: its code, None where it is stored."""
    assert answer.status_code == 200, answer.content
    return [one.get("code") for one in answer.json()["answers"]]


def test_answers_come_back_in_the_order_sent_each_with_its_own_id_and_version() -> None:
    place = Place()
    sent = place.answers()[::-1]
    told = place.whole(sent).json()
    assert [one["id"] for one in told["answers"]] == [one["id"] for one in sent]
    for one, other in zip(told["answers"], sent, strict=True):
        assert (one["substitution"], one["scale"]) == (other["substitution"], other["scale"])
        assert (one["value"], one["version"], one["repeated"]) == (4, 1, False)
        assert (one["reason"], one["comment"]) == ("", "") and one["recorded_at"]
    assert (told["state"], told["sheet"]) == ("claimed", None)
    assert Judgment.objects.filter(status="draft").count() == len(sent)


def test_handing_in_gives_the_next_sheet_as_data_or_as_html() -> None:
    place = Place(items=3)
    told = place.whole(place.answers(), state="done", next=True).json()
    assert told["state"] == "done" and "code" not in told
    following = told["sheet"]["key"]
    assert following != str(place.sheet.key) and told["sheet"]["substitutions"]
    one = place.client.get(f"/api/v1/sheets/{following}").json()["sheet"]
    assert {**one, "before": None} == {**told["sheet"], "before": None}
    again = place.whole(query="?fragment=1", state="done", next=True).json()
    assert again["sheet"]["key"] == following
    assert f'data-sheet="{following}"' in again["sheet"]["html"]
    third = place.whole(state="done", next=True, beside=[following]).json()["sheet"]
    assert third["key"] not in (following, str(place.sheet.key))


def test_the_next_sheet_is_another_one_while_this_is_open() -> None:
    place = Place()
    told = place.whole(place.answers()[:1], next=True).json()
    assert told["state"] == "claimed"
    assert told["sheet"]["key"] != str(place.sheet.key)


def test_without_a_next_sheet_there_is_a_reason() -> None:
    place = Place(items=1)
    told = place.whole(place.answers(), state="done", next=True).json()
    assert (told["state"], told["sheet"]) == ("done", None) and "code" not in told
    place = Place(items=1, slug="paused")
    campaign_close(campaign=place.campaign, actor=make_user("alice"))
    told = place.whole(next=True).json()
    assert (told["sheet"], told["code"]) == (None, "not_open") and told["message"]


def test_repeating_the_request_changes_nothing() -> None:
    place = Place()
    sent = place.answers()
    first = place.whole(sent, state="done", next=True).json()
    rows = list(Judgment.objects.values()), list(Slot.objects.values())
    again = place.whole(sent, state="done", next=True).json()
    assert (again["state"], again["sheet"]) == ("done", first["sheet"])
    for one, other in zip(first["answers"], again["answers"], strict=True):
        assert {**one, "repeated": True} == other
    assert rows == (list(Judgment.objects.values()), list(Slot.objects.values()))
    assert JudgmentVersion.objects.count() == len(sent)


def test_one_stale_value_holds_back_the_handing_in_and_no_other_value() -> None:
    place = Place()
    place.put(value=2)
    sent = place.answers()
    answer = place.whole(sent, state="done", next=True)
    assert codes(answer) == ["stale", None, None, None]
    told = answer.json()
    assert (told["state"], told["sheet"]) == ("claimed", None)
    assert told["answers"][0]["id"] == sent[0]["id"]
    assert told["answers"][0]["stored"]["value"] == 2 and told["answers"][0]["detail"]
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [2, 4, 4, 4]
    assert Slot.objects.get(annotator=place.bob).state == "claimed"
    sent[0] |= {"id": str(uuid4()), "base_version": 1}
    assert place.whole(sent, state="done").json()["state"] == "done"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"value": 9}, "invalid"),
        ({"value": 3, "reason": "broken"}, "invalid"),
        ({"reason": "r" * 201, "value": None}, "invalid"),
        ({"comment": "c" * 5001}, "invalid"),
        ({"substitution": NOWHERE}, "not_found"),
        ({"scale": NOWHERE}, "not_found"),
        ({"base_version": 3}, "stale"),
    ],
)
def test_every_refusal_is_of_one_answer(wrong: dict[str, Any], code: str) -> None:
    place = Place()
    sent = place.answers()
    sent[1] |= wrong
    assert codes(place.whole(sent, state="done")) == [None, code, None, None]
    assert Judgment.objects.count() == 3
    assert Slot.objects.get(annotator=place.bob).state == "claimed"


def test_an_id_that_another_answer_has_is_refused() -> None:
    place = Place()
    sent = place.answers()
    sent[2]["id"] = sent[0]["id"]
    assert codes(place.whole(sent)) == [None, None, "request_reused", None]


def test_a_missing_answer_keeps_the_sheet_open_and_is_named() -> None:
    place = Place()
    answer = place.whole(place.answers()[:3], state="done", next=True)
    assert codes(answer) == [None, None, None]
    told = answer.json()
    assert (told["state"], told["code"], told["sheet"]) == ("claimed", "incomplete", None)
    last = place.answers()[3]
    assert told["missing"] == [{"substitution": last["substitution"], "scale": last["scale"]}]
    assert told["detail"] and Judgment.objects.count() == 3


def test_after_the_collection_answers_stay_and_handing_in_is_refused() -> None:
    place = Place()
    campaign_close(campaign=place.campaign, actor=make_user("alice"))
    told = place.whole(place.answers(), state="done", next=True).json()
    assert (told["state"], told["code"]) == ("claimed", "closed")
    assert Judgment.objects.count() == 4 and Slot.objects.get(annotator=place.bob).state != "done"


def test_five_hundred_answers_at_most() -> None:
    place = Place()
    [one, *_others] = place.answers()
    again = [{**one, "id": str(uuid4()), "base_version": 1} for _ in range(500)]
    many = [one, *again]
    answer = place.whole(many)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not Judgment.objects.exists()
    told = codes(place.whole(many[:500]))
    assert told == [None] + [None] * 499  # The same value again is no further version.
    assert JudgmentVersion.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "no"}, {"substitution": None}, {"base_version": -1}, {"base_version": "x"},
        {"value": "high"},
    ],
)  # fmt: skip
def test_what_cannot_be_read_refuses_the_whole(wrong: dict[str, Any]) -> None:
    place = Place()
    sent = place.answers()
    sent[1] |= wrong
    answer = place.whole(sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not Judgment.objects.exists()


def test_who_may_not_save_is_refused_as_a_whole() -> None:
    place = Place()
    ben = make_annotator(place.campaign, "ben")
    sent = place.answers()

    def refused(**how: Any) -> tuple[int, str]:
        answer = place.whole(sent, state="done", **how)
        return answer.status_code, answer.json()["code"]

    assert refused(client=Client()) == (401, "not_authenticated")
    assert refused(client=logged_in("bob", enforce_csrf_checks=True)) == (403, "csrf")
    assert refused(client=logged_in("ben")) == (403, "wrong_annotator")
    assert refused(client=logged_in("ben"), annotator=str(ben.key)) == (404, "not_found")
    place.campaign.memberships.filter(user__username="bob").delete()
    assert refused() == (403, "wrong_annotator")
    assert not Judgment.objects.exists()
