"""Changes of one slot, each a compare-and-set with an entry in its history.

The caller holds the transaction. If an update changes no row, a concurrent request was first and
the caller looks for another slot.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Q, QuerySet

from annotation.models import Annotator, Campaign, Judgment, Sheet, SheetEntry, Slot, SlotEvent
from annotation.selectors.collecting.lists import on_own_list
from annotation.services.audit import Actor
from paraanno.sight.counted import sheet_claimed

CLAIMED, DONE, FREE, VOID = Slot.State.CLAIMED, Slot.State.DONE, Slot.State.FREE, Slot.State.VOID


def lease(campaign: Campaign, now: datetime) -> datetime:
    """Return the expiry of the lease of a slot claimed or used at `now`."""
    return now + timedelta(minutes=campaign.lease_minutes)


def available(now: datetime) -> Q:
    """Match free slots and slots whose lease has expired: no background job is needed to free
    them.
    """
    return Q(state=FREE) | Q(state=CLAIMED, lease_expires_at__lt=now)


def locked(slots: QuerySet[Slot], *, skip: bool = False) -> QuerySet[Slot]:
    """Lock the rows on PostgreSQL; on SQLite the transaction already holds the only write lock."""
    if connection.vendor != "postgresql":
        return slots
    return slots.select_for_update(skip_locked=skip, of=("self",))


def note(
    slot: Slot, kind: str, *, at: datetime, annotator_id: int | None, actor: Actor = None
) -> None:
    """Add an entry to the slot's history."""
    if kind == SlotEvent.Kind.CLAIMED:
        sheet_claimed()
    SlotEvent.objects.create(
        slot=slot,
        kind=kind,
        at=at,
        annotator_id=annotator_id,
        actor_id=actor.pk if actor is not None else None,
    )


def note_all(slots: Iterable[Slot], kind: str, *, at: datetime, actor: Actor) -> None:
    """Add the same history entry to several slots, each with its own annotator."""
    actor_id = actor.pk if actor is not None else None
    SlotEvent.objects.bulk_create(
        SlotEvent(slot=slot, kind=kind, at=at, annotator_id=slot.annotator_id, actor_id=actor_id)
        for slot in slots
    )


def take(slot: Slot, *, annotator: Annotator, now: datetime, kind: str) -> bool:
    """Give an available slot to the annotator; False if a concurrent request was first.

    Drafts of the previous annotator are kept without a slot; a late save finds them again.
    """
    loser = slot.annotator_id
    claimed = {
        "state": CLAIMED,
        "annotator": annotator,
        "claimed_at": now,
        "lease_expires_at": lease(annotator.campaign, now),
    }
    changed = (
        Slot.objects.filter(available(now), pk=slot.pk)
        .filter(Q(annotator=None) if loser is None else Q(annotator=loser))
        .update(**claimed)
    )
    if not changed:
        return False
    if loser is not None and loser != annotator.pk:
        Judgment.objects.filter(slot=slot, annotator_id=loser).update(slot=None)
        note(slot, SlotEvent.Kind.LOST, at=now, annotator_id=loser)
    for name, value in claimed.items():
        setattr(slot, name, value)
    note(slot, kind, at=now, annotator_id=annotator.pk)
    return True


def renew(slot: Slot, *, campaign: Campaign, now: datetime) -> bool:
    """Renew the lease once half of it has passed, to avoid a write for every save.

    Returns False if somebody else took the slot in the meantime.
    """
    expires = slot.lease_expires_at
    if expires is not None and expires - now >= timedelta(minutes=campaign.lease_minutes) / 2:
        return True
    claimed = Slot.objects.filter(pk=slot.pk, state=CLAIMED)
    changed = claimed.filter(annotator=slot.annotator_id or 0).update(
        lease_expires_at=lease(campaign, now)
    )
    return bool(changed)


def reopen(slot: Slot, *, campaign: Campaign, now: datetime) -> None:
    """Reopen a done sheet after a required answer was cleared."""
    Slot.objects.filter(pk=slot.pk, state=DONE).update(
        state=CLAIMED, done_at=None, lease_expires_at=lease(campaign, now)
    )
    Judgment.objects.filter(slot=slot, status=Judgment.Status.COUNTED).update(
        status=Judgment.Status.DRAFT
    )
    note(slot, SlotEvent.Kind.REOPENED, at=now, annotator_id=slot.annotator_id)


def on_sheet(annotator: Annotator, sheet: Sheet) -> QuerySet[Judgment]:
    """Return the annotator's ratings that belong to the sheet."""
    return Judgment.objects.filter(
        annotator=annotator,
        occasion=sheet.occasion,
        kind=Judgment.Kind.RATING,
        substitution__in=SheetEntry.objects.filter(sheet=sheet).values("substitution"),
    )


def recover(annotator: Annotator, sheet: Sheet, *, now: datetime, own: Slot | None) -> Slot | None:
    """After a lost lease, take the annotator's own slot if available, else another one of the
    sheet.

    `own` is the annotator's void slot, if any; it is restored if the sheet has a slot to spare. The
    caller holds the locks of `sql.hold`. On success the annotator's answers on the sheet belong to
    the slot again.
    """
    if sheet.shared or sheet.for_annotator_id is not None:
        taken = None if own is None else _unvoid(own, annotator, now)
    elif not on_own_list(annotator=annotator, items=[sheet.item_id]):
        taken = None  # The place is somebody else's.
    else:
        taken = _another(annotator, sheet, now, own)
    if taken is not None:
        unsettled = on_sheet(annotator, sheet).exclude(status=Judgment.Status.COUNTED)
        unsettled.update(slot=taken, status=Judgment.Status.DRAFT)
    return taken


def _unvoid(own: Slot, annotator: Annotator, now: datetime) -> Slot | None:
    """Restore a void slot on a sheet where this takes no place from anybody else."""
    own.state, own.done_at, own.claimed_at = CLAIMED, None, own.claimed_at or now
    own.lease_expires_at = lease(annotator.campaign, now)
    own.save(update_fields=["state", "done_at", "claimed_at", "lease_expires_at"])
    note(own, SlotEvent.Kind.RETAKEN, at=now, annotator_id=annotator.pk)
    return own


def _another(annotator: Annotator, sheet: Sheet, now: datetime, own: Slot | None) -> Slot | None:
    held = (
        SlotEvent.objects.filter(annotator=annotator, slot__sheet=sheet)
        .order_by("-pk")
        .values_list("slot_id", flat=True)
        .first()
    )
    candidates = list(locked(Slot.objects.filter(available(now), sheet=sheet).order_by("pk")))
    candidates.sort(key=lambda slot: (slot.pk != held, slot.state != FREE, slot.number))
    if candidates and own is not None:
        Slot.objects.filter(pk=own.pk, state=VOID).update(
            annotator=None, claimed_at=None, done_at=None
        )
    for slot in candidates:
        if take(slot, annotator=annotator, now=now, kind=SlotEvent.Kind.RETAKEN):
            return slot
    return None


def keep_as_surplus(annotator: Annotator, sheet: Sheet) -> None:
    """Keep the annotator's answers on the sheet as surplus, which does not count: no slot is
    left.
    """
    on_sheet(annotator, sheet).filter(status=Judgment.Status.DRAFT).update(
        status=Judgment.Status.SURPLUS
    )
