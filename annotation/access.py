"""Access rights: what a user may see. All other reads start here.

A non-member gets NotFound, never "not allowed", so that the existence of a campaign is not
revealed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Permission
from django.contrib.auth.models import User as Account
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.database import Actor
from annotation.errors import Conflict, Invalid, NotAllowed, NotFound
from annotation.models import (
    Annotator,
    ApiToken,
    Campaign,
    ColumnMapping,
    Exclusion,
    Guest,
    ImportBatch,
    ImportJob,
    Invitation,
    Item,
    Membership,
    Ownership,
    Panel,
    Phrase,
    QualityAction,
    QualityRule,
    Scale,
    Scoped,
    Substitution,
    System,
    Visibility,
    WorkGroup,
    WorkList,
)
from annotation.models.panels import PARTICIPANT_LOGIN

Role = Membership.Role
User = Account | AnonymousUser
RowOf = TypeVar("RowOf", bound=Model)
# The models that `get_in` looks up, each with the message of its NotFound.
NO_SUCH: Mapping[type[Model], Promise] = {
    Annotator: gettext_lazy("There is no such annotator."),
    Exclusion: gettext_lazy("There is no such exclusion."),
    Guest: gettext_lazy("There is no such guest."),
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


def logged_in(user: User | AbstractBaseUser) -> Account:
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
    reach: Reach | None = getattr(user, "token_reach", None)
    return reach


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
    return rights_in(user=user, campaigns=[campaign])[campaign]


def rights_in(*, user: User, campaigns: Collection[Campaign]) -> dict[Campaign, Rights]:
    """Return the rights of `user` in each campaign; one query for any number of them."""
    if not user.is_authenticated:
        return {campaign: Rights(None, False) for campaign in campaigns}
    memberships = Membership.objects.filter(campaign__in=campaigns, user_id=user.pk)
    roles = dict(memberships.values_list("campaign_id", "role"))
    return {campaign: _rights(user, campaign, roles.get(campaign.pk)) for campaign in campaigns}


def _rights(user: User, campaign: Campaign, role: str | None) -> Rights:
    reach = reach_of(user)
    if reach is not None and not reach.includes(campaign.pk):
        return Rights(None, False)
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
    the pages and routes of others are closed, and what would give more asks
    `refuse_participant` first.
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
    if not may_create(user=logged_in(user), what=what):
        raise NotAllowed(
            _("Your login has no right to create this: an administrator of the site can grant it.")
        )
    return logged_in(user)


def creation_grant(*, user: Account) -> None:
    """Let the user create campaigns and add files for metrics."""
    refuse_participant(user=user)
    wanted = Q()
    for name in (CREATE_CAMPAIGNS, ADD_RESOURCES):
        app, _dot, codename = name.partition(".")
        wanted |= Q(content_type__app_label=app, codename=codename)
    user.user_permissions.add(*Permission.objects.filter(wanted))


def quota_check(*, actor: Actor, model: type[Model], most: int) -> None:
    """Raise Invalid if the actor has created `most` rows of the model, or more, which are there.

    Administrators have no quota. Call it inside the transaction that creates the next one: the
    actor's row is locked, so that requests at the same moment count each other.
    """
    if actor is None or actor.pk is None:
        return
    user = Account.objects.select_for_update(no_key=True).filter(pk=actor.pk).first()
    if user is None or user.is_superuser:
        return
    if model._default_manager.filter(created_by=user).count() >= most:
        raise Invalid(
            _("You have created %(most)s already, as many as one login may. Ask an administrator.")
            % {"most": most}
        )


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


def annotator_in(*, user: User, slug: str) -> Annotator | None:
    """Return the user's annotator in the campaign with this slug; None if there is none."""
    annotator = Annotator.objects.filter(campaign__slug=slug, user_id=logged_in(user).pk).first()
    reach = reach_of(user)
    return (
        annotator
        if annotator and (reach is None or reach.includes(annotator.campaign_id))
        else None
    )


