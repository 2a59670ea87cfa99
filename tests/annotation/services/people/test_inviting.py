"""Many people are invited at once, all or none, by links or by e-mail, and reminded."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from annotation.errors import Invalid, NotFound
from annotation.importers.people import InvitedPerson
from annotation.models import Campaign, Invitation
from annotation.services.people.inviting import Invited, invite_many, remind
from annotation.services.people.membership import invitation_accept
from tests.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db
BOB = InvitedPerson(1, "Bob", "bob@example.org", "annotator", "Experts")
BEN = InvitedPerson(2, "Ben", "ben@example.org", "annotator", "")


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=1, cast=False)


def invite(campaign: Campaign, *people: InvitedPerson, by_mail: bool = True) -> list[Invited]:
    return invite_many(
        campaign=campaign, people=people, valid_for=timedelta(days=3), by_mail=by_mail,
        link_of=lambda token: f"https://example.org/join/{token}/", actor=None,
    )  # fmt: skip


def test_each_link_goes_to_its_address_and_leads_into_its_group(campaign: Campaign) -> None:
    invited = invite(campaign, BOB, BEN)
    assert [one.sent for one in invited] == [True, True]
    assert [message.to for message in mail.outbox] == [[BOB.email], [BEN.email]]
    assert invited[0].link in mail.outbox[0].body
    token = invited[0].link.split("/")[-2]
    member = invitation_accept(token=token, user=make_user("bob"))
    annotator = campaign.annotators.get(user=member.user)
    assert annotator.group is not None and annotator.group.name == "Experts"


def test_links_alone_are_not_sent(campaign: Campaign) -> None:
    invited = invite(campaign, InvitedPerson(1, "Bob", "", "viewer", ""), by_mail=False)
    assert [one.sent for one in invited] == [False]
    assert mail.outbox == []


@pytest.mark.parametrize("people", [(), (BOB, InvitedPerson(2, "Ben", "", "annotator", ""))])
def test_nobody_is_invited_where_somebody_cannot_be(
    campaign: Campaign, people: tuple[InvitedPerson, ...]
) -> None:
    with pytest.raises(Invalid):
        invite(campaign, *people)
    assert not Invitation.objects.exists()


def test_who_has_not_come_is_reminded_by_a_new_link(campaign: Campaign) -> None:
    invited = invite(campaign, BOB, BEN)
    tokens = [one.link.split("/")[-2] for one in invited]
    invitation_accept(token=tokens[0], user=make_user("bob"))
    [again] = remind(campaign=campaign, link_of=str, actor=None)
    assert again.invitation.email == BEN.email
    assert len(mail.outbox) == 3 and again.link in mail.outbox[2].body
    with pytest.raises(NotFound):
        invitation_accept(token=tokens[1], user=make_user("ben"))
    invitation_accept(token=again.link, user=make_user("ben"))


def test_what_cannot_be_sent_is_said(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    invited = invite(campaign, BOB)
    assert [one.sent for one in invited] == [False]
    assert Invitation.objects.get().sent_at is None
