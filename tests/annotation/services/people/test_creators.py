"""Who may create campaigns and add files, and how many."""

import pytest
from django.contrib.auth.models import User

from annotation.access import ADD_RESOURCES, CREATE_CAMPAIGNS, creation_grant, creator, may_create
from annotation.campaigns.services import campaign_create
from annotation.errors import Invalid, NotAllowed
from annotation.models import Campaign
from tests.factories import make_admin, make_user

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
