"""Entering a panel: the same id is the same annotator; ids, codes and events of the platform."""

import base64
import hashlib
import hmac
import json
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from annotation.accounts import login
from annotation.accounts.login import entry_count
from annotation.board.queries import board_annotators
from annotation.collecting.claiming import PartOver
from annotation.errors import Conflict, Invalid, NotAllowed, TooManyFailures
from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Participant,
    PartOutcome,
    PlatformEvent,
    Slot,
)
from annotation.panels.participation import (
    ended_by_hand,
    event_take,
    ids_erase,
    panel_enter,
    part_end,
    signature_of,
)
from annotation.panels.queries import panels_of
from annotation.panels.services import (
    LONGEST_ID,
    id_fits,
    panel_close,
    panel_create,
    panel_update,
    pattern_problem,
)
from annotation.people.annotators import part_ended
from paraanno import clock
from tests.annotation.claimed import offer
from tests.annotation.crowd import enter, make_panel
from tests.annotation.together import together, unforeseen
from tests.clients import client_of, text_of
from tests.factories import close_campaign, make_campaign, rate_all


@pytest.mark.django_db(transaction=True)
def test_an_id_that_enters_many_times_at_once_is_one_annotator():
    panel = make_panel(max_participants=3)
    names = ["one", "two", "three", "four"] * 4
    assert unforeseen(together([lambda n=n: enter(panel, n) for n in names])) == []
    assert Participant.objects.count() == Annotator.objects.count() == 4
    assert Participant.objects.filter(quota=2, outcome="").count() == 3
    assert Participant.objects.filter(quota=0, outcome="quota_full").count() == 1


@pytest.mark.django_db(transaction=True)
def test_claims_of_one_person_at_once_stay_within_the_quota():
    part = enter(make_panel())
    sheets = set()
    for _ in range(3):
        claims = together([lambda beside=tuple(sheets): offer(part.annotator, *beside)] * 6)
        assert unforeseen(claims) == []
        sheets |= {one for one in claims if hasattr(one, "key")}
    assert len(sheets) == 2


def test_a_person_is_a_login_without_password_whose_name_tells_nothing():
    part = enter(make_panel(), "5f1e", submission_id="sub-1")
    user = part.annotator.user
    assert not user.has_usable_password()
    assert part.annotator.origin == "participant"
    assert "5f1e" not in user.username + part.annotator.code
    for entry in AuditEntry.objects.all():
        assert "5f1e" not in f"{entry.data}{entry.about}{entry.object_id}"
    again = enter(part.panel, " 5f1e ", submission_id="sub-2")
    assert (again.pk, again.submission_id) == (part.pk, "sub-2")
    assert User.objects.filter(username__startswith="panel-").count() == 1


def test_ids_off_the_pattern_are_refused():
    panel = make_panel(id_pattern="[0-9a-f]{4}")
    for wrong in ("", "5f1", "5f1g", "{{%PROLIFIC_PID%}}"):
        with pytest.raises(Invalid):
            enter(panel, wrong)
    assert not Participant.objects.exists()


def test_a_seat_that_becomes_free_is_given_to_who_comes_again():
    panel = make_panel(max_participants=1)
    enter(panel)
    second = enter(panel, "two")
    assert second.outcome == "quota_full"
    with pytest.raises(PartOver):
        offer(second.annotator)
    panel_update(panel=panel, actor=None, max_participants=2)
    second = enter(panel, "two")
    assert (second.outcome, second.quota) == ("", 2)
    assert offer(second.annotator) is not None


def test_who_enters_a_second_panel_is_the_same_annotator_with_new_sheets():
    part = enter(make_panel())
    for _ in range(2):
        rate_all(part.annotator, at_most=1)
    more = panel_create(campaign=part.panel.campaign, actor=None, name="B", sheets_per_person=1)
    second = enter(more)
    assert (second.annotator_id, second.sheets_before) == (part.annotator_id, 2)
    part.refresh_from_db()
    assert part.outcome == "complete"
    rate_all(second.annotator, at_most=1)
    with pytest.raises(PartOver) as over:
        offer(second.annotator)
    assert over.value.code == "complete"


def test_a_closed_panel_has_no_seats_and_an_erased_one_lets_nobody_in():
    panel = make_panel()
    enter(panel, submission_id="s")
    panel = panel_close(panel=panel, closed=True, actor=None)
    assert enter(panel, "two").outcome == "quota_full"
    assert ids_erase(panel=panel, now=clock.now(), actor=None) == 2
    assert set(Participant.objects.values_list("platform_id", "submission_id")) == {("", "")}
    with pytest.raises(Conflict):
        enter(panel)


def test_a_closed_campaign_is_full():
    panel = make_panel()
    close_campaign(panel.campaign)
    assert enter(panel).outcome == "quota_full"


def test_entries_have_a_count_of_their_own(monkeypatch):
    monkeypatch.setattr(login, "ENTRIES_PER_ADDRESS", 3)
    monkeypatch.setattr(login.time, "time", lambda: 1_000_000.0)
    for address in ("198.51.100.7",) * 3 + ("198.51.100.8",):
        entry_count(address=address)
    with pytest.raises(TooManyFailures):
        entry_count(address="198.51.100.7")


