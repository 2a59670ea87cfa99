"""Slots: how one changes, how sheets and slots are made at opening, and how many a sheet has.

Each change is a compare-and-set with an entry in the slot's history.

The caller holds the transaction. If an update changes no row, a concurrent request was first and
the caller looks for another slot.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from secrets import SystemRandom

from django.db import connection
from django.db.models import Count, Q, QuerySet, Value
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write, tidy_after_commit
from annotation.errors import Conflict, Invalid
from annotation.models import (
    Annotator,
    Campaign,
    Judgment,
    Sheet,
    SheetEntry,
    Slot,
    SlotEvent,
    Substitution,
)
from annotation.sheets.sql import list_order, lists_per_item, on_own_list
from paraanno import clock
from paraanno.observability.counted import sheet_claimed

CLAIMED, DONE, FREE, VOID = Slot.State.CLAIMED, Slot.State.DONE, Slot.State.FREE, Slot.State.VOID


def lease(campaign: Campaign, now: datetime) -> datetime:
    """Return the expiry of the lease of a slot claimed or used at `now`."""
    return now + timedelta(minutes=campaign.lease_minutes)


def expired(now: datetime) -> Q:
    """Match claimed slots whose lease is over: others may take them, and until somebody does, a
    save of the annotator counts."""
    return Q(state=CLAIMED, lease_expires_at__lt=now)


def available(now: datetime) -> Q:
    """Match free slots and slots whose lease has expired: no background job is needed to free
    them.
    """
    return Q(state=FREE) | expired(now)


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
    sheet. This is the one rule of lateness: what gets None here is surplus.

    `own` is the annotator's void slot, if any; it is restored if the sheet has a slot to spare. The
    caller holds the locks of `sql.lock_for_save`. On success the annotator's answers on the sheet
    belong to the slot again.
    """
    if sheet.shared or sheet.for_annotator_id is not None:
        taken = None if own is None else _unvoid(own, annotator, now)
    elif not on_own_list(annotator=annotator, items=[sheet.item_id]):
        taken = None  # The slot is for whoever lists the item.
    else:
        taken = _another(annotator, sheet, now, own)
    if taken is not None:
        unsettled = on_sheet(annotator, sheet).exclude(status=Judgment.Status.COUNTED)
        unsettled.update(slot=taken, status=Judgment.Status.DRAFT)
    return taken


def _unvoid(own: Slot, annotator: Annotator, now: datetime) -> Slot | None:
    """Restore a void slot on a sheet where this takes no slot from anybody else."""
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


def give_back(annotator: Annotator, sheet: Sheet, slot: Slot, now: datetime) -> None:
    """Free a claimed slot for others; the caller has locked annotator and sheet."""
    rows = Slot.objects.filter(pk=slot.pk)
    if wanted_by_others(sheet):
        rows.update(state=FREE, annotator=None, claimed_at=None, lease_expires_at=None)
        Judgment.objects.filter(slot=slot, annotator=annotator).update(slot=None)
    else:
        rows.update(state=VOID, lease_expires_at=None)
        keep_as_surplus(annotator, sheet)
    note(slot, SlotEvent.Kind.SKIPPED, at=now, annotator_id=annotator.pk)


def wanted_by_others(sheet: Sheet) -> bool:
    """Whether others can use the slot: not for a repeat, nor if k was lowered in the meantime."""
    if sheet.shared or sheet.for_annotator_id is not None:
        return False
    places = Slot.objects.filter(sheet=sheet).exclude(state=VOID).count()
    sheet.refresh_from_db(fields=["slots_wanted"])
    return places <= sheet.slots_wanted


# Sheets and slots: what there is to claim.
#
# The order of a campaign is two columns of each slot, `tier` and `scan_key`; claiming takes the
# first free slot of the lowest tier from the annotator's own starting point on.
#
# Order      tier                  scan_key                        starting point
# breadth    number of the slot    random                          the annotator's seed
# depth      0                     random, one for each sheet      0: all in the same order
# phrase     0                     random by phrase, then sheet    a phrase, by the seed
# imported   0                     the item's position             0


