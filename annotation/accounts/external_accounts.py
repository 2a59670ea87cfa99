"""OpenID Connect: the code flow with state, nonce and PKCE, as far as one provider needs it.

OpenID Connect Core 1.0, sections 3.1 and 3.1.3.7; PKCE is RFC 7636 with S256. PyJWT checks the
signature, issuer, audience and times of a token.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from dataclasses import asdict, dataclass
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import IntegrityError
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from annotation.access import CREATE_CAMPAIGNS, refuse_participant
from annotation.accounts.login import sessions_drop
from annotation.accounts.users import administrator_set, creation_set
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, DomainError, NotAllowed, NotFound
from annotation.mail.emails import owner_notify
from annotation.models import OutsideLogin, SecondFactor
from paraanno import clock
from paraanno.env import is_safe_site

SCOPES = "openid email profile"
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384"]  # No shared secret, no "none".
TIMEOUT = 10  # seconds
MOST_BYTES = 1_000_000
LASTS = 600  # seconds from leaving to coming back
LEEWAY = 60  # seconds between the clocks
CACHED_FOR = 3600  # seconds that the provider's document and keys are kept


class OutsideRefused(DomainError):
    """The provider's answer does not log anybody in; the log of the server says why."""

    code = "outside_login"


@dataclass(frozen=True, slots=True)
class Journey:
    """What a browser takes along to the provider and must bring back; kept in its session."""

    state: str
    nonce: str
    verifier: str
    at: int

    def stored(self) -> dict[str, Any]:
        return asdict(self)


def depart(*, back: str, anew: bool = False) -> tuple[Journey, str]:
    """Return a new journey, and the provider's address to begin it. `back` is ours to return to.

    `anew` asks for a login there even of who has a session (OpenID Connect Core, 3.1.2.1); only the
    claim `auth_time` tells whether it was.
    """
    journey = Journey(
        secrets.token_urlsafe(32),
        secrets.token_urlsafe(32),
        secrets.token_urlsafe(48),
        int(time.time()),
    )
    digest = hashlib.sha256(journey.verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": back,
        "scope": SCOPES,
        "state": journey.state,
        "nonce": journey.nonce,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    if anew:
        query |= {"prompt": "login", "max_age": "0"}
    start = _provider()["authorization_endpoint"]
    return journey, f"{start}{'&' if '?' in start else '?'}{urlencode(query)}"


def arrive(*, journey: dict[str, Any] | None, state: str, code: str, back: str) -> dict[str, Any]:
    """Return the checked claims of whoever came back. Raises OutsideRefused.

    The caller takes the journey out of the session first: it is used once.
    """
    if not journey or not state or not constant_time_compare(state, journey["state"]):
        raise refused("the state is not that of a journey of this browser")
    if time.time() - journey["at"] > LASTS:
        raise refused("the journey took too long")
    if not code:
        raise refused("the provider sent no code")
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "client_id": settings.OIDC_CLIENT_ID,
        "code_verifier": journey["verifier"],
    }
    if settings.OIDC_CLIENT_SECRET:
        form["client_secret"] = settings.OIDC_CLIENT_SECRET
    answer = _ask(_provider()["token_endpoint"], form)
    claims = _claims(str(answer.get("id_token") or ""))
    if not constant_time_compare(str(claims.get("nonce") or ""), journey["nonce"]):
        raise refused("the nonce is not that of the journey")
    if claims.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
        raise refused("the token was made for another client")
    return claims


def _claims(token: str) -> dict[str, Any]:
    """The claims of a token that the provider signed for us and that is still good."""
    import jwt

    try:
        header = jwt.get_unverified_header(token)
        key = _key(str(header.get("kid") or ""))
        return dict(
            jwt.decode(
                token,
                key,
                algorithms=ALGORITHMS,
                audience=settings.OIDC_CLIENT_ID,
                issuer=_provider()["issuer"],
                leeway=LEEWAY,
                options={"require": ["exp", "iat", "sub", "aud", "iss"]},
            )
        )
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        raise refused(f"the token is not good ({type(error).__name__})") from error


def _key(name: str) -> Any:
    """The provider's key of this name; asked for again, at most once a minute, if it is new."""
    import jwt

    for fresh in (False, True):
        for one in _document(_provider()["jwks_uri"], fresh=fresh).get("keys", []):
            if one.get("kid", "") == name and one.get("kty") in ("RSA", "EC"):
                return jwt.PyJWK(one)
        if not cache.add("oidc-new-keys", 1, 60):
            break
    raise refused("the provider has no key of that name")


