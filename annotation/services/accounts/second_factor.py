"""The second factor: an app's codes, each taken once, and recovery codes."""

from __future__ import annotations

import base64
import re
import secrets
import time
from datetime import timedelta
from urllib.parse import quote

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from annotation.errors import DomainError, Invalid, NotAllowed, NotFound, TooManyFailures
from annotation.models import RecoveryCode, SecondFactor
from annotation.models.fields import token_digest
from annotation.selectors.access import refuse_participant
from annotation.services.accounts.sessions import sessions_drop
from annotation.services.audit import Actor, audit
from annotation.services.letters.writing import owner_notify
from annotation.services.people.logins import AnyRequest, code_failed
from annotation.services.sealing import opened, sealed
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.login_required import needs_second_factor

SEAL = "second factor"
SECRET_BYTES = 20  # RFC 4226, section 4: as long as the hash.
STEPS_OFF = 1  # of 30 seconds, for clocks that differ
RECOVERY_CODES = 10
LONGEST_WAIT = 900  # seconds, after many wrong codes


class SecondFactorAsked(DomainError):
    """The password was right; the login has a second factor, of which no code was sent."""

    code = "second_factor"


def secret_new() -> str:
    """Return a new secret in base 32, as apps take it."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def address_of(*, secret: str, user: User) -> str:
    """Return the address that a QR code of the secret holds."""
    name = quote(f"paraanno:{user.get_username()}")
    return f"otpauth://totp/{name}?secret={secret}&issuer=paraanno"


def factor_add(*, user: User, secret: str, code: str, but: str | None = None) -> list[str]:
    """Give the account a second factor, confirmed by a code; return its recovery codes, which are
    stored as hashes only.

    All its sessions end, but the one with the key `but`. Raises Invalid for a wrong code, and
    NotAllowed for an account that has one, or that enters by a panel's link.
    """
    step = _step_of(secret, code, after=0)
    if step is None:
        raise Invalid(_("The code is not right. Codes change every 30 seconds: give a new one."))
    refuse_participant(user=user)
    with short_write():
        _locked(user)
        if SecondFactor.objects.filter(user=user).exists():
            raise NotAllowed(_("This account has a second factor already."))
        SecondFactor.objects.create(user=user, secret=sealed(secret, what=SEAL), last_step=step)
        sessions_drop(user=user, but=but)
        audit(actor=user, verb="add second factor", about=user, campaign=None)
        codes = _recovery_codes(user)
    _notify(user, _("Your account %(name)s has a second factor from now on."))
    return codes


def factor_check(*, user: User, code: str, request: AnyRequest | None = None) -> bool:
    """Whether it is a code of the app that was not used yet, or a recovery code, which is spent.

    Raises TooManyFailures within a wait that doubles with every wrong code, up to 15 minutes. It is
    in the database, so that several web processes count together. A wrong code stands in the
    server's log as failed logins do, with where the `request` came from. False without a factor.
    """
    typed = re.sub(r"[\s-]", "", code).lower()
    with short_write():
        factor = SecondFactor.objects.select_for_update().filter(user=user).first()
        if factor is None:
            return False
        now = clock.now()
        if factor.failed_at is not None and now < factor.failed_at + _wait(factor.failures):
            raise TooManyFailures(_("Too many wrong codes: wait a little, then try again."))
        secret = opened(factor.secret, what=SEAL)
        step = _step_of(secret, typed, after=factor.last_step) if secret else None
        recovery = RecoveryCode.objects.filter(user=user, code_hash=token_digest(typed))
        spent = step is None and bool(recovery.delete()[0])
        if step is None and not spent:
            factor.failures, factor.failed_at = factor.failures + 1, now
            audit(actor=None, verb="fail second factor", about=user, campaign=None)
        else:
            factor.failures, factor.failed_at = 0, None
            factor.last_step = step or factor.last_step
        factor.save(update_fields=["failures", "failed_at", "last_step"])
        if spent:
            audit(actor=user, verb="use recovery code", about=user, campaign=None)
    if factor.failures and request is not None:
        code_failed(request=request, user=user, times=factor.failures)
    return step is not None or spent


def factor_passed(*, user: User, code: str, request: AnyRequest | None = None) -> bool:
    """Check the code where the account has a second factor; return whether it has one.

    For programs, which log in by one request. Raises SecondFactorAsked without a code, Invalid for
    a wrong one, and NotAllowed for an account that must have a factor and has none.
    """
    if not SecondFactor.objects.filter(user=user).exists():
        if needs_second_factor(user):
            raise NotAllowed(_("Log in on the login page first, and set up a second factor."))
        return False
    if not code:
        raise SecondFactorAsked(_("This login has a second factor: give a code, too."))
    if not factor_check(user=user, code=code, request=request):
        raise Invalid(_("The code is not right. Codes change every 30 seconds: give a new one."))
    return True


def factor_end(*, user: User, actor: Actor) -> None:
    """Take the second factor away, with its recovery codes."""
    with short_write():
        SecondFactor.objects.filter(user=user).delete()
        RecoveryCode.objects.filter(user=user).delete()
        audit(actor=actor, verb="end second factor", about=user, campaign=None)
    _notify(user, _("Your account %(name)s has no second factor any more."))


def factor_end_by_name(*, name: str) -> None:
    """The same from the shell. Raises NotFound for an account that is not there or has none."""
    user = User.objects.filter(username=name, second_factor__isnull=False).first()
    if user is None:
        raise NotFound(_("No account of this name has a second factor."))
    factor_end(user=user, actor=None)


def recovery_renew(*, user: User) -> list[str]:
    """Return new recovery codes; the old ones no longer work."""
    with short_write():
        _locked(user)
        RecoveryCode.objects.filter(user=user).delete()
        audit(actor=user, verb="renew recovery codes", about=user, campaign=None)
        codes = _recovery_codes(user)
    _notify(user, _("The recovery codes of your account %(name)s were made anew."))
    return codes


def _notify(user: User, text: str) -> None:
    name = user.get_username()
    owner_notify(user=user, subject=_("Your second factor"), text=text % {"name": name})


def _locked(user: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _recovery_codes(user: User) -> list[str]:
    """80 random bits each, in groups of four: no slow hash is needed."""
    texts = [
        base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)
    ]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, code_hash=token_digest(text)) for text in texts
    )
    return ["-".join(re.findall("....", text)) for text in texts]


def _wait(failures: int) -> timedelta:
    return timedelta(seconds=min(2 ** min(failures - 1, 20), LONGEST_WAIT) if failures else 0)


def _step_of(secret: str, code: str, *, after: int) -> int | None:
    """The step of time, later than `after`, of which it is the code (RFC 6238); None if of none."""
    from django_otp.oath import TOTP

    if not re.fullmatch("[0-9]{6}", code.replace(" ", "")):
        return None
    totp = TOTP(base64.b32decode(secret))
    totp.time = time.time()
    if not totp.verify(int(code.replace(" ", "")), tolerance=STEPS_OFF, min_t=after + 1):
        return None
    return int(totp.t())