SHEETS_PER_WRITE = 500
PHRASE_BITS = 32
_random = SystemRandom()

# substitution, item, item's position, phrase, original (for a copy)
Row = tuple[int, int, int, int, int | None]
_COLUMNS = ("pk", "item_id", "item__position", "item__phrase_id", "made_from_id")


def sheets_make(*, campaign: Campaign) -> int:
    """Put every substitution that is on no sheet onto a new one, with its slots.

    Idempotent and safe under concurrency: a constraint keeps a substitution on one sheet, and a
    write that conflicts with another process starts again with the remaining substitutions. Returns
    the number of sheets created.
    """
    made = 0
    while True:
        rows = _unplaced(campaign, at_most=20 * SHEETS_PER_WRITE)
        if not rows:
            if made >= SHEETS_PER_WRITE:
                tidy_after_commit(Sheet, SheetEntry, Slot)
            return made
        plans = list(_plan(rows, campaign.max_per_sheet))
        for number in range(0, len(plans), SHEETS_PER_WRITE):
            made += _write(campaign, plans[number : number + SHEETS_PER_WRITE])


def sheets_follow(*, campaign: Campaign) -> None:
    """Create sheets for substitutions that were added after the campaign was opened.

    The status is read again: the campaign may have been opened since `campaign` was read.
    """
    if Campaign.objects.filter(pk=campaign.pk, opened_at__isnull=False).exists():
        sheets_make(campaign=campaign)


def _unplaced(campaign: Campaign, *, at_most: int) -> list[Row]:
    """Return rows of complete items, so that `max_per_sheet` splits items and not batches."""
    waiting = (
        Substitution.objects.filter(campaign=campaign)
        .exclude(role=Substitution.Role.PRACTICE)
        .exclude(entries__for_annotator__isnull=True, entries__occasion=1)
        .order_by("item__position", "pk")
    )
    rows = list(waiting.values_list(*_COLUMNS)[: at_most + 1])
    if len(rows) <= at_most:
        return rows
    last = rows[-1][1]
    return [row for row in rows if row[1] != last] or list(
        waiting.filter(item_id=last).values_list(*_COLUMNS)
    )


def _plan(rows: Iterable[Row], limit: int | None) -> Iterator[list[Row]]:
    """Split each item's substitutions, in random order, into sheets of at most `limit`.

    A copy stays next to its original if both fit, because they are compared.
    """
    for _item, group in groupby(rows, key=lambda row: row[1]):
        waiting = list(group)
        if limit is None or len(waiting) <= limit:
            yield waiting
            continue
        together: dict[int, list[Row]] = {}
        for row in waiting:
            together.setdefault(row[4] or row[0], []).append(row)
        piles = list(together.values())
        _random.shuffle(piles)
        yield from _cut(piles, limit)


def _cut(piles: Iterable[list[Row]], limit: int) -> Iterator[list[Row]]:
    sheet: list[Row] = []
    for pile in piles:
        if sheet and len(sheet) + len(pile) > limit:
            yield sheet
            sheet = []
        sheet = [*sheet, *pile]
        while len(sheet) > limit:
            yield sheet[:limit]
            sheet = sheet[limit:]
    if sheet:
        yield sheet


