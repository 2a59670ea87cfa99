"""Inviting and reminding people, what their roles let them do, and who is not blind."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from annotation.access import ADD_RESOURCES, CREATE_CAMPAIGNS, creation_grant, creator, may_create
from annotation.campaigns.services import campaign_create
from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.importers.gold import InvitedPerson
from annotation.models import Annotator, Campaign, Invitation, Membership, ReminderRule
from annotation.people.background import reminders_send, reminders_set, rules_due
from annotation.people.membership import (
    annotator_for,
    invite_many,
    remind,
)
from paraanno import clock
from tests.annotation.together import together
from tests.factories import (
    close_campaign,
    give_role,
    join,
    make_admin,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
)
from tests.letters import sent


@pytest.mark.django_db(transaction=True)
def test_the_role_changes_while_the_annotator_is_made():
    campaign = make_campaign(items=1, cast=False)
    users = [make_user(f"racer{number}") for number in range(6)]
    for user in users:
        give_role(campaign, user, "annotator")

    def promote(user):
        return give_role(campaign, user, Membership.Role.RESEARCHER)

    annotators = [lambda u=u: annotator_for(campaign=campaign, user=u) for u in users]
    results = together([*annotators, *(lambda u=u: promote(u) for u in users)])
    assert not [one for one in results if isinstance(one, Exception)]
    assert Annotator.objects.filter(campaign=campaign).count() == len(users)


Role = Membership.Role


@pytest.fixture
def bob(campaign):
    return make_annotator(campaign)


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER, Role.VIEWER])
def test_a_role_that_sees_systems_marks_for_good(bob, role, monkeypatch):
    def marked(*roles):
        for one in roles:
            give_role(bob.campaign, bob.user, one)
        bob.refresh_from_db()
        return bob.not_blind_since

    assert marked(Role.ANNOTATOR) is None
    first = marked(role)
    assert first is not None
    later = clock.now() + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert marked(Role.ANNOTATOR, role) == first


def test_an_annotator_becomes_a_site_administrator(bob):
    assert bob.not_blind_since is None
    bob.user.is_superuser = True
    bob.user.save()
    assert annotator_for(campaign=bob.campaign, user=bob.user).not_blind_since is not None
    bob.refresh_from_db()
    assert bob.not_blind_since is not None


BOTH = (CREATE_CAMPAIGNS, ADD_RESOURCES)


def rights_of(name):
    user = User.objects.get(username=name)  # Django keeps what it knows of a user's permissions.
    return [may_create(user=user, what=what) for what in BOTH]


def test_a_login_creates_nothing_until_it_is_granted_the_right(settings):
    bob = make_user("bob")
    assert rights_of("bob") == [False, False]
    with pytest.raises(NotAllowed):
        creator(user=bob)
    creation_grant(user=bob)
    assert rights_of("bob") == [True, True] and creator(user=User.objects.get(pk=bob.pk))
    make_user("ben")
    settings.EVERYBODY_CREATES = True
    assert rights_of("ben") == [True, True]
    make_admin()
    settings.EVERYBODY_CREATES = False
    assert rights_of("adam") == [True, True]


def test_nobody_but_administrators_creates_more_than_the_quota(settings):
    settings.CAMPAIGNS_PER_USER = 2
    bob, ben = make_user("bob"), make_user("ben")
    for slug in ("a", "b"):
        campaign_create(actor=bob, slug=slug)
    with pytest.raises(Invalid, match="2 already"):
        campaign_create(actor=bob, slug="c")
    campaign_create(actor=ben, slug="d")
    for slug in ("e", "f", "g"):
        campaign_create(actor=make_admin(), slug=slug)
    assert Campaign.objects.filter(created_by=bob).count() == 2


def person(name, group="", **fields):
    given = {"email": f"{name}@example.org", "role": "annotator", **fields}
    return InvitedPerson(1, name, group=group, **given)


def invite(campaign, *people):
    """The links are the tokens."""
    return invite_many(
        campaign=campaign,
        people=people,
        valid_for=timedelta(days=30),
        by_mail=True,
        link_of=str,
        actor=None,
    )


def test_each_link_goes_to_its_address_and_leads_into_its_group(campaign):
    bob, ben = invite(campaign, person("bob", "Experts"), person("ben"))
    assert bob.by_mail and mail.outbox == []
    assert [letter.to for letter in sent()] == [["bob@example.org"], ["ben@example.org"]]
    assert bob.link in mail.outbox[0].body
    member = join(bob.link, make_user("zoe"))
    assert campaign.annotators.get(user=member.user).group.name == "Experts"
    # Who has not come is reminded by a new link.
    [again] = remind(campaign=campaign, link_of=str, actor=None)
    assert again.invitation.email == "ben@example.org"
    assert remind(campaign=campaign, link_of=str, actor=None) == []  # Its letter waits.
    assert len(sent()) == 3 and again.link in mail.outbox[2].body
    with pytest.raises(NotFound):
        join(ben.link, make_user("ben"))
    join(again.link, make_user("ben"))


@pytest.mark.parametrize("people", [(), (person("bob"), person("ben", email=""))])
def test_nobody_is_invited_where_somebody_cannot_be(campaign, people):
    with pytest.raises(Invalid):
        invite(campaign, *people)
    assert not Invitation.objects.exists()


DAY = timedelta(days=1)


@pytest.fixture
def reminding():
    made = make_campaign(items=2, k=1)
    ann, _bea = invite(made, *(person(name) for name in ("ann", "bea")))
    sent()
    join(ann.link, make_user("ann-login"))
    reminders_set(campaign=made, days=3, at_most=2, site="https://a.example/", actor=None)
    return made


def emailed(campaign, days):
    """To whom e-mails go when this many days have passed."""
    mail.outbox.clear()
    rule = ReminderRule.objects.get(campaign=campaign)
    count = reminders_send(rule_pk=rule.pk, now=clock.now() + days * DAY)
    assert count == len(sent())
    return [one.to[0].partition("@")[0] for one in mail.outbox]


def test_after_days_without_work_and_not_too_often(reminding):
    assert emailed(reminding, 2) == []
    assert emailed(reminding, 3.1) == ["ann", "bea"]
    assert "https://a.example/rate/camp/" in mail.outbox[0].body
    [link] = re.findall(r"/join/[^/]+/", mail.outbox[1].body)
    assert Client().get(link).status_code == 200
    assert emailed(reminding, 5) == []
    assert emailed(reminding, 6.2) == ["ann", "bea"]
    assert emailed(reminding, 20) == []  # Twice is enough.


def test_only_who_has_work_left_in_an_open_campaign(reminding):
    rate_all(make_annotator(reminding, "ann-login"))
    assert emailed(reminding, 4) == ["bea"]
    close_campaign(reminding)
    assert emailed(reminding, 9) == []


def test_the_link_in_the_mail_stops_it_by_a_button(reminding, client):
    emailed(reminding, 4)
    [address] = re.findall(r"https://a\.example(/mail/\S+)", mail.outbox[1].body)
    assert client.get(address).status_code == 200
    assert Invitation.objects.filter(no_mail_at=None).count() == 2  # Nothing by opening alone.
    assert client.post(address).status_code == 302
    assert b"no more" in client.get(address).content
    assert emailed(reminding, 9) == ["ann"]
    assert client.get(address[:-3] + "x/").status_code == 404


def test_a_rule_is_looked_at_by_one_worker_an_hour(reminding):
    rule = ReminderRule.objects.get(campaign=reminding)
    assert rules_due() == [rule.pk]
    assert rules_due() == []
    assert rules_due(now=clock.now() + timedelta(hours=2)) == [rule.pk]
    with pytest.raises(Invalid):
        reminders_set(campaign=reminding, days=0, at_most=1, site="", actor=None)
    reminders_set(campaign=reminding, days=None, at_most=1, site="", actor=None)
    assert not ReminderRule.objects.exists()
