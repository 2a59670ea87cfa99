"""What erasing a person would do, campaign by campaign, before anything is done."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import (
    Annotator,
    ApiToken,
    AuditEntry,
    BackgroundAnswer,
    Campaign,
    Judgment,
    Membership,
    Remark,
)
from annotation.selectors.access import User as AnyUser

OWNER = Membership.Role.OWNER


@dataclass(frozen=True, slots=True)
class ErasedPart:
    """A campaign that the person is in, and what is there of them. `removes`: judgments go."""

    campaign: Campaign
    role: str
    annotator: Annotator | None
    removes: bool
    judgments: int = 0
    remarks: int = 0
    answers: int = 0


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """All that would happen. Nothing does while there is an obstacle."""

    user: User
    parts: tuple[ErasedPart, ...]
    only_owner_of: tuple[Campaign, ...]
    last_admin: bool
    tokens: int
    log_entries: int

    @property
    def possible(self) -> bool:
        return not self.only_owner_of and not self.last_admin


def account_get(*, actor: AnyUser, pk: int) -> User:
    """An account, for administrators. Raises NotFound for everybody else, and for no account."""
    found = None
    if actor.is_authenticated and actor.is_superuser:
        found = User.objects.filter(pk=pk).first()
    if found is None:
        raise NotFound(_("There is no such page."))
    return found


def erasure_plan(*, user: User) -> ErasurePlan:
    """Look at everything; a constant number of queries."""
    annotators = {
        one.campaign_id: one
        for one in Annotator.objects.filter(user=user).select_related("campaign", "invitation")
    }
    members = Membership.objects.filter(user=user).select_related("campaign")
    roles = {one.campaign_id: one for one in members}
    counts = [
        _by_annotator(model.objects.filter(annotator__user=user))
        for model in (Judgment, Remark, BackgroundAnswer)
    ]
    parts = []
    for pk in {**annotators, **roles}:
        annotator, member = annotators.get(pk), roles.get(pk)
        campaign = annotator.campaign if annotator else roles[pk].campaign
        found = [count.get(annotator.pk, 0) if annotator else 0 for count in counts]
        role = member.role if member else ""
        parts.append(ErasedPart(campaign, role, annotator, campaign.erasure_removes, *found))
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    log = AuditEntry.objects.filter(actor=user).count()
    return ErasurePlan(
        user, tuple(sorted(parts, key=lambda one: one.campaign.name)),
        tuple(_only_owner_of(user)), user.is_superuser and not others.exists(),
        ApiToken.objects.filter(user=user).count(), log,
    )  # fmt: skip


def _by_annotator(rows: QuerySet) -> dict[int, int]:
    return dict(rows.order_by().values_list("annotator").annotate(n=Count("pk")))


def _only_owner_of(user: User) -> QuerySet[Campaign]:
    """The campaigns that would have no owner."""
    owners = (
        Membership.objects.filter(campaign=OuterRef("pk"), role=OWNER)
        .order_by()
        .values("campaign")
        .annotate(n=Count("pk"))
        .values("n")
    )
    mine = Membership.objects.filter(user=user, role=OWNER)
    rows = Campaign.objects.filter(pk__in=mine.values("campaign"))
    return rows.annotate(owners=Subquery(owners)).filter(owners=1).order_by(F("name"))
