"""Sheets by fixed lists: the next of an annotator's own, and as many places as lists name.

A place is free until its annotator comes, however long that takes: nobody else can claim it, and
an expired lease is not handed on, unless a researcher hands the list on.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from annotation.models import Annotator, Campaign, Sheet, SlotEvent, WorkList
from annotation.selectors.collecting.lists import (
    free_on,
    list_of,
    list_order,
    places_on_items,
)
from annotation.services.audit import Actor, audit
from annotation.services.collecting import slots
from annotation.services.collecting.annotators_per_sheet import sheets_hold, slots_match


def claim_listed(annotator: Annotator, now: datetime) -> Sheet | None:
    """Claim the next sheet of the locked annotator's list; None if nothing is left on it.

    Annotators without a list get the first that waits for somebody. Slots that others are claiming
    just now are skipped: a sheet has a place for everybody who lists it.
    """
    own = _own_list(annotator)
    if own is None:
        return None
    shuffled = list_order(campaign_id=annotator.campaign_id) == "shuffled"
    place = "shuffled" if shuffled else "position"
    free = free_on(work_list=own, annotator=annotator).select_related("sheet__item__phrase")
    in_order = free.order_by(f"sheet__item__list_entries__{place}", "sheet__number", "number")
    while (slot := slots.locked(in_order, skip=True).first()) is not None:
        if slots.take(slot, annotator=annotator, now=now, kind=SlotEvent.Kind.CLAIMED):
            return slot.sheet
    return None


def _own_list(annotator: Annotator) -> WorkList | None:
    while (found := list_of(annotator=annotator, campaign_id=annotator.campaign_id)) is not None:
        if found.annotator_id is not None:
            return found
        # Two who come at the same time: the second takes the next list.
        if WorkList.objects.filter(pk=found.pk, annotator=None).update(annotator=annotator):
            audit(
                actor=None, verb="hand out list", about=found, campaign=annotator.campaign,
                list=found.name, annotator=annotator.code,
            )  # fmt: skip
            return found
    return None


def places_follow_lists(
    *, campaign: Campaign, items: Iterable[int], now: datetime, actor: Actor
) -> None:
    """Give the sheets of the items as many places as lists name them.

    The caller's transaction holds the campaign and the annotators of changed lists.
    """
    if not list_order(campaign_id=campaign.pk):
        return
    wanted = places_on_items(items=items)
    of_items = Sheet.objects.filter(campaign=campaign, for_annotator=None, item__in=set(items))
    sheets = sheets_hold(of_items.values_list("pk", flat=True))
    for sheet in sheets:
        sheet.slots_wanted = wanted.get(sheet.item_id, 0)
    Sheet.objects.bulk_update(sheets, ["slots_wanted"], batch_size=500)
    slots_match(campaign=campaign, sheets=sheets, now=now, actor=actor)
