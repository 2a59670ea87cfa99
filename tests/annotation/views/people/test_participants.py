"""A study's link leaves accounts alone, and a participant's session opens one study."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.models import Membership, Participant
from tests.annotation.crowd import NearBrowser, Person
from tests.annotation.services.people.test_entering import make_panel
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
