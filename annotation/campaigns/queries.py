"""Lists and counts of campaigns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, IntegerField, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.access import User, campaigns_for, campaigns_read_by, logged_in
from annotation.database import RowCount
from annotation.errors import NotFound
from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Guideline,
    Item,
    Judgment,
    Membership,
    Output,
    Slot,
    Substitution,
    Tally,
    Withdrawal,
)
from annotation.sheets import tally
from annotation.sheets.progress import OwnProgress, own_progresses
from paraanno.common.cells import known_tag

# It has left everybody's lists; the page of the campaign that it tried out still leads to it.
ENDED_PILOT = Q(pilot=True, status=Campaign.Status.CLOSED)


def campaigns_with_progress(*, user: User, archived: bool = False) -> QuerySet[Campaign]:
    """Return the campaigns the user may read that are archived, or are not, with `slots_all`,
    `slots_done`, `role` and `simulated`; one query. Pilots that have ended are left out.
    """
    if not user.is_authenticated:
        return Campaign.objects.none()
    slots = Tally.objects.filter(campaign_id=OuterRef("pk"), scale_id=0).order_by()
    role = Membership.objects.filter(campaign=OuterRef("pk"), user_id=user.pk).values("role")[:1]
    return (
        campaigns_read_by(user=user)
        .exclude(ENDED_PILOT)
        .filter(archived_at__isnull=not archived)
        .annotate(
            slots_all=_sum(slots.exclude(state__in=[Slot.State.VOID, tally.UNDONE])),
            slots_done=_sum(slots.filter(state=Slot.State.DONE)),
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
    querysets: dict[str, QuerySet[Any, Any]] = {
        "items": outputs.values("item").distinct(),
        "substitutions": outputs,
        "checks": texts.filter(role__in=Substitution.CHECKS),
        "systems": campaign.systems.order_by(),
        "scales": campaign.scales.order_by(),
        "annotators": campaign.annotators.order_by(),
        "invitations": campaign.invitations.order_by(),
    }
    # Named apart from the columns and relations of a campaign.
    counts = {f"n_{name}": RowCount(rows) for name, rows in querysets.items()}
    row = Campaign.objects.annotate(**counts).values(*counts).get(pk=campaign.pk)
    return Counts(**{name: row[f"n_{name}"] for name in querysets})


def _sum(rows: QuerySet[Tally, Any]) -> Coalesce:
    summed = rows.values("campaign_id").annotate(sum=Sum("n")).values("sum")
    return Coalesce(Subquery(summed, output_field=IntegerField()), 0)


@dataclass(frozen=True, slots=True)
class Task:
    """A campaign that the user annotates, with their progress."""

    campaign: Campaign
    progress: OwnProgress | None


def campaigns_to_annotate(*, user: User) -> list[Task]:
    """Return the campaigns in which the user is an annotator or has started and not withdrawn;
    closed ones last. At most twelve queries, however many there are.
    """
    if not user.is_authenticated:
        return []
    annotators = {
        annotator.campaign_id: annotator for annotator in Annotator.objects.filter(user_id=user.pk)
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
    ordered = list(campaigns.order_by(F("closed_at").asc(nulls_first=True), "name"))
    begun = {one.pk: annotators[one.pk] for one in ordered if one.pk in annotators}
    progresses = own_progresses(annotators=begun)
    return [Task(one, progresses.get(one.pk)) for one in ordered]


def log_of(*, campaign: Campaign) -> QuerySet[AuditEntry]:
    """Return the audit entries of the campaign with the people in them; one query."""
    return AuditEntry.objects.filter(campaign=campaign).select_related("actor", "person")


def campaigns_with_role(*, user: User) -> QuerySet[Campaign]:
    """Return the campaigns the user may see, with their `role`; one query."""
    user = logged_in(user)
    role = Membership.objects.filter(campaign=OuterRef("pk"), user=user).values("role")[:1]
    return campaigns_for(user=user).filter(archived_at=None).annotate(role=Subquery(role))


# The guidelines of a campaign and their versions.


def guideline_get(*, campaign: Campaign, version: str) -> Guideline:
    """Return one version. Raises NotFound if there is none with that number."""
    number = min(int(version), 2**31 - 1) if version.isdecimal() else 0
    guideline = campaign.guidelines.filter(version=number).first()
    if guideline is None:
        raise NotFound(_("There is no such version."))
    return guideline


def guideline_first_used(*, annotator: Annotator) -> Guideline | None:
    """Return the version with which the annotator started; None if they have not started."""
    first = Judgment.objects.filter(annotator=annotator).aggregate(
        version=Min("guideline__version")
    )["version"]
    return Guideline.objects.filter(campaign=annotator.campaign_id, version=first).first()


# Filtered queries of a campaign's items and judgments.


JUDGMENT_FILTERS = {
    "annotator": "annotator__code",
    "scale": "scale__name",
    "item": "substitution__item__key",
    "substitution": "substitution__key",
    "status": "status",
    "kind": "kind",
    "occasion": "occasion",
    "recorded_from": "recorded_at__gte",
    "recorded_before": "recorded_at__lt",
}


def items_found(*, campaign: Campaign, **wanted: Any) -> QuerySet[Item]:
    """Return the campaign's items with all related rows; a constant number of queries.

    wanted  item (an outside id), phrase (its key), text, system (its label), role
    """
    rows = Item.objects.filter(campaign=campaign)
    if "item" in wanted:
        rows = rows.filter(outside_ids__value=wanted["item"])
    if "phrase" in wanted:
        rows = rows.filter(phrase__key=wanted["phrase"])
    if "text" in wanted:
        rows = rows.filter(sentence__icontains=wanted["text"])
    if "system" in wanted:
        given = Output.objects.filter(system__campaign=campaign, system__label=wanted["system"])
        rows = rows.filter(pk__in=given.exclude(substitution=None).values("item"))
    if "role" in wanted:
        texts = Substitution.objects.filter(campaign=campaign, role=wanted["role"])
        rows = rows.filter(pk__in=texts.values("item"))
    return rows.select_related("phrase", "campaign").prefetch_related(
        "outside_ids",
        "references",
        "substitutions__made_from",
        "outputs__system",
        "outputs__substitution",
    )


def item_get(*, campaign: Campaign, key: UUID) -> Item:
    """Return one item. Raises NotFound if the campaign has none with this key."""
    item = items_found(campaign=campaign).filter(key=key).first()
    if item is None:
        raise NotFound(_("There is no such item."))
    return item


def judgments_found(
    *, campaign: Campaign, system: str | None = None, **wanted: Any
) -> QuerySet[Judgment]:
    """Return the campaign's judgments; one query.

    wanted  names of JUDGMENT_FILTERS; `system` is the label of one that made the text
    """
    rows = Judgment.objects.filter(
        campaign=campaign, **{JUDGMENT_FILTERS[name]: value for name, value in wanted.items()}
    )
    if system is not None:
        made = Output.objects.filter(system__campaign=campaign, system__label=system)
        rows = rows.filter(substitution__in=made.values("substitution"))
    return rows.select_related("annotator", "substitution__item", "scale", "guideline")


# What says which of some judgments are ratings behind the statistics; the analysis registers it.
COUNTERS: list[Callable[..., set[int]]] = []


def judgments_counted(*, campaign: Campaign, judgments: Sequence[Judgment]) -> set[int]:
    """Return the ids of those that are ratings behind the statistics, by the first word on it."""
    return {pk for ask in COUNTERS for pk in ask(campaign=campaign, judgments=judgments)}


# The languages of a campaign's texts.


def languages_of(*, campaign: Campaign) -> list[str]:
    """Return the languages of the items, sorted, as tags of BCP 47, an empty one for unknown.

    The campaign's own if it has no items. One query.
    """
    own = Item.objects.filter(campaign=campaign).order_by().values_list("language", flat=True)
    languages = {known_tag(tag or campaign.language) for tag in own.distinct()}
    return sorted(languages or {campaign.language})


def language_asked(*, campaign: Campaign) -> bool:
    """Whether a campaign without a language has texts without one, or no texts yet; one query."""
    return not campaign.language and "" in languages_of(campaign=campaign)
