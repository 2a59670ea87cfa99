"""Alarms are sent once on each way, signed, and without anything that names texts or people."""

import hashlib
import hmac
import json

import pytest

from annotation.board import alarms
from annotation.board.alarms import TRIES, alarm_write, alarms_send
from annotation.models import BoardAlarm, BoardWatch
from paraanno import clock
from paraanno.public_web import NoAnswer, NotPublic
from tests.factories import make_annotator, make_campaign
from tests.letters import sent

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
