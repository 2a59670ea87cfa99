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

from django.conf import settings
from django.core.cache import cache
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from annotation.errors import DomainError
from paraanno.env import is_safe_site

SCOPES = "openid email profile"
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384"]  # No shared secret, no "none".
TIMEOUT = 10  # seconds
MOST_BYTES = 1_000_000
LASTS = 600  # seconds from leaving to coming back
LEEWAY = 60  # seconds between the clocks
KEPT = 3600  # seconds that the provider's document and keys are kept


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
        secrets.token_urlsafe(32), secrets.token_urlsafe(32), secrets.token_urlsafe(48),
        int(time.time()),
    )  # fmt: skip
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
                token, key, algorithms=ALGORITHMS, audience=settings.OIDC_CLIENT_ID,
                issuer=_provider()["issuer"], leeway=LEEWAY,
                options={"require": ["exp", "iat", "sub", "aud", "iss"]},
            )
        )  # fmt: skip
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
    found = _document(f"{settings.OIDC_ISSUER}/.well-known/openid-configuration")
    if str(found.get("issuer") or "").rstrip("/") != settings.OIDC_ISSUER:
        raise refused("the provider calls itself by another name")
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        if not is_safe_site(str(found.get(name) or "")):
            raise refused(f"the provider's {name} is not https")
    return found


def _document(address: str, *, fresh: bool = False) -> dict[str, Any]:
    key = f"oidc-{hashlib.sha256(address.encode()).hexdigest()}"
    found = None if fresh else cache.get(key)
    if found is None:
        found = _ask(address)
        cache.set(key, found, KEPT)
    return dict(found)


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
            found = json.loads(answer.read(MOST_BYTES))
    except (URLError, OSError, ValueError) as error:
        raise refused(f"no answer from the provider ({type(error).__name__})") from error
    if not isinstance(found, dict):
        raise refused("the provider's answer is no object")
    return found


def refused(why: str) -> OutsideRefused:
    """The refusal that people see; programs and logs get the reason."""
    return OutsideRefused(
        _("Single sign-on did not work. Try again, or log in with your password."), why=why
    )
