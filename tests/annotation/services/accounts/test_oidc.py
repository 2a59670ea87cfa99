"""The flow against a provider on this machine, by real requests and signed tokens."""

import time

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.cache import cache

from annotation.accounts.external_accounts import Journey, OutsideRefused, arrive, depart
from tests.annotation.doors import provider

BACK = "http://testserver/accounts/outside/back/"


@pytest.fixture
def there(settings):
    with provider(settings) as one:
        yield one


def travel(there, **changes):
    """There and back; `changes` replace what the browser brings."""
    journey, address = depart(back=BACK)
    given = {"journey": journey.stored(), "back": BACK, **there.authorise(address), **changes}
    return arrive(**given)


def why(there, **changes):
    with pytest.raises(OutsideRefused) as refusal:
        travel(there, **changes)
    return str(refusal.value.data["why"])


def test_a_signed_token_of_the_journey_is_believed(there):
    assert travel(there)["sub"] == "s-1"
    [form] = there.asked
    assert (form["grant_type"], form["redirect_uri"]) == ("authorization_code", BACK)


def test_another_state_and_an_old_journey_are_refused_before_anything_is_asked(
    there,
):
    old = Journey("s", "n", "v", int(time.time()) - 601).stored()
    for changes, reason in (
        ({"state": "other"}, "state"),
        ({"state": ""}, "state"),
        ({"journey": None}, "state"),
        ({"code": ""}, "no code"),
        ({"journey": old, "state": "s"}, "too long"),
    ):
        assert reason in why(there, **changes)
    assert there.asked == []


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"aud": "another"}, "InvalidAudienceError"),
        ({"aud": ["another"]}, "InvalidAudienceError"),
        ({"iss": "https://evil.example"}, "InvalidIssuerError"),
        ({"exp": 1}, "ExpiredSignatureError"),
        ({"iat": 2**33}, "ImmatureSignatureError"),
        ({"nonce": "of another journey"}, "nonce"),
        ({"nonce": None}, "nonce"),
        ({"azp": "another"}, "another client"),
        ({"sub": None}, "MissingRequiredClaimError"),
    ],
)
def test_wrong_claims_are_refused(there, claims, said):
    there.claims |= claims
    assert said in why(there)


def test_wrong_signatures_are_refused(there, monkeypatch):
    there.signer = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert "InvalidSignatureError" in why(there)
    claims = {"aud": "paraanno", "iss": there.issuer, "sub": "s", "iat": 1, "exp": 2**33}

    def signed(key, algorithm, kid="k-1"):
        return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid})

    for token, error in (
        (signed(None, "none"), "InvalidAlgorithmError"),
        (signed("shared" * 8, "HS256"), "InvalidAlgorithmError"),
        ("no.token", "DecodeError"),
        (signed(there.key, "RS256", "k-2"), "no key of that name"),
    ):
        monkeypatch.setattr(there, "token", lambda token=token: token)
        assert error in why(there)


def test_a_code_serves_once_and_only_with_the_proof_of_the_journey(there):
    journey, address = depart(back=BACK)
    given = {"journey": journey.stored(), "back": BACK, **there.authorise(address)}
    with pytest.raises(OutsideRefused):
        arrive(**given | {"journey": {**journey.stored(), "verifier": "guessed"}})
    assert arrive(**given)["sub"] == "s-1"
    with pytest.raises(OutsideRefused):
        arrive(**given)


def test_a_key_that_changes_is_asked_for_again(there):
    travel(there)
    there.key = there.signer = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert "Signature" in why(there)  # Of the same name: kept for an hour.
    cache.clear()
    assert travel(there)["sub"] == "s-1"


def test_a_provider_that_is_another_or_unsafe_or_away_is_refused(there, settings, monkeypatch):
    real = there.document
    for change in ({"issuer": "https://evil.example"}, {"token_endpoint": "http://evil.example/t"}):
        cache.clear()
        monkeypatch.setattr(
            there, "document", lambda path, change=change: {**(real(path) or {}), **change}
        )
        with pytest.raises(OutsideRefused):
            depart(back=BACK)
    cache.clear()
    settings.OIDC_ISSUER = "http://127.0.0.1:1"
    with pytest.raises(OutsideRefused):
        depart(back=BACK)
