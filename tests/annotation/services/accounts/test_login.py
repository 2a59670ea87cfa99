"""Logging in: sessions, the second factor, and that half a login is none."""

import base64
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.accounts import login, tokens
from annotation.accounts.login import (
    RECOVERY_CODES,
    SecondFactorAsked,
    count,
    factor_add,
    factor_check,
    factor_end,
    factor_passed,
    recovery_renew,
    secret_new,
    sessions_drop,
    sessions_expire,
    sessions_of,
)
from annotation.accounts.tokens import token_make
from annotation.errors import Invalid, NotAllowed, TooManyFailures
from annotation.models import ApiToken, AuditEntry, RecoveryCode, SecondFactor, SignedIn
from paraanno import clock
from tests.annotation.doors import code_of, with_factor
from tests.annotation.place import Place
from tests.annotation.tokens_asked import ask, with_token
from tests.clients import client_of, text_of
from tests.factories import PASSWORD, make_admin, make_user
from tests.letters import sent


def passes(user, code, **more):
    return factor_check(user=user, code=code, **more)


def logged_in(agent):
    make_user("bob")
    client = Client(headers={"user-agent": agent})
    client.post("/accounts/login/", {"username": "bob", "password": PASSWORD})
    return client


def test_one_row_a_login_and_none_after_it():
    one, _two = logged_in("Firefox"), logged_in("x" * 500 + "\0")
    bob = make_user("bob")
    assert [login.agent for login in sessions_of(user=bob)] == ["x" * 200, "Firefox"]
    one.post("/accounts/logout/")
    assert sessions_of(user=bob).count() == SignedIn.objects.count() == 1


def test_a_new_password_ends_all_but_the_browser_where_it_is_set():
    here, there = logged_in("here"), logged_in("there")
    new = "another long word 8"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    done = here.post("/accounts/password/", form, follow=True)
    assert "The password was changed." in text_of(done)
    assert here.get("/accounts/").status_code == 200
    assert there.get("/accounts/").status_code == 302
    assert [one.agent for one in sessions_of(user=make_user("bob"))] == ["here"]
    assert Client().login(username="bob", password=new)


def test_dropping_is_of_one_person_and_old_rows_go_with_their_sessions():
    bob, alice = client_of("bob"), client_of("alice")
    assert sessions_drop(user=make_user("bob")) == 1
    assert (bob.get("/accounts/").status_code, alice.get("/accounts/").status_code) == (302, 200)
    session = alice.session
    session.set_expiry(-10)
    session.save()
    cache.clear()
    assert sessions_expire() == 1
    assert not SignedIn.objects.exists()


def add(n):
    ended = timezone.now() - timedelta(seconds=1)
    Session.objects.bulk_create(
        Session(session_key=f"ended-{number}", session_data="", expire_date=ended)
        for number in range(n)
    )


def test_ended_sessions_go_and_others_stay(monkeypatch):
    monkeypatch.setattr(login, "AT_ONCE", 2)
    alice = client_of("alice")
    add(3)
    assert [login.sessions_expire() for _ in range(3)] == [2, 1, 0]
    assert Session.objects.count() == 1
    assert alice.get(reverse("home")).status_code in (200, 302)
    assert alice.get(reverse("tokens")).status_code == 200
    add(1)
    assert login.sessions_expire() == 0  # Within the hour.
    cache.clear()
    assert login.sessions_expire() == 1


def test_beyond_the_most_it_is_refused_until_the_window_ends(
    monkeypatch,
):
    monkeypatch.setattr(login.time, "time", lambda: 1000.0)
    for _ in range(2):
        count("knocks", "a", most=2, seconds=60)
    with pytest.raises(TooManyFailures):
        count("knocks", "a", most=2, seconds=60)
    count("knocks", "b", most=2, seconds=60)
    monkeypatch.setattr(login.time, "time", lambda: 1080.0)
    count("knocks", "a", most=2, seconds=60)


@pytest.fixture
def bob():
    return make_user("bob")


def test_the_owner_hears_of_every_change():
    bob = make_user("bob", email="bob@x.org")
    with_factor(bob)
    recovery_renew(user=bob)
    factor_end(user=bob, actor=make_admin())
    assert [letter.to for letter in sent()] == [["bob@x.org"]] * 3
    for letter, words in zip(sent(), ("has a second", "recovery", "no second"), strict=True):
        assert words in letter.body and "If it was not you" in letter.body


def forgiven():
    """Nobody waits because of failures."""
    SecondFactor.objects.update(failures=0, failed_at=None)


