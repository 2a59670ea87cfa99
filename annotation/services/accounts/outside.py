"""Whose account it is that a provider vouches for."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import NotAllowed
from annotation.models import OutsideLogin
from annotation.selectors.access import CREATE_CAMPAIGNS, refuse_participant
from annotation.services.accounts.oidc import OutsideRefused, refused
from annotation.services.accounts.users import administrator_set, creation_set
from annotation.services.audit import audit
from annotation.services.transactions import short_write

MOST_NAMES = 100


def outside_account(*, claims: dict[str, Any]) -> User:
    """Return the active account of the checked claims, linked or made if the settings allow it.

    The provider's subject decides. An e-mail counts only if the provider says it is verified and
    its domain is allowed; it links an account that exists only with PARAANNO_OIDC_LINKS_BY_EMAIL,
    never an administrator's, and never one of several. Raises OutsideRefused.
    """
    issuer, subject = settings.OIDC_ISSUER, str(claims["sub"])
    email = _email(claims)
    known = OutsideLogin.objects.filter(issuer=issuer, subject=subject).select_related("user")
    link = known.first()
    user = link.user if link else _first_time(issuer, subject, email, claims)
    if not user.is_active:
        raise refused("the account is disabled")
    _rights(user, claims)
    return user


def outside_connect(*, user: User, claims: dict[str, Any]) -> None:
    """Link the login at the provider with the account of whoever is logged in here, by their own
    wish. Raises OutsideRefused if it is somebody else's."""
    refuse_participant(user=user)
    login, made = OutsideLogin.objects.get_or_create(
        issuer=settings.OIDC_ISSUER, subject=str(claims["sub"]), defaults={"user": user}
    )
    if login.user_id != user.pk:
        raise refused("the login there belongs to another account")
    if made:
        with short_write():
            audit(actor=user, verb="link single sign-on", about=user, campaign=None)


def _email(claims: dict[str, Any]) -> str:
    """The verified address, or ""; raises OutsideRefused if the settings want one of a domain."""
    email = str(claims.get("email") or "").strip()
    good = claims.get("email_verified") is True and email.count("@") == 1
    domain = email.rpartition("@")[2].lower()
    if settings.OIDC_DOMAINS and (not good or domain not in settings.OIDC_DOMAINS):
        raise _unwelcome("the address is not verified, or of no domain that is let in")
    return email if good else ""


def _first_time(issuer: str, subject: str, email: str, claims: dict[str, Any]) -> User:
    if not email:
        raise _unwelcome("the address is not verified")
    theirs = list(User.objects.filter(email__iexact=email)[:2])
    try:
        with short_write():
            if theirs:
                user = _linked(theirs)
            elif settings.OIDC_CREATES:
                user = _made(email, claims)
            else:
                raise _unwelcome("new accounts are not made")
            OutsideLogin.objects.create(user=user, issuer=issuer, subject=subject)
            audit(actor=user, verb="link single sign-on", about=user, campaign=None)
    except IntegrityError as error:  # The same person at the same moment, or the name was taken.
        raise refused("another request made the account") from error
    return user


def _linked(theirs: list[User]) -> User:
    if not settings.OIDC_LINKS_BY_EMAIL:
        raise _unwelcome("an account has this address, and linking is off")
    if len(theirs) > 1:
        raise _unwelcome("several accounts have this address")
    if theirs[0].is_superuser or theirs[0].is_staff:
        raise _unwelcome("administrators are not linked by their address")
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
