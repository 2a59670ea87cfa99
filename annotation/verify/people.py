"""Rules about participants."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Count, Exists, F, OuterRef, Q

from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Expected,
    Membership,
    Panel,
    Participant,
    PartOutcome,
    PracticeAttempt,
    PracticeText,
    Slot,
    Substitution,
    Withdrawal,
)
from annotation.models.panels import PARTICIPANTS
from annotation.verify.rules import broken_ids, rule
from paraanno.common.panel_links import address_problem, parameter_problem
from paraanno.common.texts import NOTHING


@rule("Who withdrew holds no open sheet, and what they took out is excluded")
def _withdrawals(campaign: Campaign) -> Iterator[str]:
    left = Withdrawal.objects.filter(campaign=campaign, ended_at=None)
    held = Slot.objects.filter(campaign=campaign, state=Slot.State.CLAIMED)
    yield from broken_ids(held.filter(annotator__in=left.values("annotator")))
    out = Exclusion.objects.filter(campaign=campaign, kind="withdrawal", ends_at=None)
    removed = left.filter(judgments=Withdrawal.Judgments.REMOVE)
    yield from broken_ids(removed.exclude(annotator__in=out.values("annotator")))


@rule("A participant is an annotator of the panel's campaign, and of no imported voice")
def _parts(campaign: Campaign) -> Iterator[str]:
    parts = Participant.objects.filter(panel__campaign=campaign)
    fits = Q(annotator__campaign=campaign, annotator__origin=Annotator.Origin.PARTICIPANT)
    yield from broken_ids(parts.exclude(fits))


@rule("A participant or guest is an annotator of their campaign, and has no other role")
def _roles(campaign: Campaign) -> Iterator[str]:
    comes_by_link = Q(origin=Annotator.Origin.PARTICIPANT) | Q(guest__campaign=campaign)
    annotators = Annotator.objects.filter(comes_by_link, campaign=campaign)
    crowd = Membership.objects.filter(campaign=campaign, user__in=User.objects.filter(PARTICIPANTS))
    fits = Q(role=Membership.Role.ANNOTATOR, user__in=annotators.values("user"))
    yield from broken_ids(crowd.exclude(fits))


@rule("A panel asks for ids, and sends people back, as new panels may")
def _panels(campaign: Campaign) -> Iterator[str]:
    for panel in Panel.objects.filter(campaign=campaign, closed_at=None):
        problems = [parameter_problem(panel.parameter)]
        if panel.session_parameter:
            problems.append(parameter_problem(panel.session_parameter))
        if panel.return_url:
            problems.append(address_problem(panel.return_url))
        yield from (f"{panel.name}: {one}" for one in problems if one != NOTHING)


@rule("No participant has more sheets than they came for")
def _quotas(campaign: Campaign) -> Iterator[str]:
    held = Q(slots__state__in=[Slot.State.CLAIMED, Slot.State.DONE])
    people = Annotator.objects.filter(campaign=campaign, origin=Annotator.Origin.PARTICIPANT)
    counted = people.annotate(held=Count("slots", filter=held))
    yield from broken_ids(counted.filter(held__gt=F("sheets_at_most")))


@rule("Who left a panel, or ran out of time, holds no open sheet")
def _ended(campaign: Campaign) -> Iterator[str]:
    parts = Participant.objects.filter(panel__campaign=campaign)
    newer = Participant.objects.filter(annotator=OuterRef("annotator"), pk__gt=OuterRef("pk"))
    open_still = Slot.objects.filter(annotator=OuterRef("annotator"), state=Slot.State.CLAIMED)
    over = parts.filter(outcome__in=[PartOutcome.WITHDRAWN, PartOutcome.TIMED_OUT])
    yield from broken_ids(over.filter(~Exists(newer), Exists(open_still)))


# Rules about quality control and practice.


Role = Substitution.Role


@rule("Controls and practice texts alone have expected values, each on its scale")
def _expected(campaign: Campaign) -> Iterator[str]:
    bands = Expected.objects.filter(substitution__campaign=campaign)
    yield from broken_ids(bands.exclude(substitution__role__in=[Role.CONTROL, Role.PRACTICE]))
    off = Q(low__lt=F("scale__minimum")) | Q(high__gt=F("scale__maximum"))
    yield from broken_ids(bands.filter(off))


@rule("A text to practise with has the role practice")
def _practice(campaign: Campaign) -> Iterator[str]:
    texts = PracticeText.objects.filter(campaign=campaign)
    yield from broken_ids(texts.exclude(substitution__role=Role.PRACTICE))


@rule("The figures of a finished practice are those of its answers")
def _figures(campaign: Campaign) -> Iterator[str]:
    done = PracticeAttempt.objects.filter(campaign=campaign, finished_at__isnull=False).annotate(
        given=Count("answers"), fit=Count("answers", filter=Q(answers__right=True))
    )
    yield from broken_ids(done.exclude(given=F("asked"), fit=F("right")))
