"""Submit a sheet: its answers count from now on."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.collecting.saving import may_recover, sheet_in, slot_for_change
from annotation.database import short_write
from annotation.errors import Conflict, Incomplete
from annotation.models import Annotator, Campaign, Judgment, Sheet, Slot, SlotEvent
from annotation.panels.participation import part_finish
from annotation.quality.rules import sheet_finished
from annotation.sheets import slots, sql
from paraanno import clock


class CampaignClosed(Conflict):
    """No answer counts after the end of the collection."""

    code = "closed"


def sheet_submit(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> str:
    """Submit the sheet; idempotent. Returns "done" or "surplus".

    "surplus" means that the lease was lost and every slot of the sheet is taken; the answers are
    kept. Raises NotFound, CampaignClosed, and Incomplete with the missing (substitution, scale)
    keys.
    """
    now = now or clock.now()
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        state, finished = submit(annotator=annotator, sheet=sheet, now=now)
    if finished:
        submitted(annotator=annotator, sheet=sheet, now=now)
    return state


def submitted(*, annotator: Annotator, sheet: Sheet, now: datetime) -> None:
    """Do what follows a sheet that was handed in, after its transaction: evaluate the annotator,
    and end the part of a participant whose last sheet it was."""
    sheet_finished(annotator=annotator, sheet=sheet)
    if annotator.origin == Annotator.Origin.PARTICIPANT:
        part_finish(annotator=annotator, now=now)


def submit(*, annotator: Annotator, sheet: Sheet, now: datetime) -> tuple[str, bool]:
    """Do what `sheet_submit` does inside the caller's transaction.

    Returns the state, and whether it is new: `submitted` is then to be called after the
    transaction.
    """
    slot = slot_for_change(annotator, sheet)
    if slot is not None and slot.state == Slot.State.DONE:
        return Slot.State.DONE.value, False
    if annotator.campaign.status == Campaign.Status.CLOSED:
        raise CampaignClosed(_("The campaign was closed. What you saved is kept."))
    missing = sql.missing(annotator=annotator, sheet=sheet)
    if missing:
        raise Incomplete(
            _("Answers still missing: %(n)s.") % {"n": len(missing)},
            missing=[{"substitution": one, "scale": other} for one, other in missing],
        )
    if (slot is None or slot.state == Slot.State.VOID) and may_recover(annotator):
        slot = slots.recover(annotator, sheet, now=now, own=slot)
    if slot is None or slot.state != Slot.State.CLAIMED:
        slots.keep_as_surplus(annotator, sheet)
        return "surplus", False
    _finish(annotator, sheet, slot, now)
    return Slot.State.DONE.value, True


def _finish(annotator: Annotator, sheet: Sheet, slot: Slot, now: datetime) -> None:
    Slot.objects.filter(pk=slot.pk).update(
        state=Slot.State.DONE, done_at=now, lease_expires_at=None
    )
    answered = Q(value__isnull=False) | ~Q(reason="")
    slots.on_sheet(annotator, sheet).filter(answered).update(
        slot=slot, status=Judgment.Status.COUNTED
    )
    slots.note(slot, SlotEvent.Kind.DONE, at=now, annotator_id=annotator.pk)
