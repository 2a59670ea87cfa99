"""Guests: who gives a name alone takes part, comes back by a link, and is nothing else."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.errors import Invalid
from annotation.models import AuditEntry, Guest, Invitation
from annotation.people.exclusions import annotator_withdraw
from annotation.people.joining_views import STAYS, TAKEN
from annotation.people.membership import invitation_create
from tests.clients import client_of, text_of
from tests.factories import make_user


def link_to(campaign, **options):
    _row, token = invitation_create(
        campaign=campaign, actor=make_user("alice"), name_only=True, **options
    )
    return f"/join/{token}/"


def shown_link(answer):
    return re.search(r'id="link">\S+?(/join/[\w-]+/)<', answer.content.decode())[1]


def begin(link, name, client=None):
    client = client or Client()
    return client, client.post(link, {"name": name})


def works(client, campaign):
    return client.get(f"/rate/{campaign.slug}/").status_code == 200


def test_a_link_for_one_person_is_their_way_back_on_every_device(campaign):
    link = link_to(campaign)
    client, answer = begin(link, "  Kim   Min-ji ")
    assert answer["Location"] == "/rate/camp/" and works(client, campaign)
    assert client.session.get_expiry_age() > STAYS.total_seconds() - 60
    guest = Guest.objects.get()
    assert guest.name == "Kim Min-ji" and not guest.annotator.user.has_usable_password()
    assert guest.annotator.code == "A01" and guest.annotator.invitation.uses == 1
    phone = Client()
    assert "Kim Min-ji" in text_of(phone.get(link)) and not works(phone, campaign)
    assert phone.post(link, follow=True).redirect_chain[-1][0] == "/rate/camp/"
    assert Guest.objects.count() == User.objects.filter(username__startswith="guest-").count() == 1
    # Nothing else is open: no account, no other campaign, no home of researchers.
    assert client.get("/accounts/").status_code == 403
    assert client.get("/", follow=True).redirect_chain[-1][0] == "/rate/camp/"
    assert client.get("/c/camp/people/").status_code == 403


def test_one_link_for_all_makes_a_guest_of_each_name_and_shows_each_its_own_link(campaign):
    link = link_to(campaign, max_uses=3)
    first, answer = begin(link, "Ann")
    back = shown_link(answer)
    assert back != link and works(first, campaign)
    taken, refused = begin(link, "ANN")
    assert refused.status_code == 422 and "has this name" in text_of(refused)
    assert not works(taken, campaign)
    _other, answer = begin(link, "Ann B")
    assert shown_link(answer) not in (link, back)
    assert Invitation.objects.get().uses == 2
    again = Client()
    again.post(back)
    assert works(again, campaign) and Guest.objects.count() == 2
    # On the same computer somebody else gives a name, and is somebody else from then on.
    begin(link, "Cho", again)
    assert Guest.objects.get(annotator__user=again.session["_auth_user_id"]).name == "Cho"
    assert begin(link, "Dan")[1].status_code == 404  # The link was for three.


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\u202eb"])
def test_what_is_no_name_is_refused(campaign, name):
    client, answer = begin(link_to(campaign), name)
    assert answer.status_code == 422 and not works(client, campaign)
    assert not Guest.objects.exists()


def test_names_cannot_be_gone_through(campaign):
    link = link_to(campaign, max_uses=5)
    begin(link, "Ann")
    client = Client()
    answers = [begin(link, "Ann", client)[1].status_code for _ in range(TAKEN + 1)]
    assert answers == [422] * TAKEN + [429]


def test_researchers_renew_and_end_links_and_guests_renew_their_own(campaign):
    link = link_to(campaign)
    client, _answer = begin(link, "Ann")
    guest = Guest.objects.get()
    alice, page = client_of("alice"), f"/c/camp/people/guests/{guest.key}/"
    new = shown_link(alice.post(page, {"act": "renew"}))
    assert Client().get(link).status_code == 404 and works(client, campaign)
    own = shown_link(client.post("/me/"))
    assert Client().get(new).status_code == 404 and Client().get(own).status_code == 200
    alice.post(page, {"act": "end"})
    assert Client().post(own).status_code == 404 and not works(client, campaign)
    renewed = shown_link(alice.post(page, {"act": "renew"}))
    begin(renewed, "", client)
    assert works(client, campaign)
    verbs = ["join by name", "renew link back", "renew link back", "end link back"]
    log = AuditEntry.objects.filter(about=guest.annotator.code).order_by("pk")
    assert [entry.verb for entry in log] == [*verbs, "renew link back"]


def test_a_disabled_login_and_one_that_withdrew_do_not_come_back(campaign):
    campaign.allow_erasure = True
    campaign.save()
    link = link_to(campaign)
    client, _answer = begin(link, "Ann")
    user = Guest.objects.get().annotator.user
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert Client().get(link).status_code == 404
    User.objects.filter(pk=user.pk).update(is_active=True)
    annotator_withdraw(annotator=Guest.objects.get().annotator)
    assert "no longer take part" in text_of(client.get("/", follow=True))
    annotator = campaign.annotators.get()
    other = link_to(campaign)
    begin(other, "Bea")
    annotator_withdraw(annotator=campaign.annotators.exclude(pk=annotator.pk).get(), erase=True)
    assert [one.name for one in Guest.objects.all()] == ["Ann"]
    assert Client().get(other).status_code == 404


def test_accounts_and_other_roles_are_as_before(campaign):
    link = link_to(campaign)
    zoe = client_of("zoe")
    assert "Join as zoe" in text_of(zoe.get(link))
    zoe.post(link)
    assert not Guest.objects.exists()
    assert campaign.annotators.get().user.username == "zoe"
    guests, _answer = begin(link_to(campaign), "Ann")
    _row, ordinary = invitation_create(campaign=campaign, actor=None)
    assert guests.get(f"/join/{ordinary}/").status_code == 403
    with pytest.raises(Invalid):
        invitation_create(campaign=campaign, actor=None, role="researcher", name_only=True)