def _provider() -> dict[str, Any]:
    """The provider's description of itself, which must be of the issuer that the settings name."""
    metadata = _document(f"{settings.OIDC_ISSUER}/.well-known/openid-configuration")
    if str(metadata.get("issuer") or "").rstrip("/") != settings.OIDC_ISSUER:
        raise refused("the provider calls itself by another name")
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        if not is_safe_site(str(metadata.get(name) or "")):
            raise refused(f"the provider's {name} is not https")
    return metadata


def _document(address: str, *, fresh: bool = False) -> dict[str, Any]:
    key = f"oidc-{hashlib.sha256(address.encode()).hexdigest()}"
    document = None if fresh else cache.get(key)
    if document is None:
        document = _ask(address)
        cache.set(key, document, CACHED_FOR)
    return dict(document)


class _Straight(HTTPRedirectHandler):
    """No redirects: secrets go where the provider said, and nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _ask(address: str, form: dict[str, str] | None = None) -> dict[str, Any]:
    """The JSON at the address, which was found safe; with `form` it is posted."""
    data = urlencode(form).encode() if form is not None else None
    request = Request(address, data=data, headers={"Accept": "application/json"})  # noqa: S310
    try:
        with build_opener(_Straight).open(request, timeout=TIMEOUT) as answer:
            document = json.loads(answer.read(MOST_BYTES))
    except (URLError, OSError, ValueError) as error:
        raise refused(f"no answer from the provider ({type(error).__name__})") from error
    if not isinstance(document, dict):
        raise refused("the provider's answer is no object")
    return document


def refused(why: str) -> OutsideRefused:
    """The refusal that people see; programs and logs get the reason."""
    return OutsideRefused(
        _("Single sign-on did not work. Try again, or log in with your password."), why=why
    )


# Whose account it is that a provider vouches for.


MOST_NAMES = 100
LABEL = 254


def outside_account(*, claims: dict[str, Any]) -> User:
    """Return the active account of the checked claims, linked or made if the settings allow it.

    The provider's subject decides. An e-mail counts only if the provider says it is verified and
    its domain is allowed; it links an account that exists only with PARAANNO_OIDC_LINKS_BY_EMAIL,
    never one of an administrator or with a second factor, and never one of several. Raises
    OutsideRefused.
    """
    email = _email(claims)
    login = _login_of(claims) or _first_time(email, claims)
    if not login.user.is_active:
        raise refused("the account is disabled")
    with short_write():
        rows = OutsideLogin.objects.filter(pk=login.pk)
        rows.update(used_at=clock.now(), label=login.label or outside_label(claims))
    _rights(login.user, claims)
    return login.user


def outside_label(claims: dict[str, Any]) -> str:
    """Return what a person recognises the login at the provider by."""
    named = (claims.get(one) for one in ("email", "preferred_username", "name", "sub"))
    text = next(str(one) for one in named if one)
    return "".join(one for one in text if one.isprintable())[:LABEL]


def outside_connect(*, user: User, subject: str, label: str) -> None:
    """Connect the login at the provider with the account of whoever is logged in here and has
    confirmed who they are. Raises Conflict if it is somebody else's."""
    refuse_participant(user=user)
    with short_write():
        login, made = OutsideLogin.objects.get_or_create(
            issuer=settings.OIDC_ISSUER, subject=subject, defaults={"user": user, "label": label}
        )
        if login.user_id != user.pk:
            raise Conflict(_("This login is connected with another account of this site."))
        if made:
            audit(actor=user, verb="link single sign-on", about=user, campaign=None)
    if made:
        _notify_linked(user, label)


def outside_disconnect(
    *, user: User, key: UUID, actor: Actor, but: str | None = None
) -> OutsideLogin:
    """Take the login at the provider from the account; return it. All sessions of the account end,
    but the one with the key `but`: they may have begun by it.

    Raises NotFound, and Conflict where owners would lock themselves out.
    """
    by_owner = actor is not None and actor.pk == user.pk
    with short_write():
        lock_row(User, user.pk)
        logins = OutsideLogin.objects.filter(user=user)
        login = logins.filter(key=key).first()
        if login is None:
            raise NotFound(_("There is no such login."))
        others = logins.filter(issuer=settings.OIDC_ISSUER).exclude(pk=login.pk)
        if by_owner and not user.has_usable_password() and not others.exists():
            raise Conflict(
                _(
                    "This is the only way into your account: ask an administrator of this site "
                    "for a link to set a password first."
                )
            )
        login.delete()
        sessions_drop(user=user, but=but)
        audit(actor=actor, verb="disconnect single sign-on", about=user, campaign=None)
    owner_notify(
        user=user,
        subject=_("A login was disconnected"),
        text=_("%(label)s is no longer connected with your account %(name)s.")
        % {"label": login, "name": user.get_username()},
    )
    return login