@pytest.mark.parametrize(
    ("taken", "patterns"),
    [
        (True, ["[0-9a-f]{24}", "A[A-Z0-9]+", r"\d{1,5}|x", "^(P|Q)[0-9]*$", r"[\]\-a]+"]),
        (False, ["(a+)+", "[a-", "(a|b)*", r"(a)\1", "(?=a)b", "a*a*a*a*b"]),
    ],
    ids=["of platforms", "broken, or could take long"],
)
def test_patterns(taken, patterns):
    for pattern in patterns:
        assert (pattern_problem(pattern) == "") is taken, pattern


def test_the_slowest_pattern_is_quick():
    pattern = "a*a*a*b"
    assert pattern_problem(pattern) == ""
    start = time.process_time()
    assert not id_fits("a" * LONGEST_ID, pattern)
    assert time.process_time() - start < 1


def test_ids_are_visible_characters_and_fit_as_a_whole():
    for text in ("", " ", "a b", "a\n", "a" * (LONGEST_ID + 1), "a\0"):
        assert not id_fits(text, ""), text
    assert id_fits("abc1", "[a-z]+[0-9]")
    assert not id_fits("xabc1", "[b-z]c1")


BACK = "https://example.org/?cc={code}"


@pytest.fixture
def campaign():
    return make_campaign(items=4)


def made(campaign, **fields):
    given = {"name": "P", "sheets_per_person": 2, **fields}
    return panel_create(campaign=campaign, actor=None, **given)


@pytest.mark.parametrize("codes", [{}, {"complete": ""}, {"quota_full": "C2"}])
def test_an_address_with_a_code_needs_that_of_complete(campaign, codes):
    panel = made(campaign, return_url=BACK, codes=codes)
    assert panel.needs_code
    assert "Nobody gets in yet" in text_of(client_of("alice").get(f"/c/camp/panels/{panel.key}/"))
    assert "needs a code" in text_of(client_of("alice").get("/c/camp/panels/"))
    panel = panel_close(panel=panel, closed=True, actor=None)
    with pytest.raises(Conflict):
        panel_close(panel=panel, closed=False, actor=None)
    panel_update(panel=panel, actor=None, codes={"complete": "C1"})
    panel_close(panel=panel, closed=False, actor=None)
    # While nobody came, all may change; who comes then works for nothing, so is not let in.
    panel_update(panel=panel, actor=None, codes=codes)
    assert panel_enter(panel=panel, platform_id="a").quota == 0
    panel_update(panel=panel, actor=None, codes={"complete": "C1"})
    assert panel_enter(panel=panel, platform_id="a").quota == 2
    with pytest.raises(Invalid) as refusal:
        panel_update(panel=panel, actor=None, codes=codes)
    assert list(refusal.value.data["fields"]) == ["codes"]


def test_the_page_names_who_would_get_no_code(campaign):
    panel = made(
        campaign,
        return_url=BACK,
        codes={one: "C" for one in PartOutcome if one not in ("withdrawn", "timed_out")},
    )
    assert panel.without_code == [PartOutcome.WITHDRAWN]  # Without a limit nobody's time is up.
    page = client_of("alice").get(f"/c/camp/panels/{panel.key}/")
    assert "no link back to the platform: Withdrawn." in text_of(page)
    panel_update(panel=panel, actor=None, return_url="https://example.org/", codes={})
    assert panel.without_code == []
    panel_enter(panel=panel, platform_id="a")
    page = client_of("alice").post(
        f"/c/camp/panels/{panel.key}/",
        {"name": "P", "sheets_per_person": 2, "return_url": BACK, "parameter": "PROLIFIC_PID"},
    )
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {"code_complete"}


def test_complete_left_and_working_are_told_apart(campaign):
    panel = made(campaign, minutes=30)
    now = clock.now()
    parts = {name: panel_enter(panel=panel, platform_id=name) for name in "abcd"}
    part_end(part=parts["a"], outcome=PartOutcome.COMPLETE, now=now)
    part_end(part=parts["b"], outcome=PartOutcome.WITHDRAWN, now=now)
    # Their time is up, and they have not come back to be told.
    late = now - timedelta(minutes=31)
    Participant.objects.filter(pk=parts["c"].pk).update(entered_at=late)
    counts = panels_of(campaign_id=campaign.pk).get()
    assert (counts.entered, counts.complete, counts.left, counts.under_way) == (4, 1, 2, 1)
    ended = {one.pk: part_ended(one, now) for one in board_annotators(campaign=campaign)}
    expected = {"a": "complete", "b": "left", "c": "left", "d": ""}
    assert {name: ended[part.annotator_id] for name, part in parts.items()} == expected
    none = made(campaign)
    counts = panels_of(campaign_id=campaign.pk).get(pk=none.pk)
    assert (counts.entered, counts.left, counts.under_way) == (0, 0, 0)


def test_the_made_up_login_is_never_shown(campaign):
    panel = made(campaign)
    campaign.status = Campaign.Status.OPEN
    client = client_of("")
    client.get(f"/p/{panel.token}?PROLIFIC_PID=a1")
    login = Annotator.objects.get(campaign=campaign, origin="participant").user.username
    for path in ("/", "/rate/camp/", "/rate/camp/own/", f"/p/{panel.token}/end"):
        page = client.get(path, follow=True)
        assert page.status_code == 200, path
        assert login not in text_of(page), path
        assert f">{login}<" not in page.content.decode(), path
    assert client.get("/api/v1/me?campaign=camp").json()["username"] == ""


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
