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
from annotation.selectors.people.consent import PEOPLE
from annotation.services.collecting import slots
from annotation.services.collecting.claiming import LAST_KEY
from annotation.services.collecting.opening import starting_point
from paraanno import clock
from paraanno.sight.counted import sheet_claimed

_TAKEN = """
UPDATE annotation_slot SET state = 'claimed', annotator_id = %s, claimed_at = %s,
  lease_expires_at = %s
WHERE id = %s
"""
_NOTE = "INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at) VALUES (%s, %s, %s, %s)"
# What PostgreSQL finds and takes in one statement. Who else is about to take a place is passed by.
_AT_ONCE = f"""
WITH asked AS (
  SELECT %s::bigint AS annotator, %s::timestamptz AS at, %s::timestamptz AS until
), place AS (
  {sql.FREE_PLACE} FOR UPDATE OF slot SKIP LOCKED
), taken AS (
  UPDATE annotation_slot slot SET state = 'claimed', annotator_id = asked.annotator,
    claimed_at = asked.at, lease_expires_at = asked.until
  FROM place, asked
  WHERE slot.id = place.id AND slot.state = 'free'
  RETURNING slot.id, slot.sheet_id
), note AS (
  INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at)
  SELECT taken.id, asked.annotator, 'claimed', asked.at FROM taken, asked
)
SELECT sheet_id FROM taken
"""  # noqa: S608 constants


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
    claim = _claim_at_once if connection.vendor == "postgresql" else _claim
    for first, last in ((start, LAST_KEY), (0, start - 1)):
        sheet = claim(annotator, tier, first, last, now)
        if sheet is not None:
            sheet_claimed()
            return sheet
    return None


def _claim_at_once(
    annotator: Annotator, tier: int, first: int, last: int, now: datetime
) -> int | None:
    """Claim the first free slot with such a scan key; return its sheet's id."""
    until = slots.lease(annotator.campaign, now)
    where = annotator.campaign_id, tier, first, last, annotator.pk, annotator.pk
    with connection.cursor() as cursor:
        cursor.execute(_AT_ONCE, [annotator.pk, now, until, *where])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _claim(annotator: Annotator, tier: int, first: int, last: int, now: datetime) -> int | None:
    """As `_claim_at_once`, in the statements that SQLite has for it."""
    found = sql.free_place(annotator=annotator, tier=tier, first=first, last=last)
    if found is None:
        return None
    slot, sheet = found
    at = clock.stored_time(now)
    until = clock.stored_time(slots.lease(annotator.campaign, now))
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN, [annotator.pk, at, until, slot])
        cursor.execute(_NOTE, [slot, annotator.pk, str(SlotEvent.Kind.CLAIMED.value), at])
    return sheet
