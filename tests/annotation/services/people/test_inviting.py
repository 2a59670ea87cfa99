"""Many people are invited at once, all or none, by links or by e-mail, and reminded."""

from datetime import timedelta

import pytest
from django.core import mail

from annotation.errors import Invalid, NotFound
from annotation.importers.gold import InvitedPerson
from annotation.models import Invitation
from annotation.people.membership import invitation_accept, invite_many, remind
from tests.factories import make_user
from tests.letters import sent


def person(name, group="", **fields):
    given = {"email": f"{name}@example.org", "role": "annotator", **fields}
    return InvitedPerson(1, name, group=group, **given)


def invite(campaign, *people, by_mail=True):
    """The links are the tokens."""
    return invite_many(
        campaign=campaign,
        people=people,
        valid_for=timedelta(days=30),
        by_mail=by_mail,
        link_of=str,
        actor=None,
    )


def test_each_link_goes_to_its_address_and_leads_into_its_group(campaign):
    bob, ben = invite(campaign, person("bob", "Experts"), person("ben"))
    assert bob.by_mail and mail.outbox == []
    assert [letter.to for letter in sent()] == [["bob@example.org"], ["ben@example.org"]]
    assert bob.link in mail.outbox[0].body
    member = invitation_accept(token=bob.link, user=make_user("zoe"))
    assert campaign.annotators.get(user=member.user).group.name == "Experts"
    # Who has not come is reminded by a new link.
    [again] = remind(campaign=campaign, link_of=str, actor=None)
    assert again.invitation.email == "ben@example.org"
    assert remind(campaign=campaign, link_of=str, actor=None) == []  # Its letter waits.
    assert len(sent()) == 3 and again.link in mail.outbox[2].body
    with pytest.raises(NotFound):
        invitation_accept(token=ben.link, user=make_user("ben"))
    invitation_accept(token=again.link, user=make_user("ben"))


@pytest.mark.parametrize("people", [(), (person("bob"), person("ben", email=""))])
def test_nobody_is_invited_where_somebody_cannot_be(campaign, people):
    with pytest.raises(Invalid):
        invite(campaign, *people)
    assert not Invitation.objects.exists()
