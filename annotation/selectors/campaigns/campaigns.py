"""Lists and counts of campaigns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Membership,
    Slot,
    Substitution,
    Withdrawal,
)
from annotation.selectors.access import User, campaigns_for, campaigns_read_by, known
from annotation.selectors.campaigns.progress import OwnProgress, own_progress
from annotation.selectors.row_count import RowCount

# It has left everybody's lists; the page of the campaign that it tried out still leads to it.
ENDED_PILOT = Q(pilot=True, status=Campaign.Status.CLOSED)


def campaigns_with_progress(*, user: User, archived: bool = False) -> QuerySet[Campaign]:
    """Return the campaigns the user may read that are archived, or are not, with `slots_all`,
    `slots_done`, `role` and `simulated`; one query. Pilots that have ended are left out.
    """
    if not user.is_authenticated:
        return Campaign.objects.none()
    slots = Slot.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    role = Membership.objects.filter(campaign=OuterRef("pk"), user_id=user.pk).values("role")[:1]
    return (
        campaigns_read_by(user=user)
        .exclude(ENDED_PILOT)
        .filter(archived_at__isnull=not archived)
        .annotate(
            slots_all=_count(slots.exclude(state=Slot.State.VOID)),
            slots_done=_count(slots.filter(state=Slot.State.DONE)),
            role=Subquery(role),
            simulated=Exists(
                Annotator.objects.filter(
                    campaign=OuterRef("pk"), origin=Annotator.Origin.SIMULATED
                ).order_by()
            ),
        )
    )


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of items, scales and other rows of a campaign.

    items, substitutions   texts of systems and the items that have any
    checks                 texts for quality control and practice, which no statistic counts
    """

    items: int
    substitutions: int
    checks: int
    systems: int
    scales: int
    annotators: int
    invitations: int


def campaign_counts(*, campaign: Campaign) -> Counts:
    """Return the counts; one query."""
    texts = Substitution.objects.filter(campaign=campaign).order_by()
    outputs = texts.filter(role=Substitution.Role.OUTPUT)
    mine: dict[str, QuerySet[Any, Any]] = {
        "items": outputs.values("item").distinct(),
        "substitutions": outputs,
        "checks": texts.filter(role__in=Substitution.CHECKS),
        "systems": campaign.systems.order_by(),
        "scales": campaign.scales.order_by(),
        "annotators": campaign.annotators.order_by(),
        "invitations": campaign.invitations.order_by(),
    }
    # Named apart from the columns and relations of a campaign.
    found = {f"n_{name}": RowCount(rows) for name, rows in mine.items()}
    row = Campaign.objects.annotate(**found).values(*found).get(pk=campaign.pk)
    return Counts(**{name: row[f"n_{name}"] for name in mine})


def _count(rows: QuerySet[Slot, Any]) -> Coalesce:
    counted = rows.annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


@dataclass(frozen=True, slots=True)
class Task:
    """A campaign that the user annotates, with their progress."""

    campaign: Campaign
    progress: OwnProgress | None


def campaigns_to_annotate(*, user: User) -> list[Task]:
    """Return the campaigns in which the user is an annotator or has started and not withdrawn;
    closed ones last.
    """
    if not user.is_authenticated:
        return []
    annotators = {
        annotator.campaign_id: annotator
        for annotator in Annotator.objects.filter(user_id=user.pk).select_related("campaign")
    }
    left = Withdrawal.objects.filter(annotator__user_id=user.pk, ended_at=None)
    invited = Q(
        pk__in=Membership.objects.filter(user_id=user.pk, role=Membership.Role.ANNOTATOR).values(
            "campaign"
        )
    )
    campaigns = Campaign.objects.filter(invited | Q(pk__in=annotators)).exclude(
        Q(status=Campaign.Status.DRAFT) | ENDED_PILOT | Q(pk__in=left.values("campaign"))
    )
    return [
        Task(
            campaign,
            own_progress(campaign=campaign, annotator=annotators[campaign.pk])
            if campaign.pk in annotators
            else None,
        )
        for campaign in campaigns.order_by(F("closed_at").asc(nulls_first=True), "name")
    ]


def has_simulated(*, campaign: Campaign) -> bool:
    """Whether pages of the campaign must say that some judgments are simulated."""
    return Annotator.objects.filter(campaign=campaign, origin=Annotator.Origin.SIMULATED).exists()


def log_of(*, campaign: Campaign) -> QuerySet[AuditEntry]:
    """Return the audit entries of the campaign with the people in them; one query."""
    return AuditEntry.objects.filter(campaign=campaign).select_related("actor", "person")


def campaigns_with_role(*, user: User) -> QuerySet[Campaign]:
    """Return the campaigns the user may see, with their `role`; one query."""
    user = known(user)
    role = Membership.objects.filter(campaign=OuterRef("pk"), user=user).values("role")[:1]
    return campaigns_for(user=user).filter(archived_at=None).annotate(role=Subquery(role))
