"""Thresholds are checked; each occurrence of an alarm has one row from its begin to its end."""

from datetime import timedelta

import pytest

from annotation.board.alarms import REST, alarms_keep, board_look, watch_set
from annotation.errors import Invalid
from annotation.models import AuditEntry, BoardAlarm, BoardWatch
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