def outside_fresh(*, user: User, claims: dict[str, Any], since: int) -> None:
    """Check that the claims are of a login of this account, and of one that was made at the
    provider since then: a session there that lies open proves nothing. Raises OutsideRefused."""
    login = _login_of(claims)
    if login is None or login.user_id != user.pk:
        raise OutsideRefused(
            _("This is not the login that is connected with your account."), why="another subject"
        )
    at = claims.get("auth_time")
    if not isinstance(at, int) or at < since - LEEWAY:
        raise OutsideRefused(
            _("%(name)s does not say that you logged in anew there: confirm in another way.")
            % {"name": settings.OIDC_NAME},
            why="auth_time is missing or old",
        )


def _login_of(claims: dict[str, Any]) -> OutsideLogin | None:
    rows = OutsideLogin.objects.filter(issuer=settings.OIDC_ISSUER, subject=str(claims["sub"]))
    return rows.select_related("user").first()


def _notify_linked(user: User, label: str) -> None:
    text = _("%(label)s at %(provider)s can log in to your account %(name)s from now on.") % {
        "label": label,
        "provider": settings.OIDC_NAME,
        "name": user.get_username(),
    }
    owner_notify(user=user, subject=_("A new connected login"), text=text)


def _email(claims: dict[str, Any]) -> str:
    """The verified address, or ""; raises OutsideRefused if the settings want one of a domain."""
    email = str(claims.get("email") or "").strip()
    good = claims.get("email_verified") is True and email.count("@") == 1
    domain = email.rpartition("@")[2].lower()
    if settings.OIDC_DOMAINS and (not good or domain not in settings.OIDC_DOMAINS):
        raise _unwelcome("the address is not verified, or of no domain that is let in")
    return email if good else ""


def _first_time(email: str, claims: dict[str, Any]) -> OutsideLogin:
    if not email:
        raise _unwelcome("the address is not verified")
    theirs = list(User.objects.filter(email__iexact=email)[:2])
    label = outside_label(claims)
    try:
        with short_write():
            if theirs:
                user = _linked(theirs)
            elif settings.OIDC_CREATES:
                user = _made(email, claims)
            else:
                raise _unwelcome("new accounts are not made")
            login = OutsideLogin.objects.create(
                user=user, issuer=settings.OIDC_ISSUER, subject=str(claims["sub"]), label=label
            )
            audit(actor=user, verb="link single sign-on", about=user, campaign=None)
    except IntegrityError as error:  # The same person at the same moment, or the name was taken.
        raise refused("another request made the account") from error
    if theirs:
        _notify_linked(user, label)
    return login


def _linked(theirs: list[User]) -> User:
    if not settings.OIDC_LINKS_BY_EMAIL:
        raise _unwelcome("an account has this address, and linking is off")
    if len(theirs) > 1:
        raise _unwelcome("several accounts have this address")
    if theirs[0].is_superuser or theirs[0].is_staff:
        raise _unwelcome("administrators are not linked by their address")
    if SecondFactor.objects.filter(user=theirs[0]).exists():
        raise _unwelcome("accounts with a second factor are not linked by their address")
    return theirs[0]


def _made(email: str, claims: dict[str, Any]) -> User:
    offered = str(claims.get("preferred_username") or "")
    wanted = "".join(one for one in offered if one.isprintable()).strip()[:140] or email
    taken = {
        name.casefold()
        for name in User.objects.filter(username__istartswith=wanted).values_list(
            "username", flat=True
        )
    }
    names = [wanted, email, *(f"{wanted}-{number}" for number in range(2, MOST_NAMES))]
    name = next((one for one in names if one.casefold() not in taken and len(one) <= 150), None)
    if name is None:
        raise refused("no name is free")
    user = User(username=User.normalize_username(name), email=email)
    user.set_unusable_password()
    user.save()
    audit(actor=user, verb="sign up", about=user, campaign=None)
    return user


def _rights(user: User, claims: dict[str, Any]) -> None:
    """Rights that the settings name follow the claims at every login; the last administrator
    stays one."""
    wanted: dict[str, bool] = {}
    for claim, value, right in settings.OIDC_RIGHTS:
        held = claims.get(claim)
        has = value in held if isinstance(held, list) else held == value
        wanted[right] = wanted.get(right, False) or has
    codename = CREATE_CAMPAIGNS.partition(".")[2]
    creates = user.user_permissions.filter(codename=codename).exists()
    if "create" in wanted and wanted["create"] != creates:
        creation_set(user=user, on=wanted["create"], actor=None)
    if "admin" in wanted and wanted["admin"] != user.is_superuser:
        try:
            administrator_set(user=user, on=wanted["admin"], actor=None)
        except NotAllowed:
            user.refresh_from_db()


def _unwelcome(why: str) -> OutsideRefused:
    return OutsideRefused(
        _("Your single sign-on account may not log in here: ask an administrator of this site."),
        why=why,
    )
