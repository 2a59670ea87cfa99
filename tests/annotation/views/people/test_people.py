"""The page of members: invitations, roles and exclusions."""

from __future__ import annotations

import re

import pytest

from annotation.models import Campaign, Exclusion, Invitation, Membership
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_annotator, make_user

pytestmark = pytest.mark.django_db
PEOPLE = "/c/camp/people/"
INVITE = {"role": "annotator", "days": "3", "max_uses": "2", "note": "For Eve"}


def test_an_invitation_link_is_shown_once_and_works_until_it_is_revoked(campaign: Campaign) -> None:
    dora = client_of("dora")
    page = dora.post(f"{PEOPLE}invite/", INVITE)
    [link] = re.findall('id="link">([^<]+)<', page.content.decode())
    listed = dora.get(PEOPLE)
    assert "For Eve" in text_of(listed) and link not in listed.content.decode()
    assert client_of("eve").post(link).status_code == 302
    made = Invitation.objects.get()
    assert (made.uses, made.max_uses) == (1, 2)
    page = dora.post(f"/c/camp/invitations/{made.key}/revoke/", follow=True)
    assert "The link no longer works" in messages_of(page)[0]
    assert client_of("fay").post(link).status_code == 404
    assert Membership.objects.filter(user=make_user("eve")).exists()


@pytest.mark.parametrize("change", [{"role": "owner"}, {"days": "0"}, {"max_uses": "x"}])
def test_a_wrong_invitation_comes_back_and_makes_nothing(
    campaign: Campaign, change: dict[str, str]
) -> None:
    page = client_of("dora").post(f"{PEOPLE}invite/", {**INVITE, **change})
    assert page.status_code == 422 and 'id="link"' not in page.content.decode()
    assert not Invitation.objects.exists()


def test_owners_set_roles_and_one_owner_stays(campaign: Campaign) -> None:
    def give(name: str, user: str, role: str) -> tuple[int, str | None, list[str]]:
        address = f"{PEOPLE}{make_user(user).pk}/role/"
        answer = client_of(name).post(address, {"role": role}, follow=True)
        member = Membership.objects.filter(campaign=campaign, user=make_user(user)).first()
        said = messages_of(answer) if answer.redirect_chain else []
        return answer.status_code, member and member.role, said

    assert give("alice", "vera", "researcher") == (200, "researcher", ["The role of vera was set."])
    assert give("alice", "vera", "") == (200, None, ["The role of vera was set."])
    assert give("alice", "bob", "king")[:2] == (400, "annotator")
    assert give("alice", "charlie", "viewer")[:2] == (404, None)
    assert give("dora", "bob", "owner")[:2] == (403, "annotator")
    _, role, said = give("alice", "alice", "viewer")
    assert role == "owner" and "owner" in said[0]


def test_an_owner_who_steps_down_is_led_where_they_may_be(campaign: Campaign) -> None:
    client_of("alice").post(f"{PEOPLE}{make_user('dora').pk}/role/", {"role": "owner"})
    answer = client_of("alice").post(f"{PEOPLE}{make_user('alice').pk}/role/", {"role": "viewer"})
    assert answer["Location"] == "/"


def test_an_annotator_is_left_out_and_taken_in_again(campaign: Campaign) -> None:
    bob, dora = make_annotator(campaign), client_of("dora")
    form = {"annotator": str(bob.key), "reason": "in a hurry"}
    assert f"{PEOPLE}?exclude={bob.key}" in dora.get(f"{PEOPLE}{bob.key}/").content.decode()
    chosen = dora.get(PEOPLE, {"exclude": str(bob.key)}).content.decode()
    assert f'<option value="{bob.key}" selected>' in chosen
    page = dora.post(f"{PEOPLE}exclude/", form, follow=True)
    assert "Left out from now on" in messages_of(page)[0] and "in a hurry" in text_of(page)
    again = dora.post(f"{PEOPLE}exclude/", form, follow=True)
    assert "banner error" in again.content.decode() and Exclusion.objects.count() == 1
    lifted = dora.post(f"/c/camp/exclusions/{Exclusion.objects.get().key}/lift/", follow=True)
    assert messages_of(lifted)[0].startswith("Lifted")
    assert Exclusion.objects.get().ends_at is not None
    for wrong in ({**form, "reason": ""}, {**form, "annotator": "nobody"}):
        assert dora.post(f"{PEOPLE}exclude/", wrong).status_code == 422
    assert Exclusion.objects.count() == 1
