"""Claiming: which sheet an annotator judges next. One statement takes a free slot of the pool;
elsewhere the compare-and-set is `slots.take`."""

from __future__ import annotations

import math
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, connection
from django.db.models import Count, Exists, Max, OuterRef, Q, Value
from django.utils.translation import gettext as _

from annotation.database import audit, lock_row, short_write
from annotation.errors import Conflict
from annotation.models import (
    Annotator,
    Campaign,
    Participant,
    PartOutcome,
    Sheet,
    Skip,
    Slot,
    SlotEvent,
    WorkGroup,
    WorkList,
)
from annotation.panels.queries import completion_of, last_page, outcome_found, said_of
from annotation.people.annotators import PEOPLE, has_open, part_end, part_of, part_reopen
from annotation.quality.practice import Step, next_step
from annotation.sheets import slots, sql
from annotation.sheets.own_work import done_sheets
from annotation.sheets.slots import starting_point
from annotation.sheets.sql import free_on, list_of, list_order
from paraanno import clock
from paraanno.observability.counted import sheet_claimed

# Sheets by fixed lists: the next of an annotator's own.
#
# A slot is free until its annotator comes, however long that takes: nobody else can claim it, and
# an expired lease is not handed on, unless a researcher hands the list on.


def claim_listed(annotator: Annotator, now: datetime) -> Sheet | None:
    """Claim the next sheet of the locked annotator's list; None if nothing is left on it.

    Annotators without a list get the first that waits for somebody. Slots that others are claiming
    just now are skipped: a sheet has a slot for everybody who lists it.
    """
    own = _own_list(annotator)
    if own is None:
        return None
    shuffled = list_order(campaign_id=annotator.campaign_id) == "shuffled"
    column = "shuffled" if shuffled else "position"
    free = free_on(work_list=own, annotator=annotator).select_related("sheet__item__phrase")
    in_order = free.order_by(f"sheet__item__list_entries__{column}", "sheet__number", "number")
    while (slot := slots.locked(in_order, skip=True).first()) is not None:
        if slots.take(slot, annotator=annotator, now=now, kind=SlotEvent.Kind.CLAIMED):
            return slot.sheet
    return None


def _own_list(annotator: Annotator) -> WorkList | None:
    while (own_list := list_of(annotator=annotator)) is not None:
        if own_list.annotator_id is not None:
            return own_list
        # Two who come at the same time: the second takes the next list.
        if WorkList.objects.filter(pk=own_list.pk, annotator=None).update(annotator=annotator):
            audit(
                actor=None,
                verb="hand out list",
                about=own_list,
                campaign=annotator.campaign,
                list=own_list.name,
                annotator=annotator.code,
            )
            return own_list
    return None


_TAKEN = """
UPDATE annotation_slot SET state = 'claimed', annotator_id = %s, claimed_at = %s,
  lease_expires_at = %s
WHERE id = %s
"""
_NOTE = "INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at) VALUES (%s, %s, %s, %s)"
# What PostgreSQL finds and takes in one statement. Slots that others are about to take are skipped.
_CLAIM = f"""
WITH claim AS (
  SELECT %s::bigint AS annotator, %s::timestamptz AS at, %s::timestamptz AS until
), free AS (
  {sql.FREE_SLOT_IDS} FOR UPDATE OF slot SKIP LOCKED
), taken AS (
  UPDATE annotation_slot slot SET state = 'claimed', annotator_id = claim.annotator,
    claimed_at = claim.at, lease_expires_at = claim.until
  FROM free, claim
  WHERE slot.id = free.id AND slot.state = 'free'
  RETURNING slot.id, slot.sheet_id
), note AS (
  INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at)
  SELECT taken.id, claim.annotator, 'claimed', claim.at FROM taken, claim
)
SELECT sheet_id FROM taken
"""  # noqa: S608 constants


LAST_KEY = 2**63 - 1
NEARLY = 1e-9  # of a share times a count


