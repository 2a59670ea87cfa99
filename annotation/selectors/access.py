"""What a user may see. Every other read starts from here.

A stranger gets NotFound, never "not allowed": that a campaign exists is not their business.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.models import User as Account
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.models import Campaign, Membership
from annotation.services.errors import NotAllowed, NotFound

Role = Membership.Role
User = Account | AnonymousUser


def known(user: User | AbstractBaseUser) -> Account:
    """The logged-in user. Raises NotFound for anybody else: routes ask for a login before."""
    if not isinstance(user, Account):
        raise NotFound(_("There is no such page."))
    return user


@dataclass(frozen=True, slots=True)
class Rights:
    """What one user may do in one campaign."""

    role: str | None
    site_admin: bool

    @property
    def see(self) -> bool:
        """Know that it is there."""
        return self.site_admin or self.role is not None

    @property
    def annotate(self) -> bool:
        """Judge; owners, researchers and administrators are marked as not blind."""
        return self.site_admin or self.role in (Role.OWNER, Role.RESEARCHER, Role.ANNOTATOR)

    @property
    def read(self) -> bool:
        """Systems, scores, other people's judgments, reports, exports."""
        return self.site_admin or self.role in (Role.OWNER, Role.RESEARCHER, Role.VIEWER)

    @property
    def research(self) -> bool:
        """Import, invite annotators, open and close, exclude, start runs."""
        return self.site_admin or self.role in (Role.OWNER, Role.RESEARCHER)

    @property
    def own(self) -> bool:
        """Name and remove members, delete."""
        return self.site_admin or self.role == Role.OWNER


def rights(*, user: User, campaign: Campaign) -> Rights:
    """The rights of `user` in `campaign`; one query."""
    if not user.is_authenticated:
        return Rights(None, False)
    role = (
        Membership.objects.filter(campaign=campaign, user_id=user.pk)
        .values_list("role", flat=True)
        .first()
    )
    return Rights(role, bool(user.is_superuser))


def campaigns_for(*, user: User) -> QuerySet[Campaign]:
    """The campaigns that the user knows of."""
    if not user.is_authenticated:
        return Campaign.objects.none()
    if user.is_superuser:
        return Campaign.objects.all()
    return Campaign.objects.filter(
        pk__in=Membership.objects.filter(user_id=user.pk).values("campaign")
    )


def campaigns_read_by(*, user: User) -> QuerySet[Campaign]:
    """The campaigns whose results the user may read."""
    if user.is_authenticated and user.is_superuser:
        return Campaign.objects.all()
    if not user.is_authenticated:
        return Campaign.objects.none()
    readers = Membership.objects.filter(user_id=user.pk).filter(
        Q(role=Role.OWNER) | Q(role=Role.RESEARCHER) | Q(role=Role.VIEWER)
    )
    return Campaign.objects.filter(pk__in=readers.values("campaign"))


def researches(*, user: User) -> bool:
    """Whether the user may do research in some campaign: files for metrics are then theirs to
    add. One query at most."""
    if not user.is_authenticated:
        return False
    roles = (Role.OWNER, Role.RESEARCHER)
    return bool(
        user.is_superuser or Membership.objects.filter(user_id=user.pk, role__in=roles).exists()
    )


def campaign_get(*, user: User, slug: str, right: str = "see") -> tuple[Campaign, Rights]:
    """The campaign and the user's rights in it.

    `right` is one of see, annotate, read, research, own. Raises NotFound for strangers and
    NotAllowed for members without the right.
    """
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise NotFound(_("There is no such campaign."))
    granted = rights(user=user, campaign=campaign)
    if not granted.see:
        raise NotFound(_("There is no such campaign."))
    if not getattr(granted, right):
        raise NotAllowed(_("Your role in this campaign does not allow that."))
    return campaign, granted