def refuse_archived(campaign: Campaign) -> None:
    """Raise NotAllowed if the campaign is archived: what would change it asks here first."""
    if campaign.archived_at is not None:
        raise NotAllowed(_("This campaign is archived and cannot be changed. Bring it back first."))


def get_in(campaign: Campaign, model: type[RowOf], key: UUID, *related: str) -> RowOf:
    """Return the row with this key in the campaign, with `related` rows; one query.

    The caller has already checked access to the campaign. Raises NotFound if it has no such row.
    """
    rows = model._default_manager.filter(campaign=campaign, key=key)
    row = rows.select_related(*related).first() if related else rows.first()
    if row is None:
        raise NotFound(str(NO_SUCH[model]))
    return row


# Who sees and uses what people made: resources, builds and saved templates.
#
# Every list, picker, page, route, download and input of these starts from `seen_by` or, for the
# work of a campaign, from `usable_in`. What is out of one's scope is not there: also as an input.


Row = TypeVar("Row", bound=Scoped)
_KEEPERS = (Membership.Role.OWNER, Membership.Role.RESEARCHER)
_NOT_YOURS = gettext_lazy("Only its owner, or an administrator, may do this.")
_OF_CAMPAIGN = "campaign:"  # How forms name a campaign: campaign:SLUG.


def seen_by(*, user: User) -> Q:
    """What the user sees: what is theirs, the site's, and that of campaigns of which they are owner
    or researcher; administrators see all."""
    if user.is_superuser:
        return Q()
    return Q(scope=Visibility.SITE) | _own_rows(user.pk) | Q(campaign__in=_managed_campaigns(user))


def usable_in(*, campaign: Campaign | int, users: Collection[int | None]) -> Q:
    """What these users may use for the campaign: what is the campaign's, theirs or the site's.

    Never that of another campaign, whoever they are: its names would stand in results of this one.
    """
    condition = Q(scope=Visibility.SITE) | Q(scope=Visibility.CAMPAIGN, campaign=campaign)
    for user in users:
        if user is not None:
            condition |= _own_rows(user)
    return condition


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
            _(
                "It came from texts of a campaign: who sees that campaign’s systems sees it, and "
                "nobody else ever does."
            )
        )


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
    personal = ScopeChoice(Visibility.MINE, _("Only I"))
    site = ScopeChoice(Visibility.SITE, _("Everybody who does research on this site"))
    if campaign is not None:
        return [ScopeChoice(f"{_OF_CAMPAIGN}{campaign.slug}", _("This campaign")), personal, site]
    campaigns = Campaign.objects.filter(pk__in=_managed_campaigns(user), archived_at=None).order_by(
        "name", "pk"
    )
    of_campaigns = [
        ScopeChoice(f"{_OF_CAMPAIGN}{slug}", _("The campaign %(name)s") % {"name": name})
        for slug, name in campaigns.values_list("slug", "name")
    ]
    return [personal, *of_campaigns, site]


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
    chosen_campaign, _rights = campaign_get(user=user, slug=slug, right="research")
    return place_of(user, chosen_campaign)


def place_of(
    actor: AbstractBaseUser | AnonymousUser | None, campaign: Campaign | None
) -> Ownership:
    """The place of the campaign, else the actor's own; of the command line, which is nobody, the
    site."""
    pk = actor.pk if actor is not None else None
    if campaign is not None:
        return Ownership(Visibility.CAMPAIGN, campaign, pk)
    return Ownership(Visibility.SITE if pk is None else Visibility.MINE, None, pk)


def _own_rows(user: int | None) -> Q:
    return Q(scope=Visibility.MINE, created_by=user) if user is not None else Q(pk__in=[])


def _managed_campaigns(user: User) -> QuerySet[Membership, Any]:
    return _member(user).filter(role__in=_KEEPERS).values("campaign")


def _member(user: User) -> QuerySet[Membership]:
    return Membership.objects.filter(user_id=logged_in(user).pk)


def administrator(*, user: User) -> Account:
    """Return the user, who administers the site. Raises NotFound for everybody else."""
    if not user.is_authenticated or not user.is_superuser:
        raise NotFound(_("There is no such page."))
    return logged_in(user)
