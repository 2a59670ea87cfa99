"""A whole sheet in one request, over HTTP: its format, and what refuses all of it."""

from uuid import uuid4

import pytest
from django.test import Client

from annotation.accounts.tokens import token_make
from annotation.models import Judgment, JudgmentVersion, Slot
from tests.annotation.place import Place, logged_in, refusal
from tests.factories import close_campaign, make_annotator


@pytest.fixture
def place():
    return Place()


def codes(answer):
    """What became of each answer: its code, None where it is stored."""
    assert answer.status_code == 200, answer.content
    return [one.get("code") for one in answer.json()["answers"]]


def state_of(place):
    return Slot.objects.get(annotator=place.bob).state


def test_answers_come_back_in_the_order_sent_each_with_its_own_id_and_version(place):
    sent = place.answers()[::-1]
    found = place.whole(sent).json()
    for one, other in zip(found["answers"], sent, strict=True):
        assert one.pop("recorded_at")
        del other["base_version"]
        assert one == {**other, "reason": "", "comment": "", "version": 1, "repeated": False}
    assert (found["state"], found["sheet"]) == ("claimed", None)
    assert Judgment.objects.filter(status="draft").count() == len(sent)


def test_handing_in_gives_the_next_sheet_as_data_or_as_html():
    place = Place(items=3)
    done = place.whole(place.answers(), state="done", next=True).json()
    assert done["state"] == "done" and "code" not in done
    following = done["sheet"]["key"]
    assert following != str(place.sheet.key) and done["sheet"]["substitutions"]
    one = place.client.get(f"/api/v1/sheets/{following}").json()["sheet"]
    assert {**one, "before": None} == {**done["sheet"], "before": None}
    again = place.whole(query="?fragment=1", state="done", next=True).json()
    assert again["sheet"]["key"] == following
    assert f'data-sheet="{following}"' in again["sheet"]["html"]
    third = place.whole(state="done", next=True, beside=[following]).json()["sheet"]
    assert third["key"] not in (following, str(place.sheet.key))


def test_without_a_next_sheet_there_is_a_reason():
    place = Place(items=1)
    done = place.whole(place.answers(), state="done", next=True).json()
    assert (done["state"], done["sheet"]) == ("done", None) and "code" not in done
    place = Place(items=1, slug="paused")
    close_campaign(place.campaign)
    closed = place.whole(next=True).json()
    assert (closed["sheet"], closed["code"]) == (None, "not_open") and closed["message"]


def test_one_stale_value_holds_back_the_handing_in_and_no_other_value(place):
    place.put(value=2)
    sent = place.answers()
    answer = place.whole(sent, state="done", next=True)
    assert codes(answer) == ["stale", None, None, None]
    found = answer.json()
    assert (found["state"], found["sheet"]) == ("claimed", None)
    assert found["answers"][0]["id"] == sent[0]["id"]
    assert found["answers"][0]["stored"]["value"] == 2 and found["answers"][0]["detail"]
    assert sorted(Judgment.objects.values_list("value", flat=True)) == [2, 4, 4, 4]
    assert state_of(place) == "claimed"
    sent[0] |= {"id": str(uuid4()), "base_version": 1}
    assert place.whole(sent, state="done").json()["state"] == "done"


def test_an_id_that_another_answer_has_is_refused(place):
    sent = place.answers()
    sent[2]["id"] = sent[0]["id"]
    assert codes(place.whole(sent)) == [None, None, "request_reused", None]


def test_after_the_collection_answers_stay_and_handing_in_is_refused(place):
    close_campaign(place.campaign)
    found = place.whole(place.answers(), state="done", next=True).json()
    assert (found["state"], found["code"]) == ("claimed", "closed")
    assert Judgment.objects.count() == 4 and state_of(place) != "done"


def test_five_hundred_answers_at_most(place):
    one = place.answers()[0]
    many = [one, *({**one, "id": str(uuid4()), "base_version": 1} for _ in range(500))]
    assert refusal(place.whole(many)) == (400, "invalid")
    assert not Judgment.objects.exists()
    # The same value again is no further version.
    assert codes(place.whole(many[:500])) == [None] * 500
    assert JudgmentVersion.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "no"},
        {"substitution": None},
        {"base_version": -1},
        {"base_version": "x"},
        {"value": "high"},
    ],
)
def test_what_cannot_be_read_refuses_the_whole(place, wrong):
    sent = place.answers()
    sent[1] |= wrong
    assert refusal(place.whole(sent)) == (400, "invalid")
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("way", ["put", "whole"])
def test_who_may_not_save_is_refused_as_a_whole(place, way):
    """A single answer and a sheet; always as JSON, never by a redirect."""
    ben = make_annotator(place.campaign, "ben")
    sent = {} if way == "put" else {"answers": place.answers(), "state": "done"}

    def refused(**how):
        return refusal(getattr(place, way)(**sent, **how))

    assert refused(client=Client()) == (401, "not_authenticated")
    assert refused(client=logged_in("bob", enforce_csrf_checks=True)) == (403, "csrf")
    assert refused(client=logged_in("ben")) == (403, "wrong_annotator")
    assert refused(client=logged_in("ben"), annotator=str(ben.key)) == (404, "not_found")
    member = place.campaign.memberships.filter(user__username="bob")
    member.update(role="viewer")
    assert refused() == (403, "wrong_annotator")
    member.delete()
    assert refused() == (403, "wrong_annotator")
    assert not Judgment.objects.exists()


def test_a_judgment_knows_whether_a_program_sent_it(place):
    """With a token, one by one or as a whole sheet; what a browser saves again is its own."""
    _token, text = token_make(user=place.bob.user)
    program = Client(headers={"authorization": f"Token {text}"})

    def sent():
        rows = place.campaign.judgments.order_by("pk")
        return list(rows.values_list("by_program", flat=True))

    first, *rest = place.answers()
    assert codes(place.whole([first], client=program)) == [None] and sent() == [True]
    assert codes(place.whole(rest)) == [None] * len(rest)
    assert sent() == [True, *[False] * len(rest)]
    assert codes(place.whole([{**first, "id": str(uuid4()), "base_version": 1, "value": 2}])) == [
        None
    ]
    assert not any(sent())
    assert place.put(client=program, base_version=2, value=3).status_code == 200
    assert sent() == [True, *[False] * len(rest)]
