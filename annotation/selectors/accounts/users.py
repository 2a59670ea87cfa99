"""Accounts of the site, for administrators."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission, User
from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)  # fmt: skip
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import ApiToken, OutsideLogin, SecondFactor, SignedIn
from annotation.models.people.panel import PARTICIPANTS
from annotation.selectors.access import CREATE_CAMPAIGNS, known
from annotation.selectors.access import User as Somebody
from annotation.selectors.accounts.sessions import live_sessions
from paraanno import clock

STATES = ("", "active", "disabled", "never", "crowd")
RIGHTS = ("", "admin", "create", "factor")


def administrator(*, user: Somebody) -> User:
    """Return the user, who administers the site. Raises NotFound for everybody else."""
    if not user.is_authenticated or not user.is_superuser:
        raise NotFound(_("There is no such page."))
    return known(user)


def users_found(*, query: str = "", state: str = "", right: str = "") -> QuerySet[User]:
    """Return accounts by name; one query.

    `query` is a part of the name or e-mail. People of crowd platforms are left out but for the
    state "crowd". Each has `sessions`, `tokens`, `seen`, `creates`, `factor` and `outside`.
    """
    users = User.objects.all()
    if query:
        users = users.filter(Q(username__icontains=query) | Q(email__icontains=query))
    users = users.filter(PARTICIPANTS if state == "crowd" else ~PARTICIPANTS)
    users = {
        "active": users.filter(is_active=True),
        "disabled": users.filter(is_active=False),
        "never": users.filter(last_login=None),
    }.get(state, users)
    users = _told(users)
    users = {
        "admin": users.filter(is_superuser=True),
        "create": users.filter(Q(creates=True) | Q(is_superuser=True)),
        "factor": users.filter(second_factor__isnull=False),
    }.get(right, users)
    return users.order_by("username")


def user_get(*, pk: int) -> User:
    """Return the account, described as in the list. Raises NotFound."""
    found = _told(User.objects.filter(pk=pk)).first()
    if found is None:
        raise NotFound(_("There is no such account."))
    return found


def _told(users: QuerySet[User]) -> QuerySet[User]:
    mine = OuterRef("pk")
    codename = CREATE_CAMPAIGNS.partition(".")[2]
    granted = Permission.objects.filter(
        content_type__app_label="annotation", codename=codename
    ).filter(Q(user=mine) | Q(group__user=mine))
    tokens = ApiToken.objects.filter(user=mine).filter(
        Q(expires_at=None) | Q(expires_at__gt=clock.now())
    )
    seen = SignedIn.objects.filter(user=mine).order_by().values("user").annotate(n=Max("seen_at"))
    return users.annotate(
        sessions=_count(live_sessions().filter(user=mine)),
        tokens=_count(tokens),
        seen=Coalesce(Subquery(seen.values("n"), output_field=DateTimeField()), "last_login"),
        creates=Exists(granted),
        factor=Exists(SecondFactor.objects.filter(user=mine)),
        outside=Exists(OutsideLogin.objects.filter(user=mine)),
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    number = rows.order_by().values("user").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(number, output_field=IntegerField()), 0)
