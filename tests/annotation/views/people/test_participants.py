"""Participants and guests: their links open one study, and leave accounts alone."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.errors import Invalid
from annotation.models import AuditEntry, Guest, Invitation, Membership, Participant
from annotation.people.exclusions import annotator_withdraw
from annotation.people.membership import invitation_create
from annotation.people.membership_views import STAYS, TAKEN
from tests.annotation.crowd import NearBrowser, Person, make_panel
from tests.clients import client_of, text_of
from tests.factories import make_admin, make_campaign, make_user


@pytest.fixture
def panel():
    return make_panel()


@pytest.fixture
def person(panel):
    one = Person("one", f"/p/{panel.token}", panel.campaign.slug, NearBrowser())
    one.enter()
    return one


@pytest.mark.parametrize("who", ["owner", "admin", "stranger"])
@pytest.mark.parametrize("where", ["?PROLIFIC_PID=me", "", "/end"])
def test_whoever_has_an_account_keeps_it_and_enters_nothing(panel, who, where):
    user = make_admin() if who == "admin" else make_user("zoe")
    if who == "owner":
        Membership.objects.create(campaign=panel.campaign, user=user, role="owner")
    client = Client()
    client.force_login(user)
    before = client.cookies["sessionid"].value
    page = client.get(f"/p/{panel.token}{where}")
    said = text_of(page)
    assert page.status_code == 200 and f"You are {user.username}" in said
    assert "private window" in said and f"http://testserver/p/{panel.token}" in said
    preview = "/c/camp/preview/"
    assert (preview in page.content.decode()) == (who != "stranger")
    assert client.get(preview).status_code == (404 if who == "stranger" else 200)
    assert client.cookies["sessionid"].value == before
    assert client.get("/accounts/").status_code == 200
    assert not Participant.objects.exists()


def test_who_logs_out_of_an_account_there_comes_back_to_the_link_and_enters(panel):
    client = Client()
    client.force_login(make_user("zoe"))
    address = f"/p/{panel.token}?PROLIFIC_PID=me"
    page = client.get(address)
    assert f'name="next" value="{address}"' in page.content.decode()
    assert client.post("/accounts/logout/", {"next": address}).headers["Location"] == address
    assert client.get(address).headers["Location"] == "/rate/camp/"
    assert Participant.objects.get().platform_id == "me"


def test_a_participant_is_told_on_every_other_page_and_the_first_one_is_their_part(panel, person):
    assert person.browser.open("GET", "/").location == f"/p/{panel.token}/end"
    page = person.browser.open("GET", "/accounts/tokens/")
    assert page.status == 403 and f"/p/{panel.token}/end" in page.body.decode()
    told = person.send("POST", "token", {"username": "zoe", "password": "x"})
    assert (told.status, told.data["code"]) == (403, "not_allowed")


def test_a_session_opens_the_campaign_of_its_part_alone(panel, person):
    """Roles that a participant had before are of no use, in whichever campaign."""
    user = User.objects.get(annotators__parts__isnull=False)
    other = make_campaign("other")
    Membership.objects.create(campaign=other, user=user, role="annotator")
    assert person.browser.open("GET", "/rate/camp/").status == 200
    assert person.browser.open("GET", "/rate/other/").status == 403
    assert person.send("POST", "campaigns/other/claim", {}).status == 403
    assert other.annotators.count() == make_campaign("third").annotators.count()


def test_a_login_of_a_participant_by_another_door_is_nobody(panel, person):
    client = Client()
    client.force_login(User.objects.get(annotators__parts__isnull=False))
    assert client.get("/rate/camp/").headers["Location"].startswith("/accounts/login/")
    assert "_auth_user_id" not in client.session


def test_people_offers_no_other_role_to_a_participant(panel, person):
    client = client_of("adam")
    page = client.get("/c/camp/people/").content.decode()
    user = User.objects.get(annotators__parts__isnull=False)
    assert user.username not in page and f"/people/{user.pk}/role/" in page
    form = page[page.index(f"/people/{user.pk}/role/") :].split("</form>")[0]
    assert 'value="annotator"' in form and 'value="owner"' not in form
    told = client.post(f"/c/camp/people/{user.pk}/role/", {"role": "owner"}, follow=True)
    assert "link of a study" in text_of(told)
    for repair in ("change/", "password/"):
        wanted = {"username": "zoe", "password1": "a-long-one-9", "password2": "a-long-one-9"}
        told = client.post(f"/admin/auth/user/{user.pk}/{repair}", wanted)
        assert told.status_code == 403, repair
    account = client.get(f"/site/users/{user.pk}/").content.decode()
    assert 'value="disable"' in account
    assert not any(f'value="{act}"' in account for act in ("link", "admin", "creates", "email"))


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
