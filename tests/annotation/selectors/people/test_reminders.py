"""Nobody is due while a campaign is not open."""

from datetime import timedelta

from annotation.campaigns.services import campaign_pause
from annotation.models import Invitation
from annotation.people.annotators import invitations_due, reminder_rule_of
from annotation.people.background import reminders_set
from annotation.people.membership import invitation_create
from paraanno import clock


def test_who_is_due(campaign):
    assert reminder_rule_of(campaign=campaign) is None
    reminders_set(campaign=campaign, days=2, at_most=1, site="https://a", actor=None)
    invitation, _token = invitation_create(campaign=campaign, actor=None, email="a@example.org")
    later = clock.now() + timedelta(days=3)

    def due():
        return invitations_due(rule=reminder_rule_of(campaign=campaign), now=later)

    assert due() == []  # The link was never sent.
    Invitation.objects.filter(pk=invitation.pk).update(sent_at=clock.now())
    assert due() == [invitation]
    campaign_pause(campaign=campaign, actor=None)
    assert due() == []
