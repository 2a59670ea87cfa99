"""Skipping a sheet, taking it back, or releasing it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Annotator, Judgment, Sheet, Skip, Slot, SlotEvent
from annotation.selectors.collecting import sql
from annotation.services.collecting import slots
from annotation.services.collecting.saving import REASON_LENGTH, may_recover
from annotation.services.transactions import short_write
from paraanno import clock


def _sheet(annotator: Annotator, key: UUID) -> Sheet:
    sheet = Sheet.objects.filter(key=key, campaign_id=annotator.campaign_id).first()
    if sheet is None:
        raise NotFound(_("There is no such sheet."))
    return sheet


def _slot_of_had(annotator: Annotator, sheet: Sheet) -> Slot | None:
    """Lock and return the annotator's slot, None if it is lost. Raises NotFound if they never had
    the sheet."""
    sql.hold(annotator, sheet)
    slot = sql.own_slot(annotator, sheet)
    held = SlotEvent.objects.filter(annotator=annotator, slot__sheet=sheet)
    if slot is None and not held.exists():
        raise NotFound(_("There is no such sheet."))
    return slot


def sheet_skip(
    *, annotator: Annotator, sheet_key: UUID, reason: str, now: datetime | None = None
) -> None:
    """Give the sheet back: its slot is free for others, and it is not offered to this annotator
    again.

    Their answers are kept, and belong to a slot again if they return to the sheet. A slot that
    nobody else can use (of a shared sheet, of a repeat, or surplus since k was lowered) becomes
    void. Idempotent. Raises NotFound, Invalid (no reason) and Conflict (already submitted).
    """
    now = now or clock.now()
    reason = reason.strip()
    if not reason or len(reason) > REASON_LENGTH or "\0" in reason:
        raise Invalid(_("Give a reason of at most %(most)s characters.") % {"most": REASON_LENGTH})
    sheet = _sheet(annotator, sheet_key)
    with short_write():
        slot = _slot_of_had(annotator, sheet)
        if slot is not None and slot.state == Slot.State.DONE:
            raise Conflict(_("The sheet is submitted already."))
        Skip.objects.get_or_create(
            annotator=annotator,
            sheet=sheet,
            defaults={"campaign_id": sheet.campaign_id, "reason": reason, "at": now},
        )
        if slot is not None and slot.state == Slot.State.CLAIMED:
            give_back(annotator, sheet, slot, now)


def sheet_take_back(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> None:
    """Undo `sheet_skip`: the sheet is the annotator's again, on a place that is still free.

    Without one, what they answer is kept as surplus. Idempotent. Raises NotFound.
    """
    sheet = _sheet(annotator, sheet_key)
    with short_write():
        slot = _slot_of_had(annotator, sheet)
        skipped, _rows = Skip.objects.filter(annotator=annotator, sheet=sheet).delete()
        lost = slot is None or slot.state == Slot.State.VOID
        if skipped and lost and may_recover(annotator):
            slots.recover(annotator, sheet, now=now or clock.now(), own=slot)


def sheet_release(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> bool:
    """Release a prefetched sheet without answers, so that others can claim it.

    Returns False and changes nothing if the sheet has answers or nobody else can use the slot.
    Raises NotFound.
    """
    sheet = _sheet(annotator, sheet_key)
    with short_write():
        sql.hold(annotator, sheet)
        slot = sql.own_slot(annotator, sheet)
        if slot is None or slot.state != Slot.State.CLAIMED or not _wanted_by_others(sheet):
            return False
        if sql.ratings(annotator=annotator, sheet=sheet):
            return False
        give_back(annotator, sheet, slot, now or clock.now())
    return True


def give_back(annotator: Annotator, sheet: Sheet, slot: Slot, now: datetime) -> None:
    """Free a claimed slot for others; the caller has locked annotator and sheet."""
    mine = Slot.objects.filter(pk=slot.pk)
    if _wanted_by_others(sheet):
        mine.update(state=Slot.State.FREE, annotator=None, claimed_at=None, lease_expires_at=None)
        Judgment.objects.filter(slot=slot, annotator=annotator).update(slot=None)
    else:
        mine.update(state=Slot.State.VOID, lease_expires_at=None)
        slots.keep_as_surplus(annotator, sheet)
    slots.note(slot, SlotEvent.Kind.SKIPPED, at=now, annotator_id=annotator.pk)


def _wanted_by_others(sheet: Sheet) -> bool:
    """Whether others can use the slot: not for a repeat, nor if k was lowered in the meantime."""
    if sheet.shared or sheet.for_annotator_id is not None:
        return False
    places = Slot.objects.filter(sheet=sheet).exclude(state=Slot.State.VOID).count()
    sheet.refresh_from_db(fields=["slots_wanted"])
    return places <= sheet.slots_wanted