def _write(campaign: Campaign, plans: Sequence[list[Row]]) -> int:
    with short_write():
        campaign = lock_row(Campaign, campaign.pk)
        wanted = {row[0] for plan in plans for row in plan}
        placed = set(
            SheetEntry.objects.filter(
                substitution__in=wanted, occasion=1, for_annotator=None
            ).values_list("substitution_id", flat=True)
        )
        if placed:
            plans = [rest for plan in plans if (rest := [r for r in plan if r[0] not in placed])]
        counts = dict(
            Sheet.objects.filter(item__in={plan[0][1] for plan in plans}, for_annotator=None)
            .values_list("item")
            .annotate(n=Count("*"))
        )
        listed = bool(list_order(campaign_id=campaign.pk))
        places = lists_per_item(items=(plan[0][1] for plan in plans)) if listed else {}
        shared = _shared_wanted(campaign, len(plans)) if not listed else set()
        sheets: list[Sheet] = []
        for plan in plans:
            item = plan[0][1]
            counts[item] = counts.get(item, 0) + 1
            sheets.append(
                Sheet(
                    campaign=campaign,
                    item_id=item,
                    number=counts[item],
                    shared=len(sheets) in shared,
                    slots_wanted=places.get(item, 0) if listed else campaign.annotators_per_sheet,
                )
            )
        Sheet.objects.bulk_create(sheets)
        SheetEntry.objects.bulk_create(
            SheetEntry(sheet=sheet, substitution_id=row[0])
            for sheet, plan in zip(sheets, plans, strict=True)
            for row in plan
        )
        Slot.objects.bulk_create(
            slot
            for sheet, plan in zip(sheets, plans, strict=True)
            if not sheet.shared
            for slot in new_slots(
                campaign=campaign,
                sheet=sheet,
                numbers=range(1, sheet.slots_wanted + 1),
                position=plan[0][2],
                phrase=plan[0][3],
            )
        )
    return len(plans)


def _shared_wanted(campaign: Campaign, new: int) -> set[int]:
    """Choose which of the `new` sheets are shared, to keep the campaign's share of shared
    sheets.
    """
    if not campaign.shared_share:
        return set()
    have = campaign.sheets.filter(for_annotator=None).aggregate(
        all=Count("*"), shared=Count(Value(1), filter=Q(shared=True))
    )
    target = round(campaign.shared_share * (have["all"] + new)) - have["shared"]
    return set(_random.sample(range(new), max(0, min(new, target))))


def new_slots(
    *, campaign: Campaign, sheet: Sheet, numbers: Iterable[int], position: int, phrase: int
) -> list[Slot]:
    """Return unsaved free slots of a sheet, placed in the campaign's order."""
    order = campaign.order
    common: dict[str, int] = {
        Campaign.Order.DEPTH: _random.getrandbits(63),
        Campaign.Order.PHRASE: (_phrase_key(phrase) << PHRASE_BITS) + position % 2**PHRASE_BITS,
        Campaign.Order.IMPORTED: position,
    }
    return [
        Slot(
            campaign=campaign,
            sheet=sheet,
            number=number,
            tier=number if order == Campaign.Order.BREADTH else 0,
            scan_key=_random.getrandbits(63) if order == Campaign.Order.BREADTH else common[order],
        )
        for number in numbers
    ]


def _phrase_key(phrase: int) -> int:
    """Return 31 well-mixed bits of the phrase's id (Knuth's multiplicative hash)."""
    return (phrase * 2_654_435_761) % 2**31


def starting_point(*, campaign: Campaign, seed: int) -> int:
    """Return the scan key from which an annotator starts to scan a tier."""
    if campaign.order == Campaign.Order.BREADTH:
        return seed
    if campaign.order == Campaign.Order.PHRASE:
        return seed >> PHRASE_BITS << PHRASE_BITS
    return 0


# The number of annotators per sheet, k: a sheet has k slots that are not void.
#
# Rows are locked in this order to avoid deadlocks: campaign, annotator, sheets, slots, each by
# primary key. A claim and a save lock an annotator or a slot alone.


MOST_ANNOTATORS = 1000


