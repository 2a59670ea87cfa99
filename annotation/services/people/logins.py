"""Failed logins: counted for every way of logging in, so that passwords cannot be tried out.

Only failures count, so a class that logs in through one router does not wait. Three counts, each
of `WINDOW` seconds from its first failure:

- an account from one address: PER_PAIR failures;
- an address: PER_ADDRESS, for whoever tries one password on many accounts;
- an account from all addresses: PER_ACCOUNT, for whoever uses many addresses. It does not hold for
  addresses from which the account has logged in lately, or strangers could lock its owner out.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core.cache import cache
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from annotation.errors import TooManyFailures
from annotation.models.fields import text_digest
from annotation.services.audit import audit
from annotation.services.transactions import short_write

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
        counts = cache.get_many([keys.pair, keys.account, keys.address, keys.known])
        if (
            counts.get(keys.pair, 0) >= PER_PAIR
            or counts.get(keys.address, 0) >= PER_ADDRESS
            or (counts.get(keys.account, 0) >= PER_ACCOUNT and keys.known not in counts)
        ):
            log.warning("login refused after too many failures: %s", _told(keys, counts))
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
        self.known = f"login-known-{text_digest(account, address)}"


def _told(keys: _Keys, counts: dict[str, int], tried: User | None = None) -> str:
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
    log.warning("failed login: %s", _told(keys, counts, tried))
    with short_write():
        audit(actor=None, verb="fail to log in", about=tried or User(), campaign=None)


def code_failed(*, request: AnyRequest, user: User, times: int) -> None:
    """Note a wrong code of a second factor in the server's log, the `times`-th in a row."""
    keys = _Keys(request, user.get_username())
    log.warning(
        "failed login: account %r [%s] from %s; wrong code of the second factor, %s in a row",
        user.get_username(), keys.mark, keys.sender, times,
    )  # fmt: skip


@receiver(user_logged_in)
def login_succeeded(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """Forget the failures of this account here, and remember that it is at home here; note the
    login in the log."""
    keys = _Keys(request, user.get_username())
    cache.delete(keys.pair)
    cache.set(keys.known, 1, timeout=KNOWN_FOR)
    with short_write():
        audit(actor=user, verb="log in", about=user, campaign=None)