class NotClaimable(Conflict):
    """The campaign hands out no sheets, or none to this annotator."""

    code = "not_open"


class NotEligible(NotClaimable):
    """A background answer says that the study does not ask for this annotator."""

    code = "not_eligible"


class PartOver(NotClaimable):
    """A participant's part is over; `code` is its outcome, `data` has the completion and the URL
    of the last page."""

    def __init__(self, part: Participant) -> None:
        super().__init__(said_of(part), url=last_page(part), completion=completion_of(part))
        self.code = str(part.outcome)


class StepWanted(NotClaimable):
    """The annotator must complete a step before the next sheet; `data` has the step's URL.

    See `STEPS` in annotation/quality/practice.py.
    """

    def __init__(self, step: Step, *, slug: str) -> None:
        super().__init__(str(step.message), url=step.url(slug=slug))
        self.code = step.code


def claim_next(
    *, annotator: Annotator, beside: Collection[UUID] = (), now: datetime | None = None
) -> Sheet | None:
    """Return the sheet the annotator should judge now; None if none is left for them.

    An open sheet of their own comes first, so that the call is idempotent. `beside` holds the keys
    of sheets that the annotator is working on or about to submit; the call then returns the sheet
    after those, so that the browser can prefetch it.

    Raises NotClaimable if the campaign is not open or the annotator is excluded or not asked for,
    StepWanted if consent, background questions or another step comes first, and PartOver for a
    participant whose part in a panel has ended.
    """
    now = now or clock.now()
    if annotator.origin != Annotator.Origin.PARTICIPANT:
        return _claimed(annotator, beside, now)
    part = part_of(annotator=annotator)
    if part is not None and part.late(now):
        part_end(part=part, outcome=PartOutcome.TIMED_OUT, now=now)
    try:
        sheet, refusal = _claimed(annotator, beside, now), None
    except NotClaimable as error:
        sheet, refusal = None, error
    if sheet is None and part is not None:
        over = _over(part, refusal, beside, now)
        if over is not None:
            raise over
    elif part is not None and part.outcome == PartOutcome.QUOTA_FULL:
        part_reopen(part=part)
    if refusal is not None:
        raise refusal
    return sheet


def _over(
    part: Participant, refusal: NotClaimable | None, beside: Collection[UUID], now: datetime
) -> PartOver | None:
    """End the part if nothing more is to come in it; None while it goes on."""
    outcome = outcome_found(part=part, code="" if refusal is None else _why(refusal))
    if outcome == PartOutcome.QUOTA_FULL and has_open(part.annotator):
        return None  # Only what is named in `beside` is left to hand in.
    if outcome is None:
        return None
    part_end(part=part, outcome=outcome, now=now)
    return PartOver(part)


def _why(refusal: NotClaimable) -> str:
    return str(refusal.data.get("status", refusal.code))


def _claimed(annotator: Annotator, beside: Collection[UUID], now: datetime) -> Sheet | None:
    if annotator.campaign.status != Campaign.Status.OPEN:
        raise NotClaimable(
            _("The campaign is not open (%(state)s).")
            % {"state": annotator.campaign.get_status_display()},
            status=annotator.campaign.status,
        )
    for attempt in (1, 2, 3):
        try:
            with short_write():
                return _claim(annotator, beside, now)
        except IntegrityError:
            # A concurrent claim created a slot with the same number: try again.
            if attempt == 3:
                raise
    return None


