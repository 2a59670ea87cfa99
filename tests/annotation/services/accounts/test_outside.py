"""Whose account a provider's claims are: by its subject; by e-mail only where that is allowed."""

import pytest
from django.contrib.auth.models import User

from annotation.models import OutsideLogin
from annotation.selectors.access import may_create
from annotation.services.accounts.oidc import OutsideRefused
from annotation.services.accounts.outside import outside_account, outside_connect
from tests.factories import make_admin, make_user

KIM = {"sub": "s-1", "email": "Kim@uni.example", "email_verified": True}


@pytest.fixture(autouse=True)
def site(settings):
    settings.OIDC_ISSUER = "https://login.uni.example"
    settings.OIDC_CREATES = True
    return settings


def refusal(**claims):
    before = User.objects.count(), OutsideLogin.objects.count()
    with pytest.raises(OutsideRefused) as refused:
        outside_account(claims={**KIM, **claims})
    assert (User.objects.count(), OutsideLogin.objects.count()) == before
    return str(refused.value.data["why"])


def test_an_account_is_made_once_and_known_by_its_subject():
    make_user("kim")
    user = outside_account(claims={**KIM, "preferred_username": "kim"})
    assert (user.username, user.has_usable_password()) == ("Kim@uni.example", False)
    moved = {"sub": "s-1", "email": "new@elsewhere.example", "email_verified": False}
    assert outside_account(claims=moved) == user
    other = outside_account(claims={**KIM, "sub": "s-2", "email": "lee@uni.example"})
    assert other != user and other.username == "lee@uni.example"


def test_no_account_without_a_verified_address(site):
    for verified in (False, None, "true"):
        assert "not verified" in refusal(email_verified=verified)
    assert "not verified" in refusal(email="")
    site.OIDC_CREATES = False
    assert "not made" in refusal()


def test_only_domains_that_are_let_in(site):
    site.OIDC_DOMAINS = ["uni.example"]
    for email in ("kim@evil.example", "kim@uni.example.evil.example", "a@evil@uni.example"):
        assert "domain" in refusal(email=email)
    user = outside_account(claims=KIM)
    assert "domain" in refusal(email="kim@evil.example")
    assert outside_account(claims=KIM) == user


def test_an_address_links_only_where_the_settings_allow_it(site):
    bob = make_user("bob", email="kim@uni.example")
    assert "linking is off" in refusal()
    site.OIDC_LINKS_BY_EMAIL = True
    assert "not verified" in refusal(email_verified=False)
    make_user("ben", email="KIM@uni.example")
    assert "several" in refusal()
    User.objects.filter(username="ben").delete()
    assert outside_account(claims=KIM) == bob
    bob.is_active = False
    bob.save()
    assert "disabled" in refusal()


def test_an_administrator_is_linked_by_nobody_else(site):
    adam = make_admin()
    adam.email = "kim@uni.example"
    adam.save()
    site.OIDC_LINKS_BY_EMAIL = True
    assert "administrators" in refusal()
    outside_connect(user=adam, claims=KIM)
    assert outside_account(claims=KIM) == adam
    with pytest.raises(OutsideRefused):
        outside_connect(user=make_user("bob"), claims=KIM)


def test_claims_give_rights_and_take_them(site):
    site.OIDC_RIGHTS = [("groups", "staff", "create"), ("role", "root", "admin")]
    user = outside_account(claims={**KIM, "groups": ["staff", "x"], "role": "root"})
    assert (may_create(user=user), user.is_superuser) == (True, True)
    user = outside_account(claims={**KIM, "groups": "staffers", "role": "root"})
    assert not User.objects.get(pk=user.pk).user_permissions.exists()
    assert outside_account(claims=KIM).is_superuser  # The only one stays.
    make_admin()
    user = outside_account(claims=KIM)
    assert (may_create(user=User.objects.get(pk=user.pk)), user.is_superuser) == (False, False)
