"""Annotators, exclusions and invitations as JSON: nothing that others must not read."""

from annotation.people.api import AnnotatorOut, InvitationIn, InvitationOut
from annotation.people.membership import invitation_create
from tests.factories import make_user


def test_answers_of_an_annotator_stand_under_short_names(answered):
    shown = {one.code: AnnotatorOut(one).data for one in answered.annotators.order_by("pk")}
    assert [one["background"] for one in shown.values()] == [
        {"age": 40, "speaks": ["Czech", "Dutch"], "else": None},
        {"age": None, "speaks": ["Dutch"], "else": None},
        {},
    ]
    assert "bob" not in str(shown)


def test_the_secret_of_an_invitation_is_not_shown(campaign):
    invitation, token = invitation_create(campaign=campaign, actor=make_user("alice"))
    shown = str(InvitationOut(invitation).data)
    assert token not in shown and invitation.token_hash not in shown


def test_nobody_is_invited_as_an_owner_or_for_ever():
    asked = InvitationIn(data={})
    assert asked.is_valid() and asked.validated_data["role"] == "annotator"
    for wrong in ({"role": "owner"}, {"days": 0}, {"days": 366}, {"max_uses": 0}):
        assert not InvitationIn(data=wrong).is_valid()
