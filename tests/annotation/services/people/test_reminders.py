"""People with work left are reminded by themselves, seldom, and not after they said no."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from annotation.campaigns.services import campaign_close
from annotation.errors import Invalid
from annotation.models import Invitation, ReminderRule
from annotation.people.background import reminders_send, reminders_set, rules_due
from annotation.people.membership import invitation_accept
from paraanno import clock
from tests import letters
from tests.annotation.services.people.test_inviting import invite, person
from tests.factories import make_annotator, make_campaign, make_user, rate_all

DAY = timedelta(days=1)


@pytest.fixture
def campaign():
    made = make_campaign(items=2, k=1)
    ann, _bea = invite(made, *(person(name) for name in ("ann", "bea")))
    letters.sent()
    invitation_accept(token=ann.link, user=make_user("ann-login"))
    reminders_set(campaign=made, days=3, at_most=2, site="https://a.example/", actor=None)
    return made


def sent(campaign, days):
    """To whom e-mails go when this many days have passed."""
    mail.outbox.clear()
    rule = ReminderRule.objects.get(campaign=campaign)
    count = reminders_send(rule_pk=rule.pk, now=clock.now() + days * DAY)
    assert count == len(letters.sent())
    return [one.to[0].partition("@")[0] for one in mail.outbox]


def test_after_days_without_work_and_not_too_often(campaign):
    assert sent(campaign, 2) == []
    assert sent(campaign, 3.1) == ["ann", "bea"]
    assert "https://a.example/rate/camp/" in mail.outbox[0].body
    [link] = re.findall(r"/join/[^/]+/", mail.outbox[1].body)
    assert Client().get(link).status_code == 200
    assert sent(campaign, 5) == []
    assert sent(campaign, 6.2) == ["ann", "bea"]
    assert sent(campaign, 20) == []  # Twice is enough.


def test_only_who_has_work_left_in_an_open_campaign(campaign):
    rate_all(make_annotator(campaign, "ann-login"))
    assert sent(campaign, 4) == ["bea"]
    campaign_close(campaign=campaign, actor=None)
    assert sent(campaign, 9) == []


def test_the_link_in_the_mail_stops_it_by_a_button(campaign, client):
    sent(campaign, 4)
    [address] = re.findall(r"https://a\.example(/mail/\S+)", mail.outbox[1].body)
    assert client.get(address).status_code == 200
    assert Invitation.objects.filter(no_mail_at=None).count() == 2  # Nothing by opening alone.
    assert client.post(address).status_code == 302
    assert b"no more" in client.get(address).content
    assert sent(campaign, 9) == ["ann"]
    assert client.get(address[:-3] + "x/").status_code == 404


def test_a_rule_is_looked_at_by_one_worker_an_hour(campaign):
    rule = ReminderRule.objects.get(campaign=campaign)
    assert rules_due() == [rule.pk]
    assert rules_due() == []
    assert rules_due(now=clock.now() + timedelta(hours=2)) == [rule.pk]
    with pytest.raises(Invalid):
        reminders_set(campaign=campaign, days=0, at_most=1, site="", actor=None)
    reminders_set(campaign=campaign, days=None, at_most=1, site="", actor=None)
    assert not ReminderRule.objects.exists()
