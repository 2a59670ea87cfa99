"""Events act once, and only with a right signature and a fresh time."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta

import pytest

from annotation.errors import Invalid, NotAllowed
from annotation.models import PlatformEvent, Slot
from annotation.panels.participation import ended_by_hand, event_take, signature_of
from paraanno import clock
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.people.test_entering import enter, make_panel


@pytest.fixture
def part():
    part = enter(make_panel(), submission_id="sub-1")
    offer(part.annotator)
    return part


def stamp_now(minutes=0):
    return str(int((clock.now() + timedelta(minutes=minutes)).timestamp()))


def take(
    part,
    *,
    body=None,
    stamp="",
    minutes=0,
    event_id="e1",
    secret="",
    **others,
):
    content = json.dumps(body or {"status": "RETURNED", "participant_id": "one"}).encode()
    stamp = stamp or stamp_now(minutes)
    signature = signature_of(
        secret=secret or part.panel.event_secret, timestamp=stamp, body=content
    )
    given = {"timestamp": stamp, "signature": signature, **others}
    return event_take(panel=part.panel, body=content, event_id=event_id, **given)


def test_the_signature_is_the_platforms():
    digest = hmac.new(b"secret", b'1700000000{"a":1}', hashlib.sha256).digest()
    made = signature_of(secret="secret", timestamp="1700000000", body=b'{"a":1}')
    assert made == base64.b64encode(digest).decode()


def test_an_event_acts_once_also_under_another_id(part):
    stamp = stamp_now()
    assert take(part, stamp=stamp) == "taken"
    assert not Slot.objects.filter(state="claimed").exists()
    assert take(part, minutes=1) == "known"
    assert take(part, stamp=stamp, event_id="e2") == "known"
    assert PlatformEvent.objects.count() == 1
    part.refresh_from_db()
    assert part.outcome == "withdrawn"


@pytest.mark.parametrize(
    "wrong",
    [
        {"signature": "AAAA"},
        {"signature": "é"},
        {"timestamp": "soon"},
        {"timestamp": "²"},
        {"minutes": -6},
        {"minutes": 6},
        {"secret": "of another panel"},
    ],
)
def test_forged_old_and_future_events_do_nothing(part, wrong):
    with pytest.raises(NotAllowed):
        take(part, **wrong)
    assert Slot.objects.filter(state="claimed").exists()
    assert not PlatformEvent.objects.exists()


@pytest.mark.parametrize(
    ("body", "state", "outcome"),
    [
        ({"status": "TIMED-OUT", "participant_id": "one"}, "taken", "timed_out"),
        ({"status": "TIMED_OUT", "resource_id": "sub-1"}, "taken", "timed_out"),
        ({"status": "RETURNED", "participant_id": "somebody"}, "ignored", ""),
        ({"status": "APPROVED", "participant_id": "one"}, "ignored", ""),
        ({"status": None, "participant_id": ["one"]}, "ignored", ""),
    ],
)
def test_what_events_do(part, body, state, outcome):
    assert take(part, body=body) == state
    part.refresh_from_db()
    assert part.outcome == outcome
    # The sheet that they were judging is free at once.
    assert Slot.objects.filter(state="claimed").exists() is (outcome == "")


def test_a_body_that_is_no_object_is_refused(part):
    with pytest.raises(Invalid):
        take(part, body=[1])


def test_ids_by_hand_end_parts_once(part):
    def by_hand(*ids, outcome):
        done = ended_by_hand(panel=part.panel, ids=ids, outcome=outcome, actor=None)
        return done.ended, done.before, done.unknown

    assert by_hand("one", " one ", "nobody", "", outcome="timed_out") == (1, 0, ("nobody",))
    assert by_hand("one", outcome="withdrawn") == (0, 1, ())
    with pytest.raises(Invalid):
        by_hand("one", outcome="complete")
