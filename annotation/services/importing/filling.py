"""Fill annotator slots from imported judgments."""

from __future__ import annotations

from collections.abc import Iterable

from annotation.models import Annotator, Campaign, Exclusion, Judgment, Sheet, Slot, SlotEvent
from annotation.selectors.collecting.lists import on_own_list
from annotation.services.audit import Actor
from annotation.services.collecting import slots
from annotation.services.importing.report import pieces
from annotation.services.transactions import short_write
from paraanno import clock

SHEETS_PER_WRITE = 100


def fill_slots(*, campaign: Campaign, codes: Iterable[str], actor: Actor) -> int:
    """Give each annotator a done slot on every sheet that they answered completely.

    Skips sheets without a free slot and those on which the annotator already has one. Excluded
    annotators get no slots. Returns the number of slots filled.
    """
    out = Exclusion.objects.filter(campaign=campaign, ends_at=None, annotator__isnull=False)
    annotators = Annotator.objects.filter(campaign=campaign, code__in=list(codes))
    required = set(campaign.scales.filter(required=True).values_list("pk", flat=True))
    filled = 0
    for annotator in annotators.exclude(pk__in=out.values("annotator")):
        for part in pieces(_complete(annotator, required), SHEETS_PER_WRITE):
            with short_write():
                filled += sum(_fill(annotator, sheet, actor) for sheet in part)
    return filled


def _complete(annotator: Annotator, required: set[int]) -> list[Sheet]:
    answered: dict[int, set[int]] = {}
    for row in Judgment.objects.filter(
        annotator=annotator, occasion=1, kind=Judgment.Kind.RATING, slot=None,
        status=Judgment.Status.COUNTED,
    ):  # fmt: skip
        if row.answered and row.scale_id in required:
            answered.setdefault(row.substitution_id, set()).add(row.scale_id)
    done = {substitution for substitution, scales in answered.items() if scales == required}
    sheets = (
        Sheet.objects.filter(campaign_id=annotator.campaign_id, for_annotator=None, shared=False)
        .exclude(slots__annotator=annotator)
        .prefetch_related("entries")
        .order_by("pk")
    )
    own = on_own_list(annotator=annotator, items={sheet.item_id for sheet in sheets})
    return [
        sheet
        for sheet in sheets
        if sheet.item_id in own
        and (entries := {entry.substitution_id for entry in sheet.entries.all()})
        and entries <= done
    ]


def _fill(annotator: Annotator, sheet: Sheet, actor: Actor) -> bool:
    now = clock.now()
    free = slots.locked(Slot.objects.filter(sheet=sheet, state=Slot.State.FREE))
    slot = free.order_by("number").first()
    if slot is None:
        return False
    changed = Slot.objects.filter(pk=slot.pk, state=Slot.State.FREE).update(
        state=Slot.State.DONE, annotator=annotator, claimed_at=now, done_at=now
    )
    if not changed:
        return False
    rows = slots.on_sheet(annotator, sheet).filter(status=Judgment.Status.COUNTED)
    Judgment.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(slot=slot)
    slots.note(slot, SlotEvent.Kind.DONE, at=now, annotator_id=annotator.pk, actor=actor)
    return True
