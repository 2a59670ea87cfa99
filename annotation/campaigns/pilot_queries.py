"""Pilots of a campaign, and how far they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from statistics import median

from django.contrib.auth.models import User as UserModel
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Value
from django.utils.translation import gettext as _

from annotation.access import User, campaign_get
from annotation.campaigns.templating.queries import template_of
from annotation.errors import Invalid
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Judgment,
    JudgmentVersion,
    Membership,
    Remark,
    Slot,
    Substitution,
)
from annotation.models.panels import PARTICIPANTS
from annotation.sheets.own_work import work_of
from paraanno.common.panel_links import ScaleTemplate
from paraanno.common.texts import say

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
