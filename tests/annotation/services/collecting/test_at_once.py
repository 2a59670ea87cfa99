"""A whole sheet at once, the next one with it, and the rows that both leave."""

import itertools
from copy import copy
from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotation.campaigns.services import campaign_pause
from annotation.collecting import saving, whole_sheet_api
from annotation.collecting.claiming import claim_next
from annotation.collecting.save_queries import Assignment
from annotation.collecting.save_rows import Writing, write
from annotation.models import Annotator, Campaign, Judgment, JudgmentVersion, Sheet, Slot, SlotEvent
from annotation.verify import verify
from paraanno import clock
from tests.annotation.acts import add_rule
from tests.annotation.claimed import offer
from tests.annotation.place import Place, logged_in
from tests.annotation.together import together
from tests.factories import ask_consent, exclude, make_annotator, rate_sheet


def codes(answer):
    assert answer.status_code == 200, answer.content
    return [one.get("code") for one in answer.json()["answers"]]


def rows():
    """All that a save may write, without ids, keys and times."""
    ids = {
        "id",
        "campaign_id",
        "annotator_id",
        "substitution_id",
        "scale_id",
        "slot_id",
        "guideline_id",
        "sheet_id",
        "key",
        "scan_key",
        "request_id",
        "judgment_id",
    }
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
                lambda place=place: exclude(place.bob),
            ]
        )
        assert not isinstance(exclusion, Exception), exclusion
        assert codes(answer) == [None] * 4
        assert {one.status for one in place.bob.judgments.all()} == {"surplus"}


def test_quality_rules_look_after_the_sheet(long_way, monkeypatch):
    place = Place()
    add_rule(place.campaign, "straight", "warn", share=0.01)
    looked = []
    monkeypatch.setattr(saving, "sheet_finished", lambda **given: looked.append(given["sheet"].key))
    place.whole(place.answers()[:2])
    assert looked == []
    place.whole(place.answers()[2:], state="done")
    assert looked == [place.sheet.key] and long_way == []


@pytest.fixture
def late_claims(monkeypatch):
    """What was claimed after the transaction, by `claim_next`."""
    asked = []
    after = whole_sheet_api.next_sheet

    def noted(*given, **named):
        asked.append(named)
        return after(*given, **named)

    monkeypatch.setattr(whole_sheet_api, "next_sheet", noted)
    return asked


def turn(place, **body):
    data = place.whole(place.answers(), state="done", next=True, **body).json()
    assert data["state"] == "done"
    return data


def after(place):
    """The key of the sheet that comes when this one is handed in."""
    return str(turn(place)["sheet"]["key"])


@pytest.mark.slow
@pytest.mark.parametrize("order", Campaign.Order.values)
def test_the_slot_is_the_one_that_a_claim_takes(late_claims, order):
    """In every order of handing out, also where the annotator's starting point is behind all."""
    for seed in (0, 2**62, 2**63 - 1):
        place = Place(slug=f"seed-{seed}", items=4, order=order)
        Annotator.objects.filter(pk=place.bob.pk).update(seed=seed)
        key = after(place)
        slot = Slot.objects.get(annotator=place.bob, state="claimed")
        assert str(slot.sheet.key) == key
        events = slot.events.all()
        assert [*events.values_list("kind", "annotator", "actor")] == [
            ("claimed", place.bob.pk, None)
        ]
        lease = timedelta(minutes=place.campaign.lease_minutes)
        assert slot.lease_expires_at - slot.claimed_at == lease
        # As it was before: the claim takes the same one.
        events.delete()
        Slot.objects.filter(pk=slot.pk).update(
            state="free", annotator=None, claimed_at=None, lease_expires_at=None
        )
        assert str(offer(Annotator.objects.get(pk=place.bob.pk)).key) == key
    assert late_claims == []


def test_an_open_sheet_comes_first_unless_the_page_has_it(late_claims):
    place = Place(items=3)
    ahead = offer(place.bob, place.sheet)
    third = turn(place, beside=[str(ahead.key)])["sheet"]["key"]
    assert third not in (str(ahead.key), str(place.sheet.key))
    place.sheet = ahead
    assert after(place) == third
    assert late_claims == []


def test_a_lease_that_is_half_over_is_renewed_as_by_a_claim(late_claims):
    place = Place(items=3)
    ahead = offer(place.bob, place.sheet)
    soon = clock.now() + timedelta(minutes=1)
    Slot.objects.filter(sheet=ahead).update(lease_expires_at=soon)
    assert after(place) == str(ahead.key)
    assert Slot.objects.get(sheet=ahead).lease_expires_at > soon
    assert len(late_claims) == 1


def test_shared_sheets_come_first(late_claims):
    place = Place(items=4)
    other = Sheet.objects.exclude(pk=place.sheet.pk)[0]
    other.slots.all().delete()
    Sheet.objects.filter(pk=other.pk).update(shared=True)
    assert after(place) == str(other.key)
    assert len(late_claims) == 1


def add_step(place):
    ask_consent(place.campaign, "You judge.")


def pause(place):
    campaign_pause(campaign=place.campaign, actor=None)


def excluded(place):
    exclude(place.bob, free_slots=False)


