"""What annotators do with a sheet besides answering: remarks, skipping, taking back, releasing."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.collecting.saving import (
    COMMENT_LENGTH,
    REASON_LENGTH,
    may_recover,
    sheet_in,
    slot_for_change,
)
from annotation.collecting.sheets import sheet_get
from annotation.database import short_write
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Annotator, Remark, SheetEntry, Skip, Slot
from annotation.sheets import slots, sql
from paraanno import clock

# Flags and comments of annotators.


def remark_add(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    substitution_key: UUID | None,
    flagged: bool,
    text: str,
    request_id: UUID,
    now: datetime | None = None,
) -> Remark:
    """Store a flag or a comment on a sheet or on one of its substitutions.

    Idempotent by `request_id`. A remark with neither flag nor text withdraws the previous one.
    Raises NotFound, and Invalid if the text is too long.
    """
    text = text.strip()
    if len(text) > COMMENT_LENGTH or "\0" in text:
        raise Invalid(
            _("A comment has at most %(most)s characters, and no NUL.") % {"most": COMMENT_LENGTH}
        )
    sheet = sheet_get(annotator=annotator, key=sheet_key)
    substitution = None
    if substitution_key is not None:
        entry = SheetEntry.objects.filter(sheet=sheet, substitution__key=substitution_key).first()
        if entry is None:
            raise NotFound(_("There is no such text on this sheet."))
        substitution = entry.substitution_id
    try:
        with short_write():
            return Remark.objects.create(
                campaign_id=annotator.campaign_id,
                annotator=annotator,
                sheet=sheet,
                substitution_id=substitution,
                flagged=flagged,
                text=text,
                request_id=request_id,
                at=now or clock.now(),
            )
    except IntegrityError:
        made = Remark.objects.filter(annotator=annotator, request_id=request_id).first()
        if made is None:
            raise
        return made


# Skipping a sheet, taking it back, or releasing it.


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
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        slot = slot_for_change(annotator, sheet)
        if slot is not None and slot.state == Slot.State.DONE:
            raise Conflict(_("The sheet is submitted already."))
        Skip.objects.get_or_create(
            annotator=annotator,
            sheet=sheet,
            defaults={"campaign_id": sheet.campaign_id, "reason": reason, "at": now},
        )
        if slot is not None and slot.state == Slot.State.CLAIMED:
            slots.give_back(annotator, sheet, slot, now)


def sheet_take_back(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> None:
    """Undo `sheet_skip`: the sheet is the annotator's again, on a slot that is still free.

    Without one, what they answer is kept as surplus. Idempotent. Raises NotFound.
    """
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        slot = slot_for_change(annotator, sheet)
        skipped, _rows = Skip.objects.filter(annotator=annotator, sheet=sheet).delete()
        lost = slot is None or slot.state == Slot.State.VOID
        if skipped and lost and may_recover(annotator):
            slots.recover(annotator, sheet, now=now or clock.now(), own=slot)


def sheet_release(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> bool:
    """Release a prefetched sheet without answers, so that others can claim it.

    Returns False and changes nothing if the sheet has answers or nobody else can use the slot.
    Raises NotFound.
    """
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        sql.lock_for_save(annotator, sheet)
        slot = sql.own_slot(annotator, sheet)
        if slot is None or slot.state != Slot.State.CLAIMED or not slots.wanted_by_others(sheet):
            return False
        if sql.ratings(annotator=annotator, sheet=sheet):
            return False
        slots.give_back(annotator, sheet, slot, now or clock.now())
    return True
