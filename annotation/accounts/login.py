"""Counts of what must not be tried without end, in the cache."""

from __future__ import annotations

import base64
import logging
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from annotation.access import Reach, logged_in, refuse_participant
from annotation.access import User as AnyUser
from annotation.database import Actor, audit, lock_row, opened, sealed, short_write
from annotation.errors import DomainError, Invalid, NotAllowed, NotFound, TooManyFailures
from annotation.mail.emails import owner_notify
from annotation.models import ApiToken, OutsideLogin, RecoveryCode, SecondFactor, SignedIn
from annotation.models.fields import text_digest, token_digest
from paraanno import clock
from paraanno.http.middleware import BACKEND, SECOND_FACTOR, needs_second_factor


def count(what: str, *parts: str, most: int, seconds: int, message: str = "") -> None:
    """Count one more; raises TooManyFailures beyond `most` in the current window of `seconds`.

    `parts` say of whom (an address, an e-mail); they are kept as a hash. `message` is what the
    refusal says.
    """
    key = f"{what}-{text_digest(*parts)}-{int(time.time()) // seconds}"
    cache.add(key, 0, timeout=2 * seconds)
    try:
        number = cache.incr(key)
    except ValueError:  # The cache was full and evicted the count between the two calls.
        return
    if number > most:
        raise TooManyFailures(
            message
            or _("Too many attempts: wait %(n)s minutes, then try again.") % {"n": seconds // 60}
        )


ENTRIES_PER_ADDRESS, ENTERING_WINDOW = 300, 60  # entries, seconds


def entry_count(*, address: str) -> None:
    """Count somebody who enters without a password, by the link of a panel or as a guest.

    Entries have a count of their own: a class behind one router enters at once, and nobody's
    password is tried here. Raises TooManyFailures beyond ENTRIES_PER_ADDRESS a minute.
    """
    count(
        "entries",
        address,
        most=ENTRIES_PER_ADDRESS,
        seconds=ENTERING_WINDOW,
        message=_("Too many people are entering from your network: wait a minute, then try again."),
    )


def sender_of(request: HttpRequest) -> str:
    """The address that a request came from, as all throttles see it."""
    return str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]


# Where people are signed in: noted at every login, and ended.


EVERY = 3600  # seconds
AGENT = 200


@receiver(user_logged_in)
def signed_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """Note the new session."""
    if request.session.session_key is None:
        request.session.save()
    _note(request, user.pk)


@receiver(user_logged_out)
def signed_out(sender: Any, request: HttpRequest, user: User | None, **_: Any) -> None:
    """Forget the session, which goes."""
    with short_write():
        SignedIn.objects.filter(session_key=request.session.session_key or "").delete()


def session_seen(request: HttpRequest, user_id: int) -> None:
    """Note that the session is used, at most once an hour; what cannot be written is left.

    Also lists sessions that got another key, as a new password gives one.
    """
    key = request.session.session_key
    if not key or not cache.add(_seen(key), 1, EVERY):
        return
    with suppress(DatabaseError), short_write():
        if not SignedIn.objects.filter(session_key=key, user=user_id).update(seen_at=clock.now()):
            _note(request, user_id)


def _seen(key: str | None) -> str:
    return f"seen-{text_digest(key)}"


def _note(request: HttpRequest, user_id: int) -> None:
    key = request.session.session_key
    cache.add(_seen(key), 1, EVERY)
    with short_write():
        SignedIn.objects.update_or_create(
            session_key=key,
            defaults={
                "user_id": user_id,
                "agent": str(request.META.get("HTTP_USER_AGENT") or "")[:AGENT].replace("\0", ""),
                "seen_at": clock.now(),
            },
        )


def session_end(*, user: User, key: UUID) -> None:
    """End one session of the user. Raises NotFound if they have none of this key."""
    with short_write():
        one = SignedIn.objects.filter(user=user, key=key).first()
        if one is None:
            raise NotFound(gettext("There is no such session."))
        _drop([one.session_key])
        audit(actor=user, verb="end session", about=user, campaign=None)


