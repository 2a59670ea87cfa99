"""Roles that change while annotators are made."""

import pytest

from annotation.models import Annotator, Membership
from annotation.people.membership import annotator_for, membership_set
from tests.annotation.services.together import together
from tests.factories import make_campaign, make_user


@pytest.mark.django_db(transaction=True)
def test_the_role_changes_while_the_annotator_is_made():
    campaign = make_campaign(items=1, cast=False)
    users = [make_user(f"racer{number}") for number in range(6)]
    for user in users:
        membership_set(campaign=campaign, user=user, role="annotator", actor=None)

    def promote(user):
        return membership_set(
            campaign=campaign, user=user, role=Membership.Role.RESEARCHER, actor=None
        )

    annotators = [lambda u=u: annotator_for(campaign=campaign, user=u) for u in users]
    results = together([*annotators, *(lambda u=u: promote(u) for u in users)])
    assert not [one for one in results if isinstance(one, Exception)]
    assert Annotator.objects.filter(campaign=campaign).count() == len(users)
