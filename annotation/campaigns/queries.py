"""Lists and counts of campaigns; pilots of a campaign, and how far they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from statistics import median
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as UserModel
from django.db.models import (
    Count,
    Exists,
    F,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.access import User, campaign_get, campaigns_for, campaigns_read_by, logged_in
from annotation.campaigns.templating.queries import template_of
from annotation.database import RowCount
from annotation.errors import Invalid, NotFound
from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Exclusion,
    Guideline,
    Item,
    Judgment,
    JudgmentVersion,
    Membership,
    Output,
    Remark,
    Slot,
    Substitution,
    Tally,
    Withdrawal,
)
from annotation.models.panels import PARTICIPANTS
from annotation.sheets import tally
from annotation.sheets.own_work import work_of
from annotation.sheets.progress import OwnProgress, own_progresses
from paraanno.common.cells import known_tag
from paraanno.common.panel_links import ScaleTemplate
from paraanno.common.texts import say

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


# Whether the judgments of a pilot are in its campaign, or could be.


OUTPUT = Substitution.Role.OUTPUT
# The reason of the exclusions by which they are left out again.
LEFT_OUT = say("The judgments of the pilot are left out.")
# What may differ between the two: it changes no value.
FREE = ("threshold", "required")


def source_to_change(*, user: User, pilot: Campaign) -> Campaign:
    """Return the campaign that the pilot tries out, for a user who may change it too.

    Raises Invalid if there is none, and as `campaign_get` does.
    """
    if not pilot.pilot or pilot.copied_from is None:
        raise Invalid(_("This is no pilot of a campaign."))
    return campaign_get(user=user, slug=pilot.copied_from.slug, right="research")[0]


def voices_of(*, pilot: Campaign) -> QuerySet[Annotator]:
    """Return the annotators under which its judgments are in the campaign."""
    return Annotator.objects.filter(from_pilot__campaign=pilot)


def voices_out(*, pilot: Campaign) -> QuerySet[Exclusion]:
    """Return the exclusions in force by which the pilot was left out."""
    return Exclusion.objects.filter(
        annotator__in=voices_of(pilot=pilot),
        kind=Exclusion.Kind.EXCLUSION,
        ends_at=None,
        reason=str(LEFT_OUT),
    )


def pilot_counts(*, pilot: Campaign) -> bool | None:
    """Return whether its judgments count in the campaign; None if they were never taken over."""
    if not voices_of(pilot=pilot).exists():
        return None
    return not voices_out(pilot=pilot).exists()


def judgments_to_take(*, pilot: Campaign) -> QuerySet[Judgment]:
    """Return the counted answers to outputs by people who are not excluded in the pilot."""
    out = Exclusion.objects.filter(campaign=pilot, ends_at=None).exclude(annotator=None)
    return Judgment.objects.filter(
        campaign=pilot,
        status=Judgment.Status.COUNTED,
        kind=Judgment.Kind.RATING,
        substitution__role=OUTPUT,
    ).exclude(annotator__in=out.values("annotator"))


def twins_of(*, pilot: Campaign, source: Campaign) -> dict[int, int]:
    """Return the campaign's texts that are equal to the pilot's, by those; two queries.

    Equal: the same paraphrase of the same span of the same sentence, shown in the same context.
    """
    names = ("item__identity_hash", "text_hash", "context_hash")
    pilot_texts = Substitution.objects.filter(campaign=pilot, role=OUTPUT).order_by()
    theirs = Substitution.objects.filter(campaign=source, role=OUTPUT).order_by()
    theirs = theirs.filter(text_hash__in=pilot_texts.values("text_hash"))
    source_ids = {tuple(key): pk for pk, *key in theirs.values_list("pk", *names)}
    rows = pilot_texts.values_list("pk", *names)
    return {pk: source_ids[tuple(key)] for pk, *key in rows if tuple(key) in source_ids}


def obstacle(*, pilot: Campaign, source: Campaign | None) -> str:
    """Return why its judgments cannot be taken over; empty if they can."""
    if source is None:
        return _("The campaign that it tried out is gone.")
    if pilot.status != Campaign.Status.CLOSED:
        return _("The pilot is under way: end it first.")
    judged = judgments_to_take(pilot=pilot).order_by()
    if not judged.exists():
        return _("There are no judgments to take over.")
    why = _scales_differ(pilot, source)
    if why:
        return why
    twins = twins_of(pilot=pilot, source=source)
    gone = judged.exclude(substitution__in=list(twins)).values("substitution")
    missing = Substitution.objects.filter(pk__in=gone).order_by("pk")
    first = missing.first()
    if first is None:
        return ""
    return _(
        "%(n)s judged texts are not in the campaign any more, or not the same; the first is "
        "“%(text)s”."
    ) % {"n": missing.count(), "text": first.text[:80]}


def _scales_differ(pilot: Campaign, source: Campaign) -> str:
    now = {one.name: one for one in template_of(campaign=source).scales or ()}
    for scale in template_of(campaign=pilot).scales or ():
        other = now.pop(scale.name, None)
        if other is None:
            return _("The campaign has no scale %(name)s any more.") % {"name": scale.name}
        parts = [one.name for one in fields(ScaleTemplate) if one.name not in FREE]
        differ = [one for one in parts if getattr(scale, one) != getattr(other, one)]
        if differ:
            return _("The scale %(name)s has been changed since: %(fields)s.") % {
                "name": scale.name,
                "fields": ", ".join(differ),
            }
    if now:
        return _("The campaign has a scale %(name)s, which the pilot did not ask about.") % {
            "name": next(iter(now))
        }
    return ""


def counted_twice(*, pilot: Campaign) -> int:
    """Return how many answers taken over are of people who judged the same text and scale in the
    campaign too; one query."""
    own = Judgment.objects.filter(
        Q(annotator__user=OuterRef("annotator__from_pilot__user")),
        substitution=OuterRef("substitution"),
        scale=OuterRef("scale"),
        status=Judgment.Status.COUNTED,
    )
    taken = Judgment.objects.filter(annotator__in=voices_of(pilot=pilot))
    return taken.filter(Exists(own)).count()


@dataclass(frozen=True, slots=True)
class PilotView:
    """A pilot and its numbers.

    seconds   the median over annotators of the time for an answer; None without enough answers
    counts    whether its judgments count in the campaign; None: they were never taken over
    why_not   why they cannot be taken over; empty: they can
    twice     answers that count, of people who judged the same text in the campaign too
    """

    campaign: Campaign
    people: int
    sheets_done: int
    sheets: int
    answers: int
    cannot: int
    remarks: int
    seconds: float | None
    counts: bool | None
    why_not: str
    twice: int


def pilots_of(*, campaign: Campaign) -> list[PilotView]:
    """Return the campaign's pilots, newest first; a constant number of queries for each."""
    return [_view(one, campaign) for one in campaign.copies.filter(pilot=True).order_by("-pk")]


