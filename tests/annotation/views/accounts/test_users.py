"""The administrator's pages of accounts."""

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Letter, OutsideLogin
from tests.annotation.doors import with_factor
from tests.clients import client_of, messages_of, text_of
from tests.factories import PASSWORD, make_user
from tests.letters import sent

LIST, NEW = "/site/users/", "/site/users/new/"


def act(client, user, what, **more):
    return client.post(f"{LIST}{user.pk}/act/", {"act": what, **more}, follow=True)


def test_as_many_queries_for_many_accounts_and_pages_of_fifty():
    adam = client_of("adam")

    def queries():
        with CaptureQueriesContext(connection) as found:
            assert adam.get(LIST).status_code == 200
        return len(found)

    make_user("bob")
    few = queries()
    for number in range(55):
        User.objects.create(username=f"u{number:02d}")
    assert queries() == few
    assert "Page 2 of 2" in text_of(adam.get(LIST, {"page": 2}))
    assert "1 account" in text_of(adam.get(LIST, {"q": "u07"}))
    assert "No account matches." in text_of(adam.get(LIST, {"q": "u07", "right": "admin"}))
    assert adam.get(LIST, {"state": "nonsense"}).status_code == 200


def test_twenty_accounts_and_their_links():
    adam = client_of("adam")
    assert "valid for 72 hours" in text_of(adam.get(NEW))
    people = "\n".join(f"p{n}, p{n}@x.org" for n in range(20))
    made = adam.post(NEW, {"people": people, "days": 14, "by_mail": "on"})
    assert len(made.context["lines"]) == made.context["by_mail"] == len(sent()) == 20
    link = made.context["lines"][3]["link"].removeprefix("http://testserver")
    client = Client()
    form = client.get(link, follow=True)
    assert "Your name for logging in: p3" in text_of(form)
    assert "logs you out" not in text_of(form)  # There was no password before.
    passwords = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    client.post(form.redirect_chain[-1][0], passwords)
    assert Client().login(username="p3", password=PASSWORD)
    for wrong, words in ((people, "p0"), ("x, no address", "people:1")):
        answer = adam.post(NEW, {"people": wrong, "days": 14})
        assert answer.status_code == 422 and words in text_of(answer)


def test_invitations_to_a_campaign(campaign):
    adam = client_of("adam")
    form = {"people": "Kim, k@x.org, viewer", "days": 3, "campaign": "camp"}
    [line] = adam.post(NEW, form).context["lines"]
    assert (line["name"], line["by_mail"]) == ("Kim", False)
    assert campaign.invitations.get().role == "viewer"
    assert Client().get(line["link"].removeprefix("http://testserver")).status_code == 200


def test_acts_are_done_and_refusals_told():
    client, bob = client_of("adam"), make_user("bob", email="bob@x.org")
    assert f"/site/people/{bob.pk}/data/" in client.get(f"{LIST}{bob.pk}/").content.decode()
    adam = make_user("adam")
    with_factor(bob)
    login = OutsideLogin.objects.create(user=bob, issuer="https://x.org", subject="s", label="Kim")
    there = client_of("bob")
    closed = messages_of(act(client, bob, "close"))[0]
    assert "1 session ended." in closed and "1 connected login stays." in closed
    assert "Kim" in text_of(client.get(f"{LIST}{bob.pk}/"))
    act(client, bob, "disconnect", login=login.key)
    assert not bob.outside_logins.exists()
    assert act(client, bob, "disconnect", login="none").status_code == 409
    Letter.objects.all().delete()
    assert there.get("/accounts/").status_code == 302
    page = act(client, bob, "link")
    assert "/accounts/reset/" in page.context["link"] and not sent()
    act(client, bob, "letter")
    assert sent()[0].to == ["bob@x.org"]
    for what, field, value in (
        ("no-factor", "factor", False),
        ("creates", "creates", True),
        ("admin", "is_superuser", True),
        ("disable", "is_active", False),
        ("enable", "is_active", True),
        ("admin-not", "is_superuser", False),
        ("creates-not", "creates", False),
    ):
        assert getattr(act(client, bob, what).context["one"], field) is value, what
    act(client, bob, "email", email="new@x.org")
    assert make_user("bob").email == "new@x.org"
    for user, what in ((adam, "disable"), (adam, "admin-not"), (bob, "nonsense"), (bob, "email")):
        assert act(client, user, what, email="no").status_code == 409
    act(client, bob, "admin")
    assert act(client, adam, "admin-not").redirect_chain[-1][0] == "/"
    assert client.get(LIST).status_code == 404