def _claim(annotator: Annotator, beside: Collection[UUID], now: datetime) -> Sheet | None:
    state = sql.claim_state(annotator)
    if state.group_bound:
        # Two of one group wait for each other, and the second one counts anew.
        WorkGroup.objects.select_for_update(no_key=True).filter(annotators=annotator).first()
        state = sql.claim_state(annotator, locked=True)
    if state.excluded:
        raise NotClaimable(_("You no longer take part in this campaign."), status="excluded")
    sheet = _open(annotator, beside, now) if state.has_open else None
    if sheet is None and state.ineligible:
        raise NotEligible(_("This study is looking for other people. Thank you for your answers."))
    step = next_step(annotator=annotator, waiting=state.waiting) if sheet is None else None
    if step is not None:
        raise StepWanted(step, slug=annotator.campaign.slug)
    if sheet is None and (state.full or state.ended):
        return None
    if sheet is None and state.has_repeats:
        sheet = _repeat(annotator, now, due=True)
    if sheet is None and state.has_shared:
        sheet = _shared(annotator, now)
    if state.listed:
        sheet = sheet or claim_listed(annotator, now)
    else:
        sheet = sheet or _free_sheet(annotator, now) or _expired(annotator, now)
    if sheet is None and state.has_repeats:
        sheet = _repeat(annotator, now, due=False)
    return sheet


def fast_claim(*, annotator: Annotator, beside: Collection[UUID], now: datetime) -> int | None:
    """Claim the annotator's next sheet inside the transaction that hands one in.

    Returns the sheet's id; None, with nothing written, where steps, shared sheets, lists or groups
    come into it: `claim_next` then decides after the transaction, as two who each hold a sheet must
    not wait for each other's.
    """
    if annotator.campaign.status != Campaign.Status.OPEN:
        return None
    if annotator.origin == Annotator.Origin.PARTICIPANT:
        return None  # Their part may be over, which the slow path settles.
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
                whole = slots.lease(annotator.campaign, now) - now
                return sheet if lease is not None and 2 * (lease - now) >= whole else None
    if state.listed or state.group_bound:
        return None
    if state.stopped:
        return None  # Why, is for `claim_next` to say.
    steps = annotator.origin in PEOPLE and state.waiting.any_step
    if state.has_repeats or state.has_shared or steps:
        return None
    return _free(annotator, now)


def _open(annotator: Annotator, beside: Collection[UUID], now: datetime) -> Sheet | None:
    held = Slot.objects.filter(annotator=annotator, state=Slot.State.CLAIMED)
    slot = (
        (held.exclude(sheet__key__in=beside) if beside else held)
        .select_related("sheet")
        .order_by("claimed_at", "pk")
        .first()
    )
    if slot is None:
        return None
    slots.renew(slot, campaign=annotator.campaign, now=now)
    return slot.sheet


def _repeat(annotator: Annotator, now: datetime, *, due: bool) -> Sheet | None:
    waiting = (
        Sheet.objects.filter(for_annotator=annotator)
        .exclude(slots__annotator=annotator)
        .order_by("not_before_done", "pk")
    )
    sheet = waiting.first()
    if sheet is None:
        return None
    if due and sheet.not_before_done > done_sheets(annotator).count():
        return None
    return _own_slot(sheet, annotator, now)


def _shared(annotator: Annotator, now: datetime) -> Sheet | None:
    """Claim a shared sheet if one is due.

    They come among the others, in the campaign's share: the same ones for everybody, so that all
    pairs of annotators overlap from the first day, and nobody does these alone.
    """
    sheet = (
        Sheet.objects.filter(campaign=annotator.campaign, shared=True)
        .exclude(slots__annotator=annotator)
        .order_by("pk")
        .first()
    )
    due = sheet is not None and _shared_due(annotator)
    return _own_slot(sheet, annotator, now) if sheet is not None and due else None


def _shared_due(annotator: Annotator) -> bool:
    """Whether the annotator's next sheet is a shared one, by what they had.

    Annotators who come when everything else is done need not judge any.
    """
    had = Slot.objects.filter(annotator=annotator).exclude(state=Slot.State.VOID)
    counts = had.aggregate(all=Count("*"), shared=Count(Value(1), filter=Q(sheet__shared=True)))
    share = annotator.campaign.shared_share or 1.0
    if counts["shared"] >= math.ceil(share * (counts["all"] + 1) - NEARLY):
        return False
    if counts["all"] or sql.next_tier(campaign_id=annotator.campaign_id, above=-1) is not None:
        return True
    others = Sheet.objects.filter(campaign=annotator.campaign, shared=False, for_annotator=None)
    return not others.exists()