def annotators_per_sheet_set(*, campaign: Campaign, wanted: int, actor: Actor) -> Campaign:
    """Raise or lower k. Raising adds slots with new numbers; lowering removes free slots only.

    Sheets are updated in short transactions, so that annotators can keep working. Calling it again
    completes an interrupted update.
    """
    if not 1 <= wanted <= MOST_ANNOTATORS:
        raise Invalid(
            _("annotators_per_sheet must be between 1 and %(most)s.")
            % {"most": f"{MOST_ANNOTATORS:,}"}
        )
    if list_order(campaign_id=campaign.pk):
        raise Conflict(_("How many annotators judge a sheet follows from the lists."))
    with short_write():
        campaign = lock_row(Campaign, campaign.pk)
        before, campaign.annotators_per_sheet = campaign.annotators_per_sheet, wanted
        if before != wanted:
            campaign.save(update_fields=["annotators_per_sheet"])
            audit(
                actor=actor,
                verb="set annotators per sheet",
                about=campaign,
                campaign=campaign,
                before=before,
                after=wanted,
            )
    last: int | None = 0
    while last is not None:
        with short_write():
            last = _follow(campaign, last, actor)
    return campaign


def _follow(campaign: Campaign, last: int, actor: Actor) -> int | None:
    """Bring the next sheets after `last` to the campaign's k; None if there are no more.

    The campaign is read again under its lock: k may be changing concurrently.
    """
    campaign = lock_row(Campaign, campaign.pk)
    wrong = Sheet.objects.filter(campaign=campaign, for_annotator=None, pk__gt=last).exclude(
        slots_wanted=campaign.annotators_per_sheet
    )
    ids = list(wrong.order_by("pk").values_list("pk", flat=True)[:SHEETS_PER_WRITE])
    if not ids:
        return None
    sheets = sheets_lock(ids)
    for sheet in sheets:
        sheet.slots_wanted = campaign.annotators_per_sheet
    Sheet.objects.filter(pk__in=ids).update(slots_wanted=campaign.annotators_per_sheet)
    slots_match(campaign=campaign, sheets=sheets, now=clock.now(), actor=actor)
    return ids[-1]


def sheets_lock(ids: Iterable[int]) -> list[Sheet]:
    """Return the sheets with their items, locked until the end of the transaction."""
    rows = Sheet.objects.filter(pk__in=set(ids)).select_related("item").order_by("pk")
    return list(rows.select_for_update(no_key=True, of=("self",)))


def slots_match(
    *, campaign: Campaign, sheets: Iterable[Sheet], now: datetime, actor: Actor
) -> None:
    """Give each of the locked sheets as many slots as it wants, as far as free slots allow.

    Removed slots stay as void rows: numbers are never reused. Shared sheets and hidden repeats are
    skipped, because their slots are created on demand.
    """
    wanting = [sheet for sheet in sheets if not sheet.shared and sheet.for_annotator_id is None]
    every: dict[int, list[Slot]] = defaultdict(list)
    rows = Slot.objects.filter(sheet__in=[sheet.pk for sheet in wanting]).order_by("pk")
    for slot in locked(rows):
        every[slot.sheet_id].append(slot)
    made: list[Slot] = []
    gone: list[Slot] = []
    for sheet in wanting:
        places = [slot for slot in every[sheet.pk] if slot.state != VOID]
        missing = sheet.slots_wanted - len(places)
        if missing > 0:
            first = max((slot.number for slot in every[sheet.pk]), default=0) + 1
            made += new_slots(
                campaign=campaign,
                sheet=sheet,
                numbers=range(first, first + missing),
                position=sheet.item.position,
                phrase=sheet.item.phrase_id,
            )
        elif missing < 0:
            free = [slot for slot in places if slot.state == FREE]
            gone += sorted(free, key=lambda slot: -slot.number)[:-missing]
    Slot.objects.bulk_create(made)
    slots_void(gone, now=now, actor=actor)


def slots_void(gone: Iterable[Slot], *, now: datetime, actor: Actor) -> None:
    """Void locked slots; the row and its history keep the annotator."""
    gone = list(gone)
    Slot.objects.filter(pk__in=[slot.pk for slot in gone]).update(state=VOID, lease_expires_at=None)
    note_all(gone, SlotEvent.Kind.VOIDED, at=now, actor=actor)