def annotators_to_pilot(*, campaign: Campaign) -> QuerySet[Membership]:
    """Return the members who may be asked to judge in a pilot, with their users; participants of a
    panel are in this campaign alone."""
    members = campaign.memberships.filter(role=Membership.Role.ANNOTATOR)
    members = members.exclude(user__in=UserModel.objects.filter(PARTICIPANTS))
    return members.select_related("user").order_by("user__username")


def people_to_pilot(*, campaign: Campaign, names: Sequence[str] | None) -> list[int]:
    """Return the ids of these annotators; of all for None. Raises Invalid for another name."""
    users = {one.user.get_username(): one.user_id for one in annotators_to_pilot(campaign=campaign)}
    for name in names or ():
        if name not in users:
            raise Invalid(_("%(name)s is no annotator of the campaign.") % {"name": name})
    return [users[name] for name in (users if names is None else dict.fromkeys(names))]


def _view(pilot: Campaign, source: Campaign) -> PilotView:
    slots = Slot.objects.filter(campaign=pilot).aggregate(
        all=Count(Value(1), filter=~Q(state=Slot.State.VOID)),
        done=Count(Value(1), filter=Q(state=Slot.State.DONE)),
    )
    counts = pilot_counts(pilot=pilot)
    answers = Judgment.objects.filter(campaign=pilot).aggregate(
        all=Count(Value(1), filter=Q(value__isnull=False) | ~Q(reason="")),
        cannot=Count(Value(1), filter=~Q(reason="")),
        people=Count("annotator", distinct=True),
    )
    return PilotView(
        campaign=pilot,
        people=answers["people"],
        sheets_done=slots["done"],
        sheets=slots["all"],
        answers=answers["all"],
        cannot=answers["cannot"],
        remarks=Remark.objects.filter(campaign=pilot).count(),
        seconds=_seconds(pilot),
        counts=counts,
        why_not=obstacle(pilot=pilot, source=source) if counts is None else "",
        twice=counted_twice(pilot=pilot) if counts else 0,
    )


def _seconds(pilot: Campaign) -> float | None:
    times: dict[int, list[datetime]] = {}
    saved = JudgmentVersion.objects.filter(
        judgment__campaign=pilot, request_id__isnull=False
    ).order_by("recorded_at")
    for annotator, at in saved.values_list("judgment__annotator", "recorded_at"):
        times.setdefault(annotator, []).append(at)
    each = [pace for one in times.values() if (pace := work_of(one).seconds_each) is not None]
    return median(each) if each else None