@pytest.mark.parametrize(
    ("happens", "code"), [(add_step, "consent"), (pause, "not_open"), (excluded, "not_open")]
)
def test_a_step_comes_before_the_next_sheet_and_nobody_claims_who_may_not(happens, code):
    place = Place(items=3)
    happens(place)
    data = turn(place)
    assert (data["sheet"], data["code"]) == (None, code)
    assert not Slot.objects.filter(annotator=place.bob, state="claimed").exists()


def test_eight_annotators_never_share_a_place():
    place = Place(items=24)
    work = []
    for number in range(8):
        seat = copy(place)
        seat.bob = make_annotator(place.campaign, f"ann{number}")
        seat.sheet, seat.client = offer(seat.bob), logged_in(f"ann{number}")
        work.append(lambda seat=seat: after(seat))
    assert len(set(together(work))) == 8
    assert verify(campaign=place.campaign) == []


def test_an_excluded_annotator_is_not_given_the_sheet_that_they_have_open():
    place = Place(items=3)
    assert claim_next(annotator=place.bob, beside=[place.sheet.key]) is not None
    exclude(place.bob, free_slots=False)
    data = turn(place)
    assert (data["sheet"], data["code"]) == (None, "not_open")


def written_by(slug, how):
    """The rows that `how` leaves of one sheet, in a database that has no others."""
    place = Place(slug=slug, items=1)
    how(place)
    assert verify(campaign=place.campaign) == []
    left = rows()
    place.campaign.judgments.all().delete()
    for model in (SlotEvent, Slot):
        model.objects.all().delete()
    return left


def test_one_request_leaves_the_rows_of_three(long_way, rows_by_hand):
    def three(place):
        rate_sheet(place.bob, place.sheet)

    def one(place):
        assert place.whole(place.answers(), state="done").json()["state"] == "done"

    assert written_by("three", three) == written_by("one", one)
    assert long_way == []


def test_what_is_not_as_it_was_read_is_not_written():
    """The slot is gone since it was read."""
    place = Place()
    slot = Slot.objects.get(annotator=place.bob)
    read = Assignment(
        campaign=place.campaign.pk,
        annotator=place.bob.pk,
        sheet=place.sheet.pk,
        occasion=1,
        slot=slot.pk,
        state="claimed",
        lease=None,
        lease_minutes=60,
        status="open",
    )
    done = Writing(read, changes=[], earlier=[], done=True, lease=None, now=clock.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Slot.objects.filter(pk=slot.pk).delete()
        write(done)
    assert not SlotEvent.objects.filter(kind=SlotEvent.Kind.DONE).exists()


def test_a_scale_that_is_not_required_may_stay_without_an_answer(long_way):
    place = Place()
    loose = place.campaign.scales.all()[1]
    place.campaign.scales.filter(pk=loose.pk).update(required=False)
    sent = place.answers(2)
    place.whole(sent)
    cleared = [one for one in place.answers(None, base=1) if one["scale"] == str(loose.key)]
    assert place.whole(cleared, state="done").json()["state"] == "done"
    told = Judgment.objects.order_by("scale_id").values_list("value", "status").distinct()
    assert set(told) == {(2, "counted"), (None, "draft")}
    assert long_way == []


def test_a_save_renews_a_lease_that_is_half_over(long_way):
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


numbers = itertools.count(1)
ONE = st.tuples(
    st.integers(0, 3),
    st.sampled_from([None, 1.0, 4.0, 5.0, 9.0]),
    st.sampled_from([-1, 0, 0, 0, 0]),
)
REQUEST = st.tuples(st.lists(ONE, max_size=5), st.booleans())


@pytest.mark.slow
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests=st.lists(REQUEST, min_size=1, max_size=4))
@example(
    requests=[
        ([(0, None, -1), (1, 5.0, -1), (0, 1.0, -1), (0, None, -1), (0, None, -1)], False),
        ([], False),
        ([(0, None, 0), (3, 4.0, -1)], False),
    ]
)
def test_any_requests_leave_the_same_by_both_ways(monkeypatch, rows_by_hand, requests):
    """Answers in any order and number, right and wrong, sheets handed in or not."""
    # Where it fails, it tries hundreds of campaigns.
    monkeypatch.setattr(site, "CAMPAIGNS_PER_USER", 10**6)

    def told_by(place):
        versions = dict.fromkeys(range(4), 0)
        told = []
        for answers, done in requests:
            sent, places = [], place.answers()
            for number, value, behind in answers:
                base = max(0, versions[number] + behind)
                sent.append({**places[number], "value": value, "base_version": base})
                sent[-1]["id"] = str(uuid4())
            answer = place.whole(sent, state="done" if done else "claimed")
            assert answer.status_code == 200
            data = answer.json()
            for (number, _value, _behind), one in zip(answers, data["answers"], strict=True):
                versions[number] = one.get("version", versions[number])
                told.append((one.get("code"), one.get("value"), one.get("version")))
            told.append((data["state"], data.get("code"), len(data.get("missing", []))))
        return told

    def outcome():
        told = []
        slug = f"way-{next(numbers)}"
        return told, written_by(slug, lambda place: told.extend(told_by(place)))

    quick = outcome()
    with monkeypatch.context() as patch:
        patch.setattr(whole_sheet_api, "fast_put", lambda request, sheet: None)
        slow = outcome()
    assert quick == slow
