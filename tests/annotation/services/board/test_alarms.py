"""Thresholds are checked, and each occurrence of an alarm is sent once on each way."""

import hashlib
import hmac
import json
from datetime import timedelta

import pytest

from annotation.board import alarms
from annotation.board.alarms import (
    REST,
    TRIES,
    alarm_write,
    alarms_keep,
    alarms_send,
    board_look,
    watch_set,
)
from annotation.errors import Invalid
from annotation.models import AuditEntry, BoardAlarm, BoardWatch
from paraanno import clock
from paraanno.public_web import NoAnswer, NotPublic
from tests.annotation.boards import older
from tests.factories import make_annotator, make_campaign, rate_all
from tests.letters import sent

PLAIN = {
    "quiet_hours": 24,
    "fast_seconds": 3.0,
    "agreement_fall": 0.1,
    "expired_times": 2,
    "mail_to": "",
    "webhook_url": "",
}


def put(campaign, **given):
    return watch_set(
        campaign=campaign,
        given=PLAIN | given,
        board_url="https://a.example/c/camp/board/",
        actor=None,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("quiet_hours", 0),
        ("fast_seconds", 0.0),
        ("agreement_fall", 3.0),
        ("expired_times", 0),
        ("mail_to", "nobody"),
        ("mail_to", ", ".join(["a@b.example"] * 6)),
        ("webhook_url", "http://a.example/"),
        ("webhook_url", "https://me@a.example/"),
    ],
)
def test_what_does_not_fit_is_told_by_its_field(campaign, name, value):
    with pytest.raises(Invalid) as refused:
        put(campaign, **{name: value})
    assert list(refused.value.data["fields"]) == [name]
    assert not BoardWatch.objects.exists()


def test_all_can_be_off_and_a_webhook_keeps_its_secret():
    campaign = make_campaign(items=1, cast=False)
    off = put(
        campaign, quiet_hours=None, fast_seconds=None, agreement_fall=None, expired_times=None
    )
    assert off.quiet_hours is None and off.webhook_secret == ""
    one = put(campaign, webhook_url=" https://hook.example/in ", mail_to="a@b.example;c@d.example")
    assert one.webhook_url == "https://hook.example/in" and len(one.webhook_secret) > 30
    assert one.mail_to == "a@b.example, c@d.example"
    assert put(campaign).webhook_secret == one.webhook_secret
    [*_, entry] = AuditEntry.objects.filter(verb="set alarms").order_by("pk")
    assert "hook.example" not in str(entry.data) and "b.example" not in str(entry.data)


def test_an_alarm_begins_once_and_ends_when_it_is_over():
    campaign = make_campaign(items=3, k=1)
    older(campaign, timedelta(hours=25))
    put(campaign, mail_to="a@b.example")
    [begun] = alarms_keep(campaign=campaign, numbers={})
    assert (begun.kind, begun.letters.count(), begun.hook) == ("quiet", 1, "")
    assert alarms_keep(campaign=campaign, numbers={}) == []
    rate_all(make_annotator(campaign), at_most=1)
    assert alarms_keep(campaign=campaign, numbers={}) == []
    row = BoardAlarm.objects.get()
    assert row.ended_at is not None

    # Over and back at once is the same occurrence; later it is a new one.
    older(campaign, timedelta(hours=25))
    [back] = alarms_keep(campaign=campaign, numbers={})
    assert back.pk == row.pk
    assert BoardAlarm.objects.get().ended_at is None and row.letters.count() == 1
    BoardAlarm.objects.update(ended_at=row.ended_at - 2 * REST)
    [new] = alarms_keep(campaign=campaign, numbers={})
    assert new.pk != row.pk and new.letters.count() == 1


def test_a_look_computes_keeps_and_writes():
    campaign = make_campaign(items=2, k=1)
    older(campaign, timedelta(hours=25))
    put(campaign, mail_to="a@b.example")
    for _ in range(3):
        board_look(campaign_pk=campaign.pk)
    assert len(sent()) == 1
    board_look(campaign_pk=0)  # Deleted in the meantime.


URL = "https://hook.example/in"


class Hook:
    """What was posted; `error` is raised instead of an answer."""

    def __init__(self):
        self.posts = []
        self.error = None

    def __call__(self, url, *, body, headers):
        self.posts.append((url, body, headers))
        if self.error is not None:
            raise self.error
        return 200


@pytest.fixture
def hook(monkeypatch):
    found = Hook()
    monkeypatch.setattr(alarms, "post_public", found)
    return found


@pytest.fixture
def alarm():
    campaign = make_campaign(items=1)
    BoardWatch.objects.create(
        campaign=campaign,
        mail_to="a@b.example, c@d.example",
        webhook_url=URL,
        webhook_secret="s3",
        board_url="https://a.example/c/camp/board/",
    )
    annotator = make_annotator(campaign)
    annotator.code = "platform-5f3a"
    annotator.save()
    facts = {"seconds": 1.5, "texts": 12, "least": 3.0, "since": "x", "words": "a judged text"}
    return BoardAlarm.objects.create(
        campaign=campaign,
        kind="fast",
        about=str(annotator.pk),
        annotator=annotator,
        facts=facts,
        began_at=clock.now(),
        hook="waiting",
    )


def test_each_way_is_gone_once(alarm, hook):
    watch = BoardWatch.objects.get()
    watch.language = "ko"
    alarm_write(campaign=alarm.campaign, watch=watch, alarm=alarm)
    assert alarms_send(campaign=alarm.campaign) == 1
    assert alarms_send(campaign=alarm.campaign) == 0
    alarm.refresh_from_db()
    assert (alarm.hook, alarm.hook_tries) == ("sent", 1)
    letter, second = sent()
    assert letter.to == ["a@b.example"] and second.to == ["c@d.example"]
    assert "/c/camp/board/" in letter.body and "캠페인" in letter.body
    [(url, body, headers)] = hook.posts
    signed = headers["X-Paraanno-Timestamp"].encode() + b"." + body
    right = hmac.new(b"s3", signed, hashlib.sha256).hexdigest()
    assert url == URL and headers["X-Paraanno-Signature"] == f"sha256={right}"
    assert abs(int(headers["X-Paraanno-Timestamp"]) - clock.now().timestamp()) < 60
    assert json.loads(body) == {
        "id": str(alarm.key),
        "kind": "fast",
        "campaign": "camp",
        "began_at": alarm.began_at.isoformat(),
        "numbers": {"seconds": 1.5, "least": 3.0, "texts": 12},
    }
    for words in (letter.subject + letter.body, body.decode()):
        assert "platform-5f3a" not in words and "judged text" not in words


@pytest.mark.parametrize("error", [NoAnswer("HTTP 302"), NotPublic("private")])
def test_what_fails_is_tried_again_and_then_left(alarm, hook, error):
    hook.error = error
    for _ in range(TRIES + 2):
        alarms_send(campaign=alarm.campaign)
    alarm.refresh_from_db()
    assert len(hook.posts) == TRIES and alarm.hook == "failed"
    assert {json.loads(body)["id"] for _url, body, _headers in hook.posts} == {str(alarm.key)}


def test_two_processes_at_once_send_once(alarm, hook, monkeypatch):
    """The second one has read the same rows before the first one claims them."""
    read = alarms._waiting

    def both(campaign):
        rows = read(campaign)
        monkeypatch.setattr(alarms, "_waiting", read)
        alarms_send(campaign=campaign)
        return rows

    monkeypatch.setattr(alarms, "_waiting", both)
    alarms_send(campaign=alarm.campaign)
    assert len(hook.posts) == 1