def sessions_end(*, user: User, actor: Actor, but: str | None = None) -> int:
    """End all sessions of the user, but the one with the key `but`; return how many."""
    with short_write():
        ended = sessions_drop(user=user, but=but)
        audit(actor=actor, verb="end sessions", about=user, campaign=None, n=ended)
    return ended


def sessions_drop(*, user: User, but: str | None = None) -> int:
    """The same as a part of something else, which is in the log itself."""
    sessions = SignedIn.objects.filter(user=user).exclude(session_key=but or "")
    return _drop(list(sessions.values_list("session_key", flat=True)))


def _drop(keys: list[str]) -> int:
    ended, _rows = Session.objects.filter(session_key__in=keys).delete()
    SignedIn.objects.filter(session_key__in=keys).delete()
    return ended


@receiver(post_save, sender=User)
def account_changed(sender: Any, instance: User, created: bool, raw: bool, **_: Any) -> None:
    """End the sessions of people who get a new password or are disabled, wherever that is done.

    A browser in which somebody changes their own password stays signed in: it gets a new key.
    """
    if created or raw:
        return
    if instance._password is not None or not instance.is_active:  # type: ignore[attr-defined]
        with short_write():
            sessions_drop(user=instance)


# Failed logins: counted for every way of logging in, so that passwords cannot be tried out.
#
# Only failures count, so a class that logs in through one router does not wait. Three counts, each
# of `WINDOW` seconds from its first failure:
#
# - an account from one address: PER_PAIR failures; - an address: PER_ADDRESS, for whoever tries one
# password on many accounts; - an account from all addresses: PER_ACCOUNT, for whoever uses many
# addresses. It does not hold for addresses from which the account has logged in lately, or
# strangers could lock its owner out.


log = logging.getLogger(__name__)
AnyRequest = HttpRequest | Request
SALT = "annotation.failed-login"
WINDOW = 300  # seconds
PER_PAIR, PER_ACCOUNT, PER_ADDRESS = 10, 50, 150
KNOWN_FOR = 30 * 24 * 3600  # seconds