@pytest.mark.parametrize(
    ("at", "code"),
    [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_codes_are_those_of_rfc_6238(monkeypatch, at, code):
    """Its appendix B, of which apps show the last six digits."""
    secret = base64.b32encode(b"12345678901234567890").decode()
    monkeypatch.setattr(login.time, "time", lambda: float(at))
    assert login._step_of(secret, code, after=0) == at // 30
    assert code_of(secret, at=at) == code


def test_a_code_is_taken_once_and_none_before_it(bob):
    secret, _codes = with_factor(bob)
    now = code_of(secret)
    assert passes(bob, f"{now[:3]} {now[3:]}")
    assert not passes(bob, now)
    forgiven()
    assert not passes(bob, code_of(secret, -1))


def test_wrong_codes_wait_longer_and_longer(bob):
    secret, codes = with_factor(bob)
    right = code_of(secret)
    wrong = f"{(int(right) + 1) % 10**6:06d}"
    assert not passes(bob, wrong)
    with pytest.raises(TooManyFailures):
        passes(bob, right)
    with pytest.raises(TooManyFailures):
        passes(bob, codes[0])
    factor = SecondFactor.objects.get(user=bob)
    for failures, wait in ((1, 1), (5, 16), (10, 512), (11, 900), (10_000, 900)):
        assert login._wait(failures) == timedelta(seconds=wait)
    assert factor.failed_at is not None
    SecondFactor.objects.update(failed_at=factor.failed_at - timedelta(seconds=2))
    assert passes(bob, right)
    assert SecondFactor.objects.get(user=bob).failures == 0
    assert AuditEntry.objects.filter(verb="fail second factor", person=bob).count() == 1


def test_wrong_codes_are_failed_logins_in_the_log_of_the_server(bob, rf, caplog):
    secret, _codes = with_factor(bob)
    wrong = f"{(int(code_of(secret)) + 1) % 10**6:06d}"
    request = rf.post("/", REMOTE_ADDR="203.0.113.7")
    passes(bob, wrong, request=request)
    SecondFactor.objects.update(failed_at=clock.now() - timedelta(seconds=2))
    passes(bob, wrong, request=request)
    SecondFactor.objects.update(failed_at=clock.now() - timedelta(seconds=5))
    assert passes(bob, code_of(secret), request=request)
    first, second = caplog.messages
    assert first.startswith("failed login: account 'bob' [") and " from 203.0.113.7;" in first
    assert "second factor, 1 in a row" in first and "2 in a row" in second
    assert wrong not in first + second


def test_recovery_codes_serve_once_and_are_stored_as_hashes(bob):
    alice = make_user("alice")
    secret, codes = with_factor(bob)
    with_factor(alice)
    assert len(set(codes)) == RECOVERY_CODES
    assert not passes(alice, codes[0])
    assert passes(bob, codes[0].upper())
    assert not passes(bob, codes[0])
    forgiven()
    renewed = recovery_renew(user=bob)
    assert not passes(bob, codes[1])
    forgiven()
    assert passes(bob, renewed[1])
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT code_hash FROM annotation_recoverycode "
            "UNION SELECT secret FROM annotation_secondfactor"
        )
        stored = str(cursor.fetchall())
    assert secret not in stored
    assert not any(code in stored or code.replace("-", "") in stored for code in renewed)


def test_the_secret_survives_a_new_key_of_the_site(bob, settings):
    secret, codes = with_factor(bob)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "a new one" * 9
    assert passes(bob, code_of(secret))
    settings.SECRET_KEY_FALLBACKS = []
    assert not passes(bob, code_of(secret, 1))
    forgiven()
    assert passes(bob, codes[0])


def test_setting_up_ends_other_sessions_and_is_confirmed_by_a_code(bob):
    client, other = client_of("bob"), client_of("bob")
    secret = secret_new()
    with pytest.raises(Invalid):
        factor_add(user=bob, secret=secret, code="000000" if code_of(secret) != "000000" else "1")
    assert other.get("/accounts/").status_code == 200
    kept = client.session.session_key
    factor_add(user=bob, secret=secret, code=code_of(secret), but=kept)
    assert (client.get("/accounts/").status_code, other.get("/accounts/").status_code) == (200, 302)
    assert [one.session_key for one in SignedIn.objects.filter(user=bob)] == [kept]
    with pytest.raises(NotAllowed):
        factor_add(user=bob, secret=secret, code=code_of(secret))
    factor_end(user=bob, actor=bob)
    assert not RecoveryCode.objects.filter(user=bob).exists()
    assert not passes(bob, code_of(secret, 1))


def test_programs_give_both_at_once(bob, settings):
    assert not factor_passed(user=bob, code="")
    secret, _codes = with_factor(bob)
    with pytest.raises(SecondFactorAsked):
        factor_passed(user=bob, code="")
    assert factor_passed(user=bob, code=code_of(secret))
    with pytest.raises(Invalid):
        factor_passed(user=bob, code=code_of(secret))
    settings.ADMINS_NEED_SECOND_FACTOR = True
    with pytest.raises(NotAllowed):
        factor_passed(user=make_admin(), code="")


LOGIN, CODE = "/accounts/login/", "/accounts/login/code/"
SESSION, TOKEN = "/api/v1/session", "/api/v1/token"


def half(name, client=None):
    client = client or Client()
    answer = client.post(LOGIN, {"username": name, "password": PASSWORD, "next": "/campaigns/"})
    assert answer["Location"].startswith(CODE)
    return client


def closed(client, *addresses):
    for address in addresses:
        assert "/login/" in client.get(address)["Location"], address
    assert client.get("/api/v1/me").status_code == 401


def test_the_first_factor_opens_nothing():
    admin = make_admin()
    secret, _codes = with_factor(admin)
    client = half("adam")
    closed(client, "/", "/accounts/", "/accounts/second-factor/", "/accounts/tokens/", "/admin/")
    assert client.post("/accounts/tokens/", {"label": "x"}).status_code == 302
    assert not ApiToken.objects.exists()
    answer = client.post(CODE, {"code": code_of(secret), "next": "/campaigns/"})
    assert answer["Location"] == "/campaigns/"
    assert client.get("/admin/").status_code == 200
    assert client.get(CODE)["Location"] == "/"


def test_a_code_without_a_password_before_it_and_an_old_half_are_refused(
    monkeypatch,
):
    bob = make_user("bob")
    secret, _codes = with_factor(bob)
    assert Client().post(CODE, {"code": code_of(secret)})["Location"] == LOGIN
    client = half("bob")
    now = tokens.time.time()
    monkeypatch.setattr(tokens.time, "time", lambda: now + tokens.LASTS + 1)
    assert client.post(CODE, {"code": code_of(secret)})["Location"] == LOGIN
    monkeypatch.undo()
    client = half("bob")
    bob.set_password("another long word 8")
    bob.save()
    assert client.post(CODE, {"code": code_of(secret)})["Location"] == LOGIN
    assert client.get("/accounts/").status_code == 302


def test_a_right_code_of_somebody_else_does_not_serve():
    make_user("bob"), make_user("ben")
    with_factor(make_user("bob"))
    other, _codes = with_factor(make_user("ben"))
    client = half("bob")
    answer = client.post(CODE, {"code": code_of(other)})
    assert (answer.status_code, client.get("/accounts/").status_code) == (200, 302)
    assert client.post(CODE, {"code": code_of(other)}).status_code == 429


def test_the_route_of_sessions_and_that_of_tokens_ask_for_the_code():
    alice = make_user("alice")
    secret, _codes = with_factor(alice)
    given = {"username": "alice", "password": PASSWORD}
    right, later = {**given, "code": code_of(secret)}, {**given, "code": code_of(secret, 1)}
    client = APIClient()
    for path, body, status, code in (
        (SESSION, given, 400, "second_factor"),
        (TOKEN, given, 400, "second_factor"),
        (SESSION, right, 200, None),
        (TOKEN, right, 400, "invalid"),  # It was used.
    ):
        answer = client.post(path, body, format="json")
        assert (answer.status_code, answer.json().get("code")) == (status, code)
    assert client.get("/api/v1/me").json()["username"] == "alice"
    assert not ApiToken.objects.exists()
    SecondFactor.objects.update(failures=0, failed_at=None)
    token = APIClient().post(TOKEN, later, format="json").json()["token"]
    assert with_token(token).get("/api/v1/me").status_code == 200


def test_an_administrator_without_the_second_factor_is_nobody(settings):
    client, alice = client_of("adam"), client_of("alice")
    _token, text = token_make(user=make_admin())
    settings.ADMINS_NEED_SECOND_FACTOR = True
    closed(client, "/", "/accounts/", "/admin/", "/site/users/")
    assert with_token(text).get("/api/v1/me").status_code == 401
    assert alice.get("/accounts/").status_code == 200
    form = {"username": "adam", "password": PASSWORD}
    assert ask(APIClient()).status_code == 200
    assert APIClient().post(TOKEN, form, format="json").status_code == 403
    answer = client.post(LOGIN, form)
    assert answer["Location"].startswith("/accounts/login/set-up/")
    page = client.get(answer["Location"])
    assert b"<svg" in page.content
    secret = client.session["factor-secret"]
    assert client.post(answer["Location"], {"code": "12345"}).status_code == 200
    assert client.get("/site/users/").status_code == 302
    done = client.post(answer["Location"], {"code": code_of(secret)})
    assert len(done.context["codes"]) == 10
    assert client.get("/site/users/").status_code == 200
    assert with_token(text).get("/api/v1/me").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_the_short_way_of_saving_takes_no_half_login(settings):
    place = Place(items=2)
    assert place.whole([]).status_code == 200
    place.bob.user.is_staff = True
    place.bob.user.save()
    settings.ADMINS_NEED_SECOND_FACTOR = True
    assert place.whole(place.answers(), state="done").status_code == 401
    assert not place.campaign.judgments.exists()
    settings.ADMINS_NEED_SECOND_FACTOR = False
    with_factor(place.bob.user)  # Which ends the session of before.
    assert place.whole(place.answers(), state="done").status_code == 401
    half("bob", place.client)
    assert place.whole(place.answers(), state="done").status_code == 401
    assert not place.campaign.judgments.exists()
