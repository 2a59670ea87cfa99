"""The next sheet in the transaction that hands one in, in the plain case.

The plain case is a free slot of the pool, or an open sheet whose lease is fresh, where no step,
repeat or shared sheet comes first. With fixed lists, for groups with a bound and in any other case,
nothing is claimed, and `claim_next` decides after the transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import connection

from annotation.models import Annotator, Campaign, Slot, SlotEvent
from annotation.selectors.collecting import sql
from annotation.selectors.collecting.whole import stored_time
from annotation.selectors.people.consent import PEOPLE
from annotation.services.collecting import slots
from annotation.services.collecting.claiming import LAST_KEY
from annotation.services.collecting.opening import starting_point
from paraanno.sight.counted import sheet_claimed

_TAKEN = """
UPDATE annotation_slot SET state = 'claimed', annotator_id = %s, claimed_at = %s,
  lease_expires_at = %s
WHERE id = %s AND state = 'free' AND annotator_id IS NULL
"""
_NOTE = "INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at) VALUES (%s, %s, %s, %s)"


def next_at_once(*, annotator: Annotator, beside: Collection[UUID], now: datetime) -> int | None:
    """Claim the annotator's next sheet inside the caller's transaction, which has locked them.

    Returns the sheet's id; None, with nothing written, if anything is not plain.
    """
    if annotator.campaign.status != Campaign.Status.OPEN:
        return None
    if annotator.origin == Annotator.Origin.PARTICIPANT:
        return None  # Their part may be over, which is settled the long way.
    state = sql.claim_state(annotator, locked=True)
    if state.excluded:
        return None
    if state.has_open:
        held = Slot.objects.filter(annotator_id=annotator.pk, state=Slot.State.CLAIMED)
        rows = held.order_by("claimed_at", "pk").values_list(
            "sheet__key", "sheet_id", "lease_expires_at"
        )
        for key, sheet, lease in rows:
            if key not in beside:
                fresh = (
                    lease is not None
                    and 2 * (lease - now) >= slots.lease(annotator.campaign, now) - now
                )
                return sheet if fresh else None
    if state.listed or state.group_bound:
        return None
    if state.stopped:
        return None  # Why, is for `claim_next` to say.
    waits = state.waiting
    steps = (waits.consent, waits.background, waits.practice, waits.paused, waits.warned)
    if state.has_repeats or state.has_shared or (annotator.origin in PEOPLE and any(steps)):
        return None
    return _free(annotator, now)


def _free(annotator: Annotator, now: datetime) -> int | None:
    tier = sql.next_tier(campaign_id=annotator.campaign_id, above=-1)
    if tier is None:
        return None
    start = starting_point(campaign=annotator.campaign, seed=annotator.seed)
    for first, last in ((start, LAST_KEY), (0, start - 1)):
        found = sql.free_place(annotator=annotator, tier=tier, first=first, last=last)
        if found is not None:
            slot, sheet = found
            return sheet if _take(slot, annotator, now) else None
    return None


def _take(slot: int, annotator: Annotator, now: datetime) -> bool:
    at = stored_time(now)
    until = stored_time(slots.lease(annotator.campaign, now))
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN, [annotator.pk, at, until, slot])
        if cursor.rowcount != 1:
            return False
        sheet_claimed()
        cursor.execute(_NOTE, [slot, annotator.pk, str(SlotEvent.Kind.CLAIMED.value), at])
    return True
