"""Whose account a provider's claims are: by its subject; by e-mail only where that is allowed."""

import pytest
from django.contrib.auth.models import User

from annotation.access import may_create
from annotation.accounts.external_accounts import (
    OutsideRefused,
    outside_account,
    outside_connect,
    outside_disconnect,
)
from annotation.errors import Conflict, NotFound
from annotation.models import OutsideLogin
from tests.annotation.doors import with_factor
from tests.clients import client_of
from tests.factories import make_admin, make_user
from tests.letters import sent

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
    outside_connect(user=adam, subject="s-1", label="Kim")
    assert outside_account(claims=KIM) == adam
    with pytest.raises(Conflict):
        outside_connect(user=make_user("bob"), subject="s-1", label="Kim")


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


def test_a_second_factor_is_not_gone_round_by_an_address(site):
    site.OIDC_LINKS_BY_EMAIL = True
    with_factor(make_user("bob", email="kim@uni.example"))
    assert "second factor" in refusal()


def test_owners_hear_of_logins_that_are_connected_and_taken_away(site):
    site.OIDC_LINKS_BY_EMAIL = True
    bob = make_user("bob", email="kim@uni.example")
    outside_account(claims=KIM)
    outside_connect(user=bob, subject="s-2", label="lee")
    outside_connect(user=bob, subject="s-2", label="lee")
    first, second = bob.outside_logins.all()
    assert (first.label, first.used_at is None, second.used_at) == (KIM["email"], False, None)
    there = client_of("bob")
    outside_disconnect(user=bob, key=first.key, actor=make_admin())
    assert there.get("/accounts/").status_code == 302
    assert [letter.to for letter in sent()] == [["kim@uni.example"]] * 3
    assert ["connected" in letter.subject for letter in sent()] == [True] * 3
    assert "lee" in sent()[1].body and "Kim@uni.example" in sent()[2].body
    with pytest.raises(NotFound):
        outside_disconnect(user=make_user("ben"), key=second.key, actor=make_admin())


def test_nobody_takes_away_the_only_way_in_but_an_administrator(site):
    kim = outside_account(claims=KIM)
    login = kim.outside_logins.get()
    with pytest.raises(Conflict):
        outside_disconnect(user=kim, key=login.key, actor=kim)
    OutsideLogin.objects.create(user=kim, issuer="https://elsewhere.example", subject="s-1")
    with pytest.raises(Conflict):
        outside_disconnect(user=kim, key=login.key, actor=kim)
    outside_connect(user=kim, subject="s-2", label="other")
    outside_disconnect(user=kim, key=login.key, actor=kim)
    outside_disconnect(user=kim, key=kim.outside_logins.last().key, actor=make_admin())
    assert OutsideLogin.objects.get().issuer == "https://elsewhere.example"
