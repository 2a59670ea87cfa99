"""Sheets and slots: what there is to claim.

The order of a campaign is two columns of each slot, `tier` and `scan_key`; claiming takes the
first free slot of the lowest tier from the annotator's own starting point on.

=========  ==================  =============================  ==========================
order      tier                scan_key                       starting point
=========  ==================  =============================  ==========================
breadth    number of the slot  random                         the annotator's seed
depth      0                   random, one per sheet          0: all in the same order
phrase     0                   random per phrase, then sheet  a phrase, by the seed
imported   0                   the item's position            0
=========  ==================  =============================  ==========================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from secrets import SystemRandom

from django.db.models import Count, Q

from annotation.models import Campaign, Sheet, SheetEntry, Slot, Substitution
from annotation.selectors.collecting.lists import list_order, places_on_items
from annotation.services.bulk import tidy_after_commit
from annotation.services.transactions import short_write

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
    for _, group in groupby(rows, key=lambda row: row[1]):
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
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
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
            .annotate(Count("pk"))
        )
        listed = bool(list_order(campaign_id=campaign.pk))
        places = places_on_items(items=(plan[0][1] for plan in plans)) if listed else {}
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
        all=Count("pk"), shared=Count("pk", filter=Q(shared=True))
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
