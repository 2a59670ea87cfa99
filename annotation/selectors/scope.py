"""Who sees and uses what people made: resources, builds and saved templates.

Every list, picker, page, route, download and input of these starts from `seen_by` or, for the work
of a campaign, from `usable_in`. What is out of one's scope is not there: also as an input.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import Conflict, Invalid, NotAllowed, NotFound
from annotation.models import Campaign, Membership, Ownership, Scoped, Visibility
from annotation.selectors.access import User, campaign_get, known

Row = TypeVar("Row", bound=Scoped)
_KEEPERS = (Membership.Role.OWNER, Membership.Role.RESEARCHER)
_NOT_YOURS = gettext_lazy("Only its owner, or an administrator, may do this.")
_OF_CAMPAIGN = "campaign:"  # How forms name a campaign: campaign:SLUG.


def seen_by(*, user: User) -> Q:
    """What the user sees: what is theirs, the site's, and that of campaigns of which they are owner
    or researcher; administrators see all."""
    if user.is_superuser:
        return Q()
    return Q(scope=Visibility.SITE) | _mine(user.pk) | Q(campaign__in=_kept(user))


def usable_in(*, campaign: Campaign | int, users: Collection[int | None]) -> Q:
    """What these users may use for the campaign: what is the campaign's, theirs or the site's.

    Never that of another campaign, whoever they are: its names would stand in results of this one.
    """
    found = Q(scope=Visibility.SITE) | Q(scope=Visibility.CAMPAIGN, campaign=campaign)
    for user in users:
        if user is not None:
            found |= _mine(user)
    return found


def seen_in(*, user: User, campaign: Campaign | None) -> Q:
    """What the user sees, of that with `campaign` what they may use for it."""
    if campaign is None:
        return seen_by(user=user)
    return seen_by(user=user) & usable_in(campaign=campaign, users=(user.pk,))


def one_of(rows: QuerySet[Row], *, key: UUID | str, no_such: str) -> Row:
    """The row with the key. Raises NotFound, also for a text that is no key."""
    try:
        return rows.get(key=key)
    except (rows.model.DoesNotExist, ValidationError) as error:
        raise NotFound(no_such) from error


def may_keep(*, row: Scoped, user: User) -> bool:
    """Whether the user may remove the row, or stop its work: its owner, an owner of its campaign,
    or an administrator. Callers have found it by one of the selectors above."""
    if user.is_superuser or row.created_by_id == user.pk:
        return True
    owned = _member(user).filter(campaign=row.campaign_id, role=Membership.Role.OWNER)
    return row.campaign_id is not None and owned.exists()


def refuse_removal(*, row: Scoped, user: User) -> None:
    """Raise NotAllowed unless they may."""
    if not may_keep(row=row, user=user):
        raise NotAllowed(str(_NOT_YOURS))


def may_move(*, row: Scoped, user: User) -> bool:
    """Whether the user may change its scope: its owner or an administrator, unless it is bound."""
    return not row.bound and (user.is_superuser or row.created_by_id == user.pk)


def refuse_move(*, row: Scoped, user: User) -> None:
    """Raise NotAllowed unless they may, and Conflict for what never leaves its campaign."""
    if not (user.is_superuser or row.created_by_id == user.pk):
        raise NotAllowed(str(_NOT_YOURS))
    if row.bound:
        raise Conflict(
            _("It came from texts of a campaign: who sees that campaign’s systems sees it, and "
              "nobody else ever does.")
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """An answer to the question who may use something: `value` is what a form sends."""

    value: str
    label: str


def scope_value(place: Ownership) -> str:
    """The value of a place in forms."""
    return f"{_OF_CAMPAIGN}{place.campaign.slug}" if place.campaign else str(place.scope)


def scope_choices(*, user: User, campaign: Campaign | None = None) -> list[ScopeChoice]:
    """Who may use what this user adds; first the default: the campaign that is open, else they
    themselves. The site is last: it is never chosen for anybody."""
    mine = ScopeChoice(Visibility.MINE, _("Only I"))
    site = ScopeChoice(Visibility.SITE, _("Everybody who does research on this site"))
    if campaign is not None:
        return [ScopeChoice(f"{_OF_CAMPAIGN}{campaign.slug}", _("This campaign")), mine, site]
    found = Campaign.objects.filter(pk__in=_kept(user), archived_at=None).order_by("name", "pk")
    of_campaigns = [
        ScopeChoice(f"{_OF_CAMPAIGN}{slug}", _("The campaign %(name)s") % {"name": name})
        for slug, name in found.values_list("slug", "name")
    ]
    return [mine, *of_campaigns, site]


def place_read(*, user: User, value: str, campaign: Campaign | None = None) -> Ownership:
    """Where something is to be, as a form says: "mine", "site" or campaign:SLUG; empty for the
    default. Raises Invalid for another text, and as `campaign_get` for a campaign in which the user
    does not research."""
    if not value:
        return place_of(user, campaign)
    if value in (Visibility.MINE, Visibility.SITE):
        return Ownership(Visibility(value), owner_id=user.pk)
    if not value.startswith(_OF_CAMPAIGN):
        raise Invalid(_("Say who may use it: mine, site, or a campaign."))
    slug = value.removeprefix(_OF_CAMPAIGN)
    found, _rights = campaign_get(user=user, slug=slug, right="research")
    return place_of(user, found)


def place_of(
    actor: AbstractBaseUser | AnonymousUser | None, campaign: Campaign | None
) -> Ownership:
    """The place of the campaign, else the actor's own; of the command line, which is nobody, the
    site."""
    pk = actor.pk if actor is not None else None
    if campaign is not None:
        return Ownership(Visibility.CAMPAIGN, campaign, pk)
    return Ownership(Visibility.SITE if pk is None else Visibility.MINE, None, pk)


def _mine(user: int | None) -> Q:
    return Q(scope=Visibility.MINE, created_by=user) if user is not None else Q(pk__in=[])


def _kept(user: User) -> QuerySet[Membership, Any]:
    return _member(user).filter(role__in=_KEEPERS).values("campaign")


def _member(user: User) -> QuerySet[Membership]:
    return Membership.objects.filter(user_id=known(user).pk)
