"""Access rights: what a user may see. All other reads start here.

A non-member gets NotFound, never "not allowed", so that the existence of a campaign is not
revealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.models import User as Account
from django.db.models import Model, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import NotAllowed, NotFound
from annotation.models import (
    Annotator,
    ApiToken,
    Campaign,
    ColumnMapping,
    Exclusion,
    ImportBatch,
    ImportJob,
    Invitation,
    Item,
    Membership,
    Panel,
    Phrase,
    QualityAction,
    QualityRule,
    Scale,
    Substitution,
    System,
    WorkGroup,
    WorkList,
)
from annotation.models.people.panel import PARTICIPANT_LOGIN

Role = Membership.Role
User = Account | AnonymousUser
Found = TypeVar("Found", bound=Model)
# The models that `get_in` looks up, each with the message of its NotFound.
NO_SUCH: Mapping[type[Model], Promise] = {
    Annotator: gettext_lazy("There is no such annotator."),
    Exclusion: gettext_lazy("There is no such exclusion."),
    ColumnMapping: gettext_lazy("There is no such mapping."),
    ImportBatch: gettext_lazy("There is no such import."),
    ImportJob: gettext_lazy("There is no such import."),
    Invitation: gettext_lazy("There is no such invitation."),
    Item: gettext_lazy("There is no such item."),
    Panel: gettext_lazy("There is no such panel."),
    Phrase: gettext_lazy("There is no such phrase."),
    QualityAction: gettext_lazy("There is no such action."),
    QualityRule: gettext_lazy("There is no such rule."),
    Scale: gettext_lazy("There is no such scale."),
    Substitution: gettext_lazy("There is no such text."),
    System: gettext_lazy("There is no such system."),
    WorkGroup: gettext_lazy("There is no such group."),
    WorkList: gettext_lazy("There is no such list."),
}


def known(user: User | AbstractBaseUser) -> Account:
    """Return the logged-in user. Raises NotFound for anonymous users; routes require a login
    first.
    """
    if not isinstance(user, Account):
        raise NotFound(_("There is no such page."))
    return user


class TokenScope(NotAllowed):
    """The API token does not reach that, though its owner may."""

    code = "token_scope"


@dataclass(frozen=True, slots=True)
class Reach:
    """What an API token with a scope reaches: a right, and the ids of campaigns (None: all)."""

    scope: str
    campaigns: frozenset[int] | None

    def includes(self, campaign: int) -> bool:
        return self.campaigns is None or campaign in self.campaigns

    def grants(self, *scopes: str) -> bool:
        return self.scope in (*scopes, ApiToken.Scope.MANAGE)


def reach_of(user: User) -> Reach | None:
    """Return the reach of the token by which the user came; None for a session or a token that has
    all rights of its owner. The account of a request carries it."""
    found: Reach | None = getattr(user, "token_reach", None)
    return found


@dataclass(frozen=True, slots=True)
class Rights:
    """What one user may do in one campaign, within the scope of a token if one is used."""

    role: str | None
    site_admin: bool
    archived: bool = False
    reach: Reach | None = None

    def _granted(self, *scopes: str) -> bool:
        return self.reach is None or self.reach.grants(*scopes)

    @property
    def see(self) -> bool:
        """Know that the campaign exists."""
        return self.site_admin or self.role is not None

    @property
    def annotate(self) -> bool:
        """Judge; owners, researchers and administrators are marked as not blind. Nobody while the
        campaign is archived."""
        if self.archived or not self._granted(ApiToken.Scope.JUDGE):
            return False
        return self.site_admin or self.role in (Role.OWNER, Role.RESEARCHER, Role.ANNOTATOR)

    @property
    def read(self) -> bool:
        """Read systems, scores, other people's judgments, reports and exports."""
        if not self._granted(ApiToken.Scope.READ):
            return False
        return self.site_admin or self.role in (Role.OWNER, Role.RESEARCHER, Role.VIEWER)

    @property
    def research(self) -> bool:
        """Import, invite annotators, open and close, exclude, start runs; nobody while the campaign
        is archived."""
        return self.keep and not self.archived

    @property
    def keep(self) -> bool:
        """Take everything along: archives, packages to publish."""
        return self._granted() and (self.site_admin or self.role in (Role.OWNER, Role.RESEARCHER))

    @property
    def own(self) -> bool:
        """Set roles, remove members, delete."""
        if not self._granted():
            return False
        return self.site_admin or self.role == Role.OWNER


def refuse_reach(user: User) -> None:
    """Raise TokenScope if the user came by a token with a scope: what is outside of campaigns asks
    here."""
    if reach_of(user) is not None:
        raise TokenScope(_("This token has a scope: it reaches nothing outside of its campaigns."))


def rights(*, user: User, campaign: Campaign) -> Rights:
    """Return the rights of `user` in `campaign`; one query."""
    reach = reach_of(user)
    if not user.is_authenticated or (reach is not None and not reach.includes(campaign.pk)):
        return Rights(None, False)
    role = (
        Membership.objects.filter(campaign=campaign, user_id=user.pk)
        .values_list("role", flat=True)
        .first()
    )
    archived = campaign.archived_at is not None
    if takes_part(user=user):
        return Rights(role and Role.ANNOTATOR, False, archived, reach)
    return Rights(role, bool(user.is_superuser), archived, reach)


