"""Rules about judgments and remarks."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, F, Max, OuterRef, Q

from annotation.models import (
    Campaign,
    Judgment,
    JudgmentVersion,
    Remark,
    Scale,
    SheetEntry,
    Slot,
    SlotEvent,
)
from annotation.selectors.verify.rules import broken_ids, rule

CLAIMED, DONE, VOID = Slot.State.CLAIMED, Slot.State.DONE, Slot.State.VOID
RATING, STATUS = Judgment.Kind.RATING, Judgment.Status


@rule("A value is on its scale, in every version")
def _values(campaign: Campaign) -> Iterator[str]:
    for scale in Scale.objects.filter(campaign=campaign):
        # Distinct values are few, judgments are many.
        now = Judgment.objects.filter(scale=scale).order_by().values_list("value")
        ever = JudgmentVersion.objects.filter(judgment__scale=scale).order_by().values_list("value")
        for (value,) in now.union(ever):
            if value is not None and not scale.holds(value):
                yield f"{scale.name} {value:g}"


@rule("A judgment's slot is its annotator's, on a sheet with its substitution and occasion")
def _slots(campaign: Campaign) -> Iterator[str]:
    placed = Judgment.objects.filter(campaign=campaign, slot__isnull=False)
    own = Q(annotator=F("slot__annotator"), kind=RATING)
    entry = SheetEntry.objects.filter(
        sheet=OuterRef("slot__sheet"),
        substitution=OuterRef("substitution"),
        occasion=OuterRef("occasion"),
    )
    yield from broken_ids(placed.exclude(own))
    yield from broken_ids(placed.filter(~Exists(entry)))


@rule("A rating without slot was imported, or its annotator once held the sheet")
def _unplaced(campaign: Campaign) -> Iterator[str]:
    held = SlotEvent.objects.filter(
        annotator=OuterRef("annotator"),
        slot__sheet__occasion=OuterRef("occasion"),
        slot__sheet__entries__substitution=OuterRef("substitution"),
    )
    unplaced = Judgment.objects.filter(campaign=campaign, slot=None, batch=None, kind=RATING)
    yield from broken_ids(unplaced.filter(~Exists(held)))


@rule("What counts is in a done slot or was imported; drafts and surplus are where they belong")
def _statuses(campaign: Campaign) -> Iterator[str]:
    ratings = Judgment.objects.filter(campaign=campaign, kind=RATING)
    counted = Q(status=STATUS.COUNTED) & ~Q(slot__state=DONE)
    answered = Q(value__isnull=False) | ~Q(reason="")
    wrong = (
        (counted & (Q(batch=None) | Q(slot__isnull=False)))
        | (Q(slot__state=CLAIMED) & ~Q(status=STATUS.DRAFT))
        | (Q(slot__state=VOID) & ~Q(status=STATUS.SURPLUS))
        | (Q(slot__state=DONE) & answered & ~Q(status=STATUS.COUNTED))
    )
    yield from broken_ids(ratings.filter(wrong))


@rule("Done means complete: every required answer of a done sheet is given and counts")
def _complete(campaign: Campaign) -> Iterator[str]:
    required = Scale.objects.filter(campaign=campaign, required=True).count()
    given = Q(judgments__scale__required=True, judgments__status=STATUS.COUNTED)
    slots = Slot.objects.filter(campaign=campaign, state=DONE).annotate(
        given=Count("judgments", filter=given, distinct=True),
        shown=Count("sheet__entries", distinct=True),
    )
    yield from broken_ids(slots.exclude(given=F("shown") * required))


@rule("A judgment is its newest version, and versions have no gap")
def _versions(campaign: Campaign) -> Iterator[str]:
    judgments = Judgment.objects.filter(campaign=campaign)
    counted = judgments.annotate(newest=Max("versions__version"), saved=Count("versions"))
    yield from broken_ids(counted.exclude(newest=F("version"), saved=F("version")))
    value = Q(value=F("judgment__value")) | Q(value=None, judgment__value=None)
    guideline = Q(guideline=F("judgment__guideline")) | Q(guideline=None, judgment__guideline=None)
    same = JudgmentVersion.objects.filter(
        value,
        guideline,
        judgment=OuterRef("pk"),
        version=F("judgment__version"),
        reason=F("judgment__reason"),
        comment=F("judgment__comment"),
        recorded_at=F("judgment__recorded_at"),
    )
    yield from broken_ids(judgments.filter(~Exists(same)))


@rule("A remark is about a sheet that its annotator held, or a text on it")
def _remarks(campaign: Campaign) -> Iterator[str]:
    held = SlotEvent.objects.filter(annotator=OuterRef("annotator"), slot__sheet=OuterRef("sheet"))
    entry = SheetEntry.objects.filter(
        sheet=OuterRef("sheet"), substitution=OuterRef("substitution")
    )
    about_text = Q(substitution__isnull=False) & ~Exists(entry)
    remarks = Remark.objects.filter(campaign=campaign)
    yield from broken_ids(remarks.filter(~Exists(held) | about_text))
