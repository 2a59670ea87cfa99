"""The pages of letters, what they say where a letter was caused, and the route."""

from django.test import Client

from annotation.mail.emails import Postman, letters_send
from annotation.models import Letter
from tests.annotation.services.people.test_membership import invite, person
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_user
from tests.letters import sent
from tests.smtp import by_smtp, mail_server

SITE = "/site/letters/"


def listed(client):
    rows = client.get("/api/v1/campaigns/camp/letters").json()["results"]
    return {row["to"]: (row["status"], row["why"]) for row in rows}


def test_states_are_told_where_letters_were_caused(campaign, settings):
    alice = client_of("alice")
    invite(campaign, person("ben"), person("never"))
    assert listed(alice) == dict.fromkeys(("ben@example.org", "never@example.org"), ("waiting", ""))
    assert "e-mail" not in text_of(alice.get("/c/camp/"))
    by_smtp(settings)
    letters_send(postman=Postman())
    assert "2 e-mails wait for the mail server" in text_of(alice.get("/c/camp/"))
    assert "cannot be reached" in text_of(alice.get("/c/camp/people/"))
    assert "hx-get" in alice.get("/c/camp/letters/").content.decode()
    Letter.objects.update(next_at="2020-01-01T00:00Z")
    with mail_server(settings):
        letters_send(postman=Postman())
    status, why = listed(alice)["never@example.org"]
    assert status == "refused" and "no such mailbox" in why
    assert listed(alice)["ben@example.org"] == ("sent", "")
    page = text_of(alice.get("/c/camp/"))
    assert "1 e-mail was refused" in page and "550 5.1.1 no such mailbox" in page
    assert "550" in text_of(client_of("adam").get("/site/users/"))
    letter = Letter.objects.get(status="refused")
    answer = alice.post(f"/c/camp/letters/{letter.key}/discard/", follow=True)
    assert messages_of(answer) == ["The e-mail was deleted."]
    assert "refused" not in text_of(alice.get("/c/camp/"))


def test_administrators_send_a_test_and_see_all(campaign):
    adam = client_of("adam")
    make_user("bob", email="bob@example.org")
    Client().post("/accounts/reset/", {"email": "nobody@example.org"})
    invite(campaign, person("ben"))
    assert adam.post(SITE, {"to": "no address"}).status_code == 422
    page = adam.post(SITE, {"to": "adam@example.org"}, follow=True)
    assert "on its way" in messages_of(page)[0] and "adam@example.org" in text_of(page)
    assert "ben@example.org" in text_of(page) and "nobody@" not in text_of(page)
    assert [one.to[0] for one in sent()] == ["ben@example.org", "adam@example.org"]
    assert "No e-mails." in text_of(adam.get(SITE, {"status": "waiting"}))
    letter = Letter.objects.get(kind="test")
    adam.post(f"{SITE}{letter.key}/discard/")
    assert not Letter.objects.filter(kind="test").exists()
