"""The page of members: invitations, roles and exclusions."""

import re

from annotation.models import Exclusion, Invitation, Membership
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_annotator, make_user

PEOPLE = "/c/camp/people/"
INVITE = {"role": "annotator", "days": "3", "max_uses": "2", "note": "For Eve"}


def test_an_invitation_link_is_shown_once_and_works_until_it_is_revoked(campaign):
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
    assert dora.post(f"{PEOPLE}invite/", {**INVITE, "role": "owner"}).status_code == 422
    assert Invitation.objects.get() == made


def test_owners_set_roles_and_one_owner_stays(campaign):
    def give(user, role):
        address = f"{PEOPLE}{make_user(user).pk}/role/"
        answer = client_of("alice").post(address, {"role": role}, follow=True)
        member = campaign.memberships.filter(user=make_user(user)).first()
        said = messages_of(answer) if answer.redirect_chain else []
        return answer.status_code, member and member.role, said

    assert give("vera", "researcher") == (200, "researcher", ["The role of vera was set."])
    assert give("vera", "") == (200, None, ["The role of vera was set."])
    assert give("bob", "king")[:2] == (400, "annotator")
    assert give("charlie", "viewer")[:2] == (404, None)
    _, role, [refusal] = give("alice", "viewer")
    assert role == "owner" and "owner" in refusal
    # Who steps down is led where they may be.
    give("dora", "owner")
    answer = client_of("alice").post(f"{PEOPLE}{make_user('alice').pk}/role/", {"role": "viewer"})
    assert answer["Location"] == "/"


def test_an_annotator_is_left_out_and_taken_in_again(campaign):
    dora = client_of("dora")
    assert "exclude/" not in dora.get(PEOPLE).content.decode(), "there is nobody yet"
    bob = make_annotator(campaign)
    form = {"annotator": str(bob.key), "reason": "in a hurry"}
    link = f"{PEOPLE}?exclude={bob.key}"
    assert link in dora.get(f"{PEOPLE}{bob.key}/").content.decode()
    assert f'<option value="{bob.key}" selected>' in dora.get(link).content.decode()
    page = dora.post(f"{PEOPLE}exclude/", form, follow=True)
    assert "Left out from now on" in messages_of(page)[0] and "in a hurry" in text_of(page)
    again = dora.post(f"{PEOPLE}exclude/", form, follow=True)
    assert "banner error" in again.content.decode() and Exclusion.objects.count() == 1
    lifted = dora.post(f"/c/camp/exclusions/{Exclusion.objects.get().key}/lift/", follow=True)
    assert messages_of(lifted)[0].startswith("Lifted")
    assert Exclusion.objects.get().ends_at is not None
    assert dora.post(f"{PEOPLE}exclude/", {**form, "reason": ""}).status_code == 422
