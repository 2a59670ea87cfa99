"""One's own account: sessions that are ended, and an address that is confirmed."""

import re

from django.test import Client

from annotation.models import SignedIn
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_user
from tests.letters import sent


def test_one_session_and_all_others_are_ended():
    here, *others = (client_of("bob") for _ in range(4))
    alice = client_of("alice")
    row = SignedIn.objects.get(session_key=others[0].session.session_key)
    assert alice.post(f"/accounts/sessions/{row.key}/end/").status_code == 404
    here.post(f"/accounts/sessions/{row.key}/end/")
    assert [one.get("/accounts/").status_code for one in others] == [302, 200, 200]
    here.post("/accounts/sessions/end/")
    assert [one.get("/accounts/").status_code for one in (here, *others)] == [200, 302, 302, 302]
    assert alice.get("/accounts/").status_code == 200
    assert "this one" in text_of(here.get("/accounts/"))


def test_an_address_needs_its_own_letter():
    client = client_of("bob")
    assert client.post("/accounts/email/", {"email": "no address"}).status_code == 422
    client.post("/accounts/email/", {"email": "b@x.org"})
    assert "Link to confirm b@x.org: waiting" in text_of(client.get("/accounts/"))
    [link] = re.findall(r"http://testserver(/accounts/email/\S+)", sent()[0].body)
    assert Client().get(link).status_code == 302
    client.get(link)
    assert make_user("bob").email == ""  # Looking is not confirming.
    assert "b@x.org" in messages_of(client.post(link, follow=True))[0]
    assert make_user("bob").email == "b@x.org"
    assert client.post(link).status_code == 400


def test_the_login_page_leads_to_a_new_password():
    assert "/accounts/reset/" in Client().get("/accounts/login/").content.decode()
    assert Client().post("/accounts/reset/", {"email": "no address"}).status_code == 422