class LoginThrottle:
    """An authentication backend that logs nobody in: it stops after too many failures.

    It stands before the one that checks passwords (settings.AUTHENTICATION_BACKENDS), so that no
    form, route or page can be forgotten.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Raise TooManyFailures; None leaves the decision to the next backend."""
        if request is None:
            return
        keys = _Keys(request, str(credentials.get("username") or ""))
        counts = cache.get_many([keys.pair, keys.account, keys.address, keys.login_before])
        if (
            counts.get(keys.pair, 0) >= PER_PAIR
            or counts.get(keys.address, 0) >= PER_ADDRESS
            or (counts.get(keys.account, 0) >= PER_ACCOUNT and keys.login_before not in counts)
        ):
            log.warning(
                "login refused after too many failures: %s", _attempt_sentence(keys, counts)
            )
            raise TooManyFailures(
                _("Too many failed logins: wait %(n)s minutes, then try again.")
                % {"n": WINDOW // 60}
            )


class _Keys:
    """The names of an attempt's counts in the cache; names and addresses are hashed."""

    def __init__(self, request: AnyRequest, name: str) -> None:
        address = BaseThrottle().get_ident(request)  # type: ignore[arg-type]
        account = User.normalize_username(name).casefold()
        self.sender = address
        self.mark = salted_hmac(SALT, account).hexdigest()[:8]  # The same for the same name.
        self.pair = f"failed-logins-pair-{text_digest(account, address)}"
        self.account = f"failed-logins-account-{text_digest(account)}"
        self.address = f"failed-logins-address-{text_digest(address)}"
        self.login_before = f"login-known-{text_digest(account, address)}"


def _attempt_sentence(keys: _Keys, counts: dict[str, int], tried: User | None = None) -> str:
    """Say who tried what. A name that nobody has is told by its mark alone: it may be a password
    that stands in the wrong field."""
    name = repr(tried.get_username()) if tried else "name"
    pair, account, address = (counts.get(key, 0) for key in (keys.pair, keys.account, keys.address))
    return (
        f"account {name} [{keys.mark}] from {keys.sender}; in {WINDOW} s {pair} for this account "
        f"from there, {account} for this account, {address} from there"
    )


@receiver(user_login_failed)
def login_failed(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    """Count a failure, and note it in the site's log with the login that it was tried for, if any;
    in the server's, with the address and the counts too, by which an attack can be told from a
    forgotten password."""
    if request is None:
        return
    keys = _Keys(request, str(credentials.get("username") or ""))
    for key in (keys.pair, keys.account, keys.address):
        cache.add(key, 0, timeout=WINDOW)
        with suppress(ValueError):  # The cache was full, or came back, between the two calls.
            cache.incr(key)
    tried = User.objects.filter(username=credentials.get("username")).first()
    counts = cache.get_many([keys.pair, keys.account, keys.address])
    log.warning("failed login: %s", _attempt_sentence(keys, counts, tried))
    with short_write():
        audit(actor=None, verb="fail to log in", about=tried or User(), campaign=None)


def code_failed(*, request: AnyRequest, user: User, times: int) -> None:
    """Note a wrong code of a second factor in the server's log, the `times`-th in a row."""
    keys = _Keys(request, user.get_username())
    log.warning(
        "failed login: account %r [%s] from %s; wrong code of the second factor, %s in a row",
        user.get_username(),
        keys.mark,
        keys.sender,
        times,
    )


@receiver(user_logged_in)
def login_succeeded(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """Forget the failures of this account here, and remember that it is at home here; note the
    login in the log."""
    keys = _Keys(request, user.get_username())
    cache.delete(keys.pair)
    cache.set(keys.login_before, 1, timeout=KNOWN_FOR)
    with short_write():
        audit(actor=user, verb="log in", about=user, campaign=None)


# The second factor: an app's codes, each taken once, and recovery codes.


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
    lock_row(User, user.pk)


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


# Sessions that have ended are deleted by the workers' timer.


AT_ONCE = 1000


def sessions_expire() -> int:
    """Delete sessions that have ended, at most 1000 and once an hour; return how many went.

    A short transaction at a time: saves of annotators wait behind it on SQLite. More than that are
    left for the next call, which then comes without waiting for the hour.
    """
    if not cache.add("sessions-expire", True, EVERY):
        return 0
    ended = Session.objects.filter(expire_date__lt=clock.now())
    keys = list(ended.values_list("pk", flat=True)[:AT_ONCE])
    if not keys:
        return 0
    with short_write():
        ended.filter(pk__in=keys).delete()
        SignedIn.objects.filter(session_key__in=keys).delete()
    if len(keys) == AT_ONCE:
        cache.delete("sessions-expire")
    return len(keys)


# Whose session a row of the session table is, without decoding anything twice.
#
# The row is read at every request, so that a log-out counts at once in every process. Only what its
# text decodes to is kept, by that very text. The caller compares the account as it is stored now.


ENGINE = "django.contrib.sessions.backends.db"
MOST_REMEMBERED = 4096


_ROW = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > "


@dataclass(frozen=True, slots=True)
class SessionLogin:
    """The login that a session claims. `has_messages`: it holds messages for the next page."""

    user_id: int
    hash: str
    second_factor: bool
    has_messages: bool


def session_text(key: str) -> str | None:
    """Return the text of the session's row; None if there is no such session (any more)."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"{_ROW}clock_timestamp()", [key])  # Its clock, without a question more.
        else:
            now = clock.stored_time(clock.now())
            cursor.execute(f"{_ROW}%s", [key, now])
        row = cursor.fetchone()
    return None if row is None else str(row[0])


@lru_cache(maxsize=MOST_REMEMBERED)
def login_in(text: str) -> SessionLogin | None:
    """Return the login in the text of a session's row; None if it is not a plain one."""
    data = SessionStore().decode(text)
    number, given = data.get(SESSION_KEY), data.get(HASH_SESSION_KEY)
    if data.get(BACKEND_SESSION_KEY) != BACKEND or not isinstance(given, str):
        return None
    if BACKEND not in settings.AUTHENTICATION_BACKENDS or not str(number).isdecimal():
        return None
    second, has_messages = bool(data.get(SECOND_FACTOR)), SessionStorage.session_key in data
    return SessionLogin(int(str(number)), given, second, has_messages)


def stands(
    login: SessionLogin, *, user_id: int, password: str, active: bool, administers: bool = False
) -> bool:
    """Whether the login is still valid for the account as stored: not disabled, its password not
    changed since, and with a second factor where the settings ask administrators for one."""
    if administers and settings.ADMINS_NEED_SECOND_FACTOR and not login.second_factor:
        return False
    same = constant_time_compare(login.hash, _hash_of(password))
    return same and active and login.user_id == user_id


@lru_cache(maxsize=MOST_REMEMBERED)
def _hash_of(password: str) -> str:
    """The hash that a session of an account with this (hashed) password has."""
    return User(password=password).get_session_auth_hash()


# Where people are signed in.


def live_sessions() -> QuerySet[SignedIn]:
    """Return logins whose sessions are still valid."""
    rows = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=clock.now())
    return SignedIn.objects.filter(Exists(rows))


def sessions_of(*, user: User) -> QuerySet[SignedIn]:
    """Return the user's logins, the last used first."""
    return live_sessions().filter(user=user).order_by("-seen_at", "-pk")


# What an account has of a second factor, and of logins elsewhere.


def factor_of(*, user: User) -> SecondFactor | None:
    """Return the account's second factor, if any."""
    return SecondFactor.objects.filter(user=user).first()


def recovery_left(*, user: User) -> int:
    """Return how many recovery codes were not used."""
    return RecoveryCode.objects.filter(user=user).count()


def lacks_factor(*, user: User) -> bool:
    """Whether the settings ask the account for a factor that it does not have."""
    return needs_second_factor(user) and factor_of(user=user) is None


def outside_logins(*, user: User) -> QuerySet[OutsideLogin]:
    """Return the logins at providers that are connected with the account, the oldest first."""
    return OutsideLogin.objects.filter(user=user)


def outside_logins_here(*, user: User) -> QuerySet[OutsideLogin]:
    """Return those of the provider that the settings name."""
    return outside_logins(user=user).filter(issuer=settings.OIDC_ISSUER or "-")


# API tokens of a user, and the user of a token.


def tokens_of(*, user: AnyUser) -> QuerySet[ApiToken]:
    """Return the user's own tokens with their campaigns, newest first; two queries."""
    return (
        ApiToken.objects.filter(user=logged_in(user)).prefetch_related("campaigns").order_by("-pk")
    )


def token_find(*, text: str) -> ApiToken | None:
    """Return the token with its user; None if it is unknown or expired, or its user inactive."""
    tokens = ApiToken.objects.filter(token_hash=token_digest(text), user__is_active=True)
    tokens = tokens.filter(Q(expires_at=None) | Q(expires_at__gt=Now()))
    return tokens.select_related("user").first()


def token_reach(*, token: ApiToken) -> Reach | None:
    """Return what the token reaches; None for one with all rights of its owner. At most one
    query."""
    if token.scope == ApiToken.Scope.ALL:
        return None
    if token.everywhere:
        return Reach(token.scope, None)
    return Reach(token.scope, frozenset(token.campaigns.values_list("pk", flat=True)))
