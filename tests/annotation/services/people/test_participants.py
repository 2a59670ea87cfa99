"""A participant of a panel, and a guest, is an annotator of one campaign: nothing gives them
more."""

import pytest
from django.contrib.auth.models import User

from annotation.access import campaign_get, may_create, rights
from annotation.accounts.external_accounts import outside_connect
from annotation.accounts.login import factor_add, secret_new
from annotation.accounts.tokens import token_make
from annotation.accounts.users import (
    administrator_set,
    creation_set,
    email_set,
    reset_by_admin,
    user_create,
)
from annotation.campaigns.copying import members_copy
from annotation.errors import Invalid, NotAllowed
from annotation.models import ApiToken, Invitation, Membership
from annotation.panels.participation import panel_enter
from annotation.people.guests import guest_join
from annotation.people.membership import (
    NameTaken,
    invitation_accept,
    invitation_create,
    membership_set,
    sign_up,
)
from scoring.shared_tasks.models import SharedTask, TeamMember
from scoring.shared_tasks.tasks import team_add, team_join
from tests.annotation.services.accounts.test_second_factor import code_of
from tests.annotation.services.people.test_entering import make_panel
from tests.factories import make_annotator, make_campaign


@pytest.fixture
def panel():
    return make_panel()


def guest_in(campaign):
    _row, token = invitation_create(campaign=campaign, actor=None, name_only=True)
    return guest_join(token=token, name="Gil")[0].annotator.user


@pytest.fixture(params=["panel", "name"])
def person(panel, request):
    if request.param == "name":
        return guest_in(panel.campaign)
    return panel_enter(panel=panel, platform_id="one").annotator.user


def invited(user, role, campaign):
    _row, token = invitation_create(campaign=campaign, actor=None, role=role)
    invitation_accept(token=token, user=user)


def teamed(user):
    campaign = make_campaign("task", cast=False)
    task = SharedTask.objects.create(slug="task", title="Task", campaign=campaign, seed=1)
    _team, token = team_add(task=task, name="kite", actor=None)
    team_join(token=token, user=user)


def factored(user):
    secret = secret_new()
    factor_add(user=user, secret=secret, code=code_of(secret))


def role_of(role):
    return lambda user: membership_set(
        campaign=user.annotators.get().campaign, user=user, role=role, actor=None
    )


GRANTS = {
    "owner here": role_of("owner"),
    "viewer here": role_of("viewer"),
    "researcher by invitation": lambda user: invited(user, "researcher", make_campaign("other")),
    "annotator elsewhere": lambda user: invited(user, "annotator", make_campaign("other")),
    "annotator elsewhere, set": lambda user: membership_set(
        campaign=make_campaign("other"), user=user, role="annotator", actor=None
    ),
    "team": teamed,
    "token": lambda user: token_make(user=user),
    "second factor": factored,
    "single sign-on": lambda user: outside_connect(user=user, subject="s", label="Kim"),
    "administrator": lambda user: administrator_set(user=user, on=True, actor=None),
    "right to create": lambda user: creation_set(user=user, on=True, actor=None),
    "password": lambda user: reset_by_admin(
        user=user, by_mail=False, link_of=lambda *_: "", actor=None
    ),
    "e-mail": lambda user: email_set(user=user, email="a@example.org", actor=None),
}


@pytest.mark.parametrize("what", GRANTS)
def test_nothing_is_granted_to_a_participant(person, what, settings):
    settings.OIDC_ISSUER = "https://id.example.org"
    with pytest.raises(NotAllowed) as refusal:
        GRANTS[what](person)
    assert "link of a study" in refusal.value.message
    person.refresh_from_db()
    assert [one.role for one in Membership.objects.filter(user=person)] == ["annotator"]
    assert not (ApiToken.objects.exists() or TeamMember.objects.exists() or person.email)
    assert not Invitation.objects.filter(uses__gt=0, name_only=False).exists()
    assert not person.is_superuser and not person.user_permissions.exists()


def test_they_are_annotators_or_no_members_here_and_stay_so_whatever_is_stored(
    person, panel, settings
):
    settings.EVERYBODY_CREATES = True
    campaign = panel.campaign
    for role in ("annotator", None, "annotator"):
        membership_set(campaign=campaign, user=person, role=role, actor=None)
    Membership.objects.filter(user=person).update(role="owner")
    User.objects.filter(pk=person.pk).update(is_superuser=True)
    person = User.objects.get(pk=person.pk)
    granted = rights(user=person, campaign=campaign)
    assert granted.annotate and not (granted.read or granted.research or granted.own)
    with pytest.raises(NotAllowed):
        campaign_get(user=person, slug=campaign.slug, right="read")
    assert not may_create(user=person)
    Membership.objects.filter(user=person).update(role="annotator")


def test_a_copy_of_the_campaign_has_no_participants(person, panel):
    make_annotator(panel.campaign, "bob")
    copy = make_campaign("copy", cast=False)
    come = panel.campaign.memberships.exclude(role="owner")
    members_copy(source=panel.campaign, copy=copy, members=come)
    assert [one.user.username for one in copy.annotators.all()] == ["bob"]
    assert not copy.memberships.filter(user=person).exists()


def test_no_account_gets_a_name_of_their_kind(person, panel):
    _row, token = invitation_create(campaign=panel.campaign, actor=None)
    for name in ("Panel-" + "0a" * 8, "guest-" + "0b" * 8):
        with pytest.raises(NameTaken):
            sign_up(token=token, username=name, password="a-long-one-9")
        with pytest.raises(Invalid, match="taken"):
            user_create(name=name, email="", actor=None)
    sign_up(token=token, username="panel-jane", password="a-long-one-9")
