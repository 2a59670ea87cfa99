"""Codes: right ones, once; recovery codes; and what is refused."""

import base64
from datetime import timedelta

import pytest
from django.db import connection

from annotation.accounts import login
from annotation.accounts.login import (
    RECOVERY_CODES,
    SecondFactorAsked,
    factor_add,
    factor_check,
    factor_end,
    factor_passed,
    recovery_renew,
    secret_new,
)
from annotation.errors import Invalid, NotAllowed, TooManyFailures
from annotation.models import AuditEntry, RecoveryCode, SecondFactor, SignedIn
from paraanno import clock
from tests.annotation.doors import code_of, with_factor
from tests.clients import client_of
from tests.factories import make_admin, make_user
from tests.letters import sent


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
    assert factor_check(user=bob, code=f"{now[:3]} {now[3:]}")
    assert not factor_check(user=bob, code=now)
    forgiven()
    assert not factor_check(user=bob, code=code_of(secret, -1))


def test_wrong_codes_wait_longer_and_longer(bob):
    secret, codes = with_factor(bob)
    right = code_of(secret)
    wrong = f"{(int(right) + 1) % 10**6:06d}"
    assert not factor_check(user=bob, code=wrong)
    with pytest.raises(TooManyFailures):
        factor_check(user=bob, code=right)
    with pytest.raises(TooManyFailures):
        factor_check(user=bob, code=codes[0])
    factor = SecondFactor.objects.get(user=bob)
    for failures, wait in ((1, 1), (5, 16), (10, 512), (11, 900), (10_000, 900)):
        assert login._wait(failures) == timedelta(seconds=wait)
    assert factor.failed_at is not None
    SecondFactor.objects.update(failed_at=factor.failed_at - timedelta(seconds=2))
    assert factor_check(user=bob, code=right)
    assert SecondFactor.objects.get(user=bob).failures == 0
    assert AuditEntry.objects.filter(verb="fail second factor", person=bob).count() == 1


def test_wrong_codes_are_failed_logins_in_the_log_of_the_server(bob, rf, caplog):
    secret, _codes = with_factor(bob)
    wrong = f"{(int(code_of(secret)) + 1) % 10**6:06d}"
    request = rf.post("/", REMOTE_ADDR="203.0.113.7")
    factor_check(user=bob, code=wrong, request=request)
    SecondFactor.objects.update(failed_at=clock.now() - timedelta(seconds=2))
    factor_check(user=bob, code=wrong, request=request)
    SecondFactor.objects.update(failed_at=clock.now() - timedelta(seconds=5))
    assert factor_check(user=bob, code=code_of(secret), request=request)
    first, second = caplog.messages
    assert first.startswith("failed login: account 'bob' [") and " from 203.0.113.7;" in first
    assert "second factor, 1 in a row" in first and "2 in a row" in second
    assert wrong not in first + second


def test_recovery_codes_serve_once_and_are_stored_as_hashes(bob):
    alice = make_user("alice")
    secret, codes = with_factor(bob)
    with_factor(alice)
    assert len(set(codes)) == RECOVERY_CODES
    assert not factor_check(user=alice, code=codes[0])
    assert factor_check(user=bob, code=codes[0].upper())
    assert not factor_check(user=bob, code=codes[0])
    forgiven()
    renewed = recovery_renew(user=bob)
    assert not factor_check(user=bob, code=codes[1])
    forgiven()
    assert factor_check(user=bob, code=renewed[1])
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
    assert factor_check(user=bob, code=code_of(secret))
    settings.SECRET_KEY_FALLBACKS = []
    assert not factor_check(user=bob, code=code_of(secret, 1))
    forgiven()
    assert factor_check(user=bob, code=codes[0])


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
    assert not factor_check(user=bob, code=code_of(secret, 1))


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
