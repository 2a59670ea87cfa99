"""Pilots of a campaign, and how far they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign, Judgment, JudgmentVersion, Membership, Remark, Slot
from annotation.models.people.panel import PARTICIPANTS
from annotation.selectors.campaigns.pilot_judgments import (
    counted_twice,
    obstacle,
    pilot_counts,
)
from annotation.selectors.collecting.own_work import work_of


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
    members = members.exclude(user__in=User.objects.filter(PARTICIPANTS))
    return members.select_related("user").order_by("user__username")


def people_to_pilot(*, campaign: Campaign, names: Sequence[str] | None) -> list[int]:
    """Return the ids of these annotators; of all for None. Raises Invalid for another name."""
    known = {one.user.get_username(): one.user_id for one in annotators_to_pilot(campaign=campaign)}
    for name in names or ():
        if name not in known:
            raise Invalid(_("%(name)s is no annotator of the campaign.") % {"name": name})
    return [known[name] for name in (known if names is None else dict.fromkeys(names))]


def _view(pilot: Campaign, source: Campaign) -> PilotView:
    slots = Slot.objects.filter(campaign=pilot).aggregate(
        all=Count("pk", filter=~Q(state=Slot.State.VOID)),
        done=Count("pk", filter=Q(state=Slot.State.DONE)),
    )
    counts = pilot_counts(pilot=pilot)
    answers = Judgment.objects.filter(campaign=pilot).aggregate(
        all=Count("pk", filter=Q(value__isnull=False) | ~Q(reason="")),
        cannot=Count("pk", filter=~Q(reason="")),
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