def _own_slot(sheet: Sheet, annotator: Annotator, now: datetime) -> Sheet:
    """Create a claimed slot: shared and repeated sheets have no free slots.

    Concurrent claims wait for the lock on the sheet, so that no two slots get the same number.
    """
    lock_row(Sheet, sheet.pk)
    number = sheet.slots.aggregate(last=Max("number"))["last"] or 0
    slot = Slot.objects.create(
        campaign_id=sheet.campaign_id,
        sheet=sheet,
        number=number + 1,
        state=Slot.State.CLAIMED,
        annotator=annotator,
        claimed_at=now,
        lease_expires_at=slots.lease(annotator.campaign, now),
        tier=0,
        scan_key=0,
    )
    slots.note(slot, SlotEvent.Kind.CLAIMED, at=now, annotator_id=annotator.pk)
    return sheet


def _free_sheet(annotator: Annotator, now: datetime) -> Sheet | None:
    pk = _free(annotator, now)
    return None if pk is None else Sheet.objects.select_related("item__phrase").get(pk=pk)


def _free(annotator: Annotator, now: datetime) -> int | None:
    """Claim the first free slot from the annotator's starting point on, tier by tier, wrapping
    around; return its sheet's id.
    """
    start = starting_point(campaign=annotator.campaign, seed=annotator.seed)
    claim = _claim_in_one if connection.vendor == "postgresql" else _claim_slot
    tier = sql.next_tier(campaign_id=annotator.campaign_id, above=-1)
    while tier is not None:
        for first, last in ((start, LAST_KEY), (0, start - 1)):
            sheet = claim(annotator, tier, first, last, now)
            if sheet is not None:
                sheet_claimed()
                return sheet
        tier = sql.next_tier(campaign_id=annotator.campaign_id, above=tier)
    return None


def _claim_in_one(
    annotator: Annotator, tier: int, first: int, last: int, now: datetime
) -> int | None:
    """Claim the first free slot with such a scan key; return its sheet's id."""
    until = slots.lease(annotator.campaign, now)
    where = annotator.campaign_id, tier, first, last, annotator.pk, annotator.pk
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [annotator.pk, now, until, *where])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _claim_slot(
    annotator: Annotator, tier: int, first: int, last: int, now: datetime
) -> int | None:
    """As `_claim_in_one`, in the statements that SQLite has for it."""
    ids = sql.free_slot_ids(annotator=annotator, tier=tier, first=first, last=last)
    if ids is None:
        return None
    slot, sheet = ids
    at = clock.stored_time(now)
    until = clock.stored_time(slots.lease(annotator.campaign, now))
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN, [annotator.pk, at, until, slot])
        cursor.execute(_NOTE, [slot, annotator.pk, str(SlotEvent.Kind.CLAIMED.value), at])
    return sheet


def _expired(annotator: Annotator, now: datetime) -> Sheet | None:
    """Claim an expired slot; these come last, because the previous annotator may still return."""
    over = Slot.objects.filter(
        slots.expired(now),
        campaign=annotator.campaign,
        sheet__shared=False,
        sheet__for_annotator=None,
    )
    own_slots = Slot.objects.filter(sheet=OuterRef("sheet"), annotator=annotator)
    skipped = Skip.objects.filter(sheet=OuterRef("sheet"), annotator=annotator)
    untouched = over.filter(~Exists(own_slots), ~Exists(skipped)).select_related("sheet")
    in_order = untouched.order_by("lease_expires_at", "pk")
    while (slot := slots.locked(in_order, skip=True).first()) is not None:
        if slots.take(slot, annotator=annotator, now=now, kind=SlotEvent.Kind.CLAIMED):
            return slot.sheet
    return None
