"""The pages of accounts: one's own, and those of administrators."""

import io
import re
import zipfile

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client

from annotation.accounts.views import picture_of
from annotation.database import audit
from annotation.models import AuditEntry, Letter, OutsideLogin, SecondFactor, SignedIn
from tests.annotation.doors import code_of, with_factor
from tests.annotation.services.accounts.test_erasure import NAME, zoe_in
from tests.clients import captured, client_of, messages_of, text_of
from tests.factories import PASSWORD, make_user
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


PAGE, ACT = "/accounts/second-factor/", "/accounts/second-factor/act/"


def set_up(client):
    client.get(PAGE)
    secret = client.session["factor-secret"]
    done = client.post(PAGE, {"code": code_of(secret, -1)})
    return secret, done.context["codes"]


def test_a_code_confirms_the_new_factor():
    client = client_of("bob")
    page = client.get(PAGE)
    secret = client.session["factor-secret"]
    assert b"<svg" in page.content and b"style=" not in page.content
    for wrong in ("", "12", code_of(secret, 9)):
        assert client.post(PAGE, {"code": wrong}).status_code == 422
    assert not SecondFactor.objects.exists()
    _secret, codes = set_up(client)
    assert "factor-secret" not in client.session
    again = text_of(client.get(PAGE))
    assert "10 recovery codes are left" in again and codes[0] not in again


def test_codes_are_made_anew_and_the_factor_ends():
    client = client_of("bob")
    _secret, codes = set_up(client)
    assert not set(client.post(ACT, {"act": "renew"}).context["codes"]) & set(codes)
    client.post(ACT, {})
    assert SecondFactor.objects.exists()
    assert "no second factor" in messages_of(client.post(ACT, {"act": "end"}, follow=True))[0]
    assert not SecondFactor.objects.exists()
    assert client.post(ACT, {"act": "renew"})["Location"] == PAGE


def test_the_picture_is_drawn_here_and_holds_the_key():
    drawn = picture_of("A" * 32, make_user("bob"))
    picture = str(drawn["picture"]).replace("http://www.w3.org/2000/svg", "")
    assert picture.startswith("<svg") and "http" not in picture
    assert drawn["secret"] == " ".join(["AAAA"] * 8)


def test_a_session_without_a_row_gets_one_and_a_full_disk_stops_no_page(
    monkeypatch,
):
    client = client_of("bob")
    SignedIn.objects.all().delete()
    cache.clear()
    client.get("/accounts/password/")
    assert SignedIn.objects.get().user.username == "bob"

    def full(*_, **__):
        raise OperationalError

    cache.clear()
    monkeypatch.setattr("annotation.accounts.login.short_write", full)
    assert client.get("/accounts/password/").status_code == 200


LIST, NEW = "/site/users/", "/site/users/new/"


def act(client, user, what, **more):
    return client.post(f"{LIST}{user.pk}/act/", {"act": what, **more}, follow=True)


def test_as_many_queries_for_many_accounts_and_pages_of_fifty():
    adam = client_of("adam")

    def queries():
        with captured() as found:
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
    assert adam.post(NEW, {**form, "campaign": "none"}).status_code == 422
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


def test_it_is_filtered_and_taken_along(campaign):
    AuditEntry.objects.all().delete()
    audit(actor=make_user("bob"), verb="invite", about=campaign, campaign=campaign, note="=1+1")
    audit(actor=None, verb="fail to log in", about=make_user("rita"), campaign=None)
    client = client_of("adam")
    page = client.get("/site/audit/?who=bob&verb=invite").content
    assert b"invite" in page and b"/site/people/" in page and b"rita" not in page
    assert "no account" in text_of(client.get("/site/audit/"))
    assert client.get("/site/audit/?first=nonsense").status_code == 422
    answer = client.get("/site/audit/log.csv?campaign=camp")
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert len(lines) == 2 and lines[0].startswith("at,actor,verb,campaign")
    assert ",bob,invite,camp," in lines[1]


def test_a_person_takes_the_data_and_leaves():
    zoe_in("camp", removes=True)
    zoe = User.objects.get(username=NAME)
    client = client_of(NAME)
    page = client.get("/account/data/").content
    assert b"Camp" in page and b"everything is deleted" in page
    file = client.get("/account/data/everything.zip")
    with zipfile.ZipFile(io.BytesIO(b"".join(file.streaming_content))) as archive:
        assert "account.json" in archive.namelist()
    address = "/account/data/delete/"
    assert b"Nothing has happened yet" in client.get(address).content
    assert client.post(address, {"typed": NAME.upper()}).status_code == 422
    assert User.objects.filter(pk=zoe.pk).exists()
    done = client.post(address, {"typed": f" {NAME} "}, follow=True)
    assert b"The account was deleted" in done.content and b"6 were deleted" in done.content
    assert not User.objects.filter(pk=zoe.pk).exists()


def test_an_administrator_from_djangos_admin():
    zoe_in("camp", removes=False)
    zoe, alice = (f"/site/people/{make_user(name).pk}/data/" for name in (NAME, "alice"))
    client, address = client_of("adam"), f"{zoe}delete/"
    led = client.get(f"/admin/auth/user/{make_user(NAME).pk}/delete/")
    assert led["Location"] == address
    assert b"delete_selected" not in client.get("/admin/auth/user/").content
    assert NAME.encode() in client.get(zoe).content
    assert b"".join(client.get(f"{zoe}everything.zip").streaming_content).startswith(b"PK")
    owner = client.get(f"{alice}delete/").content
    assert b"First name another owner" in owner and b"for good" not in owner
    assert client.post(address, {"typed": "other"}).status_code == 422
    done = client.post(address, {"typed": NAME}, follow=True)
    assert done.redirect_chain == [("/site/audit/", 302)]
    assert b"6 judgments keep their code" in done.content
    assert NAME.encode() not in client.get("/site/audit/").content