def _within_reach(user: User) -> QuerySet[Campaign]:
    """All campaigns, or those that the user's token reaches."""
    reach = reach_of(user)
    if reach is None or reach.campaigns is None:
        return Campaign.objects.all()
    return Campaign.objects.filter(pk__in=reach.campaigns)


def campaigns_for(*, user: User) -> QuerySet[Campaign]:
    """Return the campaigns that the user may see."""
    if not user.is_authenticated:
        return Campaign.objects.none()
    if user.is_superuser:
        return _within_reach(user)
    return _within_reach(user).filter(
        pk__in=Membership.objects.filter(user_id=user.pk).values("campaign")
    )


def campaigns_read_by(*, user: User) -> QuerySet[Campaign]:
    """Return the campaigns whose results the user may read."""
    reach = reach_of(user)
    if not user.is_authenticated or (reach and not reach.grants(ApiToken.Scope.READ)):
        return Campaign.objects.none()
    if user.is_superuser:
        return _within_reach(user)
    readers = Membership.objects.filter(user_id=user.pk).filter(
        Q(role=Role.OWNER) | Q(role=Role.RESEARCHER) | Q(role=Role.VIEWER)
    )
    return _within_reach(user).filter(pk__in=readers.values("campaign"))


def takes_part(*, user: User) -> bool:
    """Whether the user is a participant: came by a panel's link, with a login that nobody knows; no
    query.

    A participant annotates in the panel's campaign, and is nothing else: `rights` gives no more,
    the pages and routes of others are closed (`views/people/participants.py`), and what would give
    more asks `refuse_participant` first.
    """
    return PARTICIPANT_LOGIN.fullmatch(user.get_username()) is not None


def refuse_participant(*, user: User) -> None:
    """Raise NotAllowed for a participant. Whatever gives an account a role, a team, a token or
    another way in asks here first."""
    if takes_part(user=user):
        raise NotAllowed(
            _(
                "This login came by the link of a study. It judges there alone: it gets no other "
                "role, no team, no token and no password."
            )
        )


def researches(*, user: User) -> bool:
    """Whether the user is a researcher in any campaign and may therefore add files for metrics; at
    most one query.
    """
    if not user.is_authenticated:
        return False
    roles = (Role.OWNER, Role.RESEARCHER)
    return bool(
        user.is_superuser or Membership.objects.filter(user_id=user.pk, role__in=roles).exists()
    )


CREATE_CAMPAIGNS, ADD_RESOURCES = "annotation.add_campaign", "scoring.add_resource"


def may_create(*, user: User, what: str = CREATE_CAMPAIGNS) -> bool:
    """Whether the user may create campaigns, or add files for metrics (ADD_RESOURCES).

    Administrators may, and whoever has Django's permission of that name, directly or by a group;
    everybody with a login where PARAANNO_EVERYBODY_CREATES is set.
    """
    if not user.is_authenticated or takes_part(user=user):
        return False
    return bool(settings.EVERYBODY_CREATES or user.has_perm(what))


def creator(*, user: User, what: str = CREATE_CAMPAIGNS) -> Account:
    """Return the user, who may create. Raises NotAllowed, also for a token of certain campaigns,
    and NotFound for anonymous users."""
    refuse_reach(user)
    if not may_create(user=known(user), what=what):
        raise NotAllowed(
            _("Your login has no right to create this: an administrator of the site can grant it.")
        )
    return known(user)


def site_admin(*, user: User) -> Account:
    """Return the user, an administrator of the site. Raises NotFound for others."""
    found = known(user)
    refuse_reach(user)
    if not found.is_superuser:
        raise NotFound(_("There is no such page."))
    return found


def campaign_get(*, user: User, slug: str, right: str = "see") -> tuple[Campaign, Rights]:
    """Return the campaign and the user's rights in it.

    `right` is one of see, annotate, read, research, keep, own. Raises NotFound for non-members and
    NotAllowed for members without the right.
    """
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise NotFound(_("There is no such campaign."))
    granted = rights(user=user, campaign=campaign)
    if not granted.see:
        raise NotFound(_("There is no such campaign."))
    if not getattr(granted, right):
        if granted.keep:
            refuse_archived(campaign)
        if getattr(replace(granted, reach=None), right):
            raise TokenScope(_("The scope of this token does not allow that."))
        raise NotAllowed(_("Your role in this campaign does not allow that."))
    return campaign, granted


def refuse_archived(campaign: Campaign) -> None:
    """Raise NotAllowed if the campaign is archived: what would change it asks here first."""
    if campaign.archived_at is not None:
        raise NotAllowed(_("This campaign is archived and cannot be changed. Bring it back first."))


def get_in(campaign: Campaign, model: type[Found], key: UUID, *related: str) -> Found:
    """Return the row with this key in the campaign, with `related` rows; one query.

    The caller has already checked access to the campaign. Raises NotFound if it has no such row.
    """
    rows = model._default_manager.filter(campaign=campaign, key=key)
    found = rows.select_related(*related).first() if related else rows.first()
    if found is None:
        raise NotFound(str(NO_SUCH[model]))
    return found
