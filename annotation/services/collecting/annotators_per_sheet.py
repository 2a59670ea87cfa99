"""The number of annotators per sheet, k: a sheet has k slots that are not void.

Rows are locked in this order to avoid deadlocks: campaign, annotator, sheets, slots, each by
primary key. A claim and a save lock an annotator or a slot alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Sheet, Slot, SlotEvent
from annotation.selectors.collecting.lists import list_order
from annotation.services.audit import Actor, audit
from annotation.services.collecting import slots
from annotation.services.collecting.opening import new_slots
from annotation.services.transactions import short_write
from paraanno import clock

SHEETS_PER_WRITE = 500
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
        campaign = _held(campaign)
        before, campaign.annotators_per_sheet = campaign.annotators_per_sheet, wanted
        if before != wanted:
            campaign.save(update_fields=["annotators_per_sheet"])
            audit(
                actor=actor, verb="set annotators per sheet", about=campaign, campaign=campaign,
                before=before, after=wanted,
            )  # fmt: skip
    last: int | None = 0
    while last is not None:
        with short_write():
            last = _follow(campaign, last, actor)
    return campaign


def _held(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def _follow(campaign: Campaign, last: int, actor: Actor) -> int | None:
    """Bring the next sheets after `last` to the campaign's k; None if there are no more.

    The campaign is read again under its lock: k may be changing concurrently.
    """
    campaign = _held(campaign)
    wrong = Sheet.objects.filter(campaign=campaign, for_annotator=None, pk__gt=last).exclude(
        slots_wanted=campaign.annotators_per_sheet
    )
    ids = list(wrong.order_by("pk").values_list("pk", flat=True)[:SHEETS_PER_WRITE])
    if not ids:
        return None
    sheets = sheets_hold(ids)
    for sheet in sheets:
        sheet.slots_wanted = campaign.annotators_per_sheet
    Sheet.objects.filter(pk__in=ids).update(slots_wanted=campaign.annotators_per_sheet)
    slots_match(campaign=campaign, sheets=sheets, now=clock.now(), actor=actor)
    return ids[-1]


def sheets_hold(ids: Iterable[int]) -> list[Sheet]:
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
    for slot in slots.locked(rows):
        every[slot.sheet_id].append(slot)
    made: list[Slot] = []
    gone: list[Slot] = []
    for sheet in wanting:
        places = [slot for slot in every[sheet.pk] if slot.state != slots.VOID]
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
            free = [slot for slot in places if slot.state == slots.FREE]
            gone += sorted(free, key=lambda slot: -slot.number)[:-missing]
    Slot.objects.bulk_create(made)
    slots_void(gone, now=now, actor=actor)


def slots_void(gone: Iterable[Slot], *, now: datetime, actor: Actor) -> None:
    """Void locked slots; the row and its history keep the annotator."""
    gone = list(gone)
    Slot.objects.filter(pk__in=[slot.pk for slot in gone]).update(
        state=slots.VOID, lease_expires_at=None
    )
    slots.note_all(gone, SlotEvent.Kind.VOIDED, at=now, actor=actor)
