"""Fixed lists instead of the pool: switching them on, writing them, handing them on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Sheet,
    Slot,
    WorkGroup,
    WorkList,
    WorkListEntry,
    WorkRule,
)
from annotation.sheets import slots
from annotation.sheets.slots import annotators_per_sheet_set, sheets_lock, slots_match
from annotation.sheets.sql import HELD, list_order, lists_per_item
from paraanno import clock

LONGEST_NAME = 60


def lists_set(*, campaign: Campaign, lists: str, actor: Actor) -> None:
    """Hand sheets out by lists (listed or shuffled), or from the pool ("").

    Lists can be switched on until the campaign is opened for the first time, and off at any time:
    then every sheet has the campaign's number of places again. Raises Invalid and Conflict.
    """
    if lists not in WorkRule.Lists.values:
        raise Invalid(_("Choose the pool or lists."))
    with short_write():
        campaign = _held(campaign)
        before = list_order(campaign_id=campaign.pk)
        if lists == before:
            return
        if lists and not before and campaign.opened_at is not None:
            raise Conflict(_("The campaign was opened with the pool: lists are for a new one."))
        if lists and campaign.shared_share:
            raise Conflict(
                _("Sheets that everybody judges are on every list: set their share to 0 first.")
            )
        WorkRule.objects.update_or_create(campaign=campaign, defaults={"lists": lists})
        audit(
            actor=actor,
            verb="set lists",
            about=campaign,
            campaign=campaign,
            before=before,
            after=lists,
        )
    if before and not lists:
        annotators_per_sheet_set(
            campaign=campaign, wanted=campaign.annotators_per_sheet, actor=actor
        )


def _held(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def list_write(
    *,
    campaign: Campaign,
    annotator: Annotator | None,
    name: str,
    items: Sequence[int],
    actor: Actor,
) -> WorkList:
    """Make the list what `items` says, in their order; without an annotator, by its name.

    What the annotator has open or done stays on it, behind the others if it is not named.
    """
    with short_write():
        _held(campaign)
        if annotator is not None:
            _lock(annotator)
            made = WorkList.objects.filter(annotator=annotator).first()
        else:
            made = WorkList.objects.filter(campaign=campaign, name=name).first()
        if made is None:
            made = WorkList.objects.create(
                campaign=campaign, annotator=annotator, name=_free_name(campaign, name)
            )
        entries = {one.item_id: one for one in WorkListEntry.objects.filter(work_list=made)}
        unlisted = [item for item in entries if item not in set(items)]
        held = set() if made.annotator_id is None else _with_state(made, unlisted, HELD)
        gone = [item for item in unlisted if item not in held]
        order = [*items, *(item for item in unlisted if item in held)]
        WorkListEntry.objects.filter(work_list=made, item__in=gone).delete()
        moved = []
        for position, item in enumerate(order, 1):
            if item in entries and entries[item].position != position:
                entries[item].position = position
                moved.append(entries[item])
        WorkListEntry.objects.bulk_update(moved, ["position"], batch_size=500)
        new = [(at, item) for at, item in enumerate(order, 1) if item not in entries]
        WorkListEntry.objects.bulk_create(
            WorkListEntry(work_list=made, item_id=item, position=at) for at, item in new
        )
        touched = {*gone, *(item for _at, item in new)}
        _slots_follow(campaign=campaign, items=touched, now=clock.now(), actor=actor)
    return made


def list_hand_on(*, work_list: WorkList, to: Annotator | None, actor: Actor) -> int:
    """Hand what is not done on the list to another annotator, or to the next who comes.

    Open sheets are taken back; what they answered there is kept and does not count. What `to` has
    on their list already is judged once less. Returns the number of items handed on. Raises
    Invalid for somebody who is excluded, or whose list it is.
    """
    campaign = work_list.campaign
    if to is not None and (to.campaign_id != campaign.pk or to.pk == work_list.annotator_id):
        raise Invalid(_("Choose another annotator of this campaign."))
    if to is not None and Exclusion.objects.filter(annotator=to, ends_at=None).exists():
        raise Invalid(_("They are excluded: choose somebody else."))
    now = clock.now()
    with short_write():
        _held(campaign)
        people = [one for one in (work_list.annotator, to) if one is not None]
        for one in sorted(people, key=lambda one: one.pk):
            _lock(one)
        work_list = WorkList.objects.get(pk=work_list.pk)
        entries = _released(work_list, now)
        if not entries:
            raise Invalid(_("Nothing is left on this list."))
        target = None if to is None else WorkList.objects.filter(annotator=to).first()
        if target is None:
            name = work_list.name if to is None else to.code
            target = WorkList.objects.create(
                campaign=campaign, annotator=to, name=_free_name(campaign, name)
            )
        theirs = WorkListEntry.objects.filter(work_list=target)
        there = set(theirs.values_list("item", flat=True))
        doubled = [one for one in entries if one.item_id in there]
        moved = [one for one in entries if one.item_id not in there]
        for at, entry in enumerate(moved, len(there) + 1):
            entry.work_list, entry.position = target, at
        WorkListEntry.objects.bulk_update(moved, ["work_list", "position"], batch_size=500)
        _dropped(campaign, doubled, now, actor)
        _empty_goes(work_list)
        audit(
            actor=actor,
            verb="hand on list",
            about=target,
            campaign=campaign,
            list=work_list.name,
            to=to.code if to else "",
            n=len(moved),
            doubled=len(doubled),
        )
    return len(moved)


def list_drop(*, work_list: WorkList, actor: Actor) -> int:
    """Take everything that is not done off the list, and its places away; return how many."""
    campaign, now = work_list.campaign, clock.now()
    with short_write():
        _held(campaign)
        if work_list.annotator is not None:
            _lock(work_list.annotator)
        work_list = WorkList.objects.get(pk=work_list.pk)
        entries = _released(work_list, now)
        _dropped(campaign, entries, now, actor)
        _empty_goes(work_list)
        audit(
            actor=actor,
            verb="drop list",
            about=campaign,
            campaign=campaign,
            list=work_list.name,
            n=len(entries),
        )
    return len(entries)


def _lock(annotator: Annotator) -> None:
    Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def _released(work_list: WorkList, now: datetime) -> list[WorkListEntry]:
    """Return the entries that are not done, their open sheets given back."""
    entries = list(WorkListEntry.objects.filter(work_list=work_list).order_by("position", "pk"))
    if work_list.annotator is None:
        return entries
    done = _with_state(work_list, [one.item_id for one in entries], [Slot.State.DONE])
    free = [one for one in entries if one.item_id not in done]
    claimed_slots = Slot.objects.filter(
        annotator=work_list.annotator,
        state=Slot.State.CLAIMED,
        sheet__for_annotator=None,
        sheet__item__in=[one.item_id for one in free],
    )
    sheets = {one.pk: one for one in sheets_lock(claimed_slots.values_list("sheet", flat=True))}
    for slot in slots.locked(claimed_slots.filter(sheet__in=sheets).order_by("pk")):
        slots.give_back(work_list.annotator, sheets[slot.sheet_id], slot, now)
    return free


def _with_state(work_list: WorkList, items: Iterable[int], states: Iterable[str]) -> set[int]:
    """Return the items of which the list's annotator has a sheet in one of the states."""
    rows = Slot.objects.filter(
        annotator=work_list.annotator, state__in=list(states), sheet__item__in=list(items)
    )
    return set(rows.values_list("sheet__item", flat=True))


def _dropped(
    campaign: Campaign, entries: Sequence[WorkListEntry], now: datetime, actor: Actor
) -> None:
    WorkListEntry.objects.filter(pk__in=[one.pk for one in entries]).delete()
    items = [one.item_id for one in entries]
    _slots_follow(campaign=campaign, items=items, now=now, actor=actor)


def _empty_goes(work_list: WorkList) -> None:
    """A list without items goes, but not its annotator's right to get no other by coming."""
    if work_list.annotator_id is None and not work_list.entries.exists():
        work_list.delete()


def _free_name(campaign: Campaign, name: str) -> str:
    taken = set(WorkList.objects.filter(campaign=campaign).values_list("name", flat=True))
    candidate, number = name[:LONGEST_NAME], 1
    while candidate in taken:
        number += 1
        end = f" ({number})"
        candidate = name[: LONGEST_NAME - len(end)] + end
    return candidate


# How much one annotator judges, for the campaign and for groups of annotators.


MOST = 1_000_000


def work_rule_set(
    *,
    campaign: Campaign,
    sheets_at_least: int | None,
    sheets_at_most: int | None,
    largest_share: float | None,
    actor: Actor,
) -> WorkRule:
    """Set how many sheets one annotator judges, where group and panel say nothing else.

    `largest_share` bounds everybody: the share of the sheets that one annotator may judge. What is
    open or done already stays. Raises Invalid.
    """
    _check(sheets_at_least, sheets_at_most)
    if largest_share is not None and not 0 < largest_share <= 1:
        raise Invalid(_("A share is above 0 and at most 1."))
    given = {
        "sheets_at_least": sheets_at_least,
        "sheets_at_most": sheets_at_most,
        "largest_share": largest_share,
    }
    with short_write():
        rule, _new = WorkRule.objects.update_or_create(campaign=campaign, defaults=given)
        audit(actor=actor, verb="set quotas", about=campaign, campaign=campaign, **given)
    return rule


def pay_floor_set(
    *, campaign: Campaign, pay_floor: Decimal | None, currency: str, actor: Actor
) -> WorkRule:
    """Set the minimum pay per hour, and its currency, for panels that name none. Raises Invalid."""
    currency = currency.strip()
    if len(currency) > 12 or not currency.isprintable():
        raise Invalid(_("A currency is a word of at most 12 characters."))
    if pay_floor is not None and not 0 <= pay_floor < 1_000_000:
        raise Invalid(_("An amount from 0."))
    given = {"pay_floor": pay_floor, "currency": currency}
    with short_write():
        rule, _new = WorkRule.objects.update_or_create(campaign=campaign, defaults=given)
        audit(
            actor=actor,
            verb="set pay floor",
            about=campaign,
            campaign=campaign,
            pay_floor="" if pay_floor is None else str(pay_floor),
            currency=currency,
        )
    return rule


def work_group_set(
    *,
    campaign: Campaign,
    name: str,
    sheets_at_least: int | None,
    sheets_at_most: int | None,
    actor: Actor,
    total_at_least: int | None = None,
    total_at_most: int | None = None,
) -> WorkGroup:
    """Make the group with this name, or change its numbers of sheets, per person and in total.

    Once the group has as many sheets as `total_at_most`, open ones too, nobody in it gets another.
    Raises Invalid.
    """
    name = name.strip()
    if not name or len(name) > 60 or not name.isprintable():
        raise Invalid(_("A group has a name of at most 60 characters."))
    _check(sheets_at_least, sheets_at_most)
    _check(total_at_least, total_at_most)
    given = {
        "sheets_at_least": sheets_at_least,
        "sheets_at_most": sheets_at_most,
        "total_at_least": total_at_least,
        "total_at_most": total_at_most,
    }
    with short_write():
        group, _new = WorkGroup.objects.update_or_create(
            campaign=campaign, name=name, defaults=given
        )
        audit(actor=actor, verb="set group", about=group, campaign=campaign, name=name, **given)
    return group


def work_groups_named(*, campaign: Campaign, names: set[str]) -> dict[str, WorkGroup]:
    """Return the groups with these names; those that are missing are made, without numbers."""
    made: dict[str, WorkGroup] = {}
    for name in sorted(names):
        try:
            with short_write():
                made[name], _new = WorkGroup.objects.get_or_create(campaign=campaign, name=name)
        except IntegrityError:  # Somebody else made it just now.
            made[name] = WorkGroup.objects.get(campaign=campaign, name=name)
    return made


def group_join(*, annotator: Annotator, group: WorkGroup | None, actor: Actor) -> None:
    """Put the annotator into a group of their campaign, or into none."""
    if group is not None and group.campaign_id != annotator.campaign_id:
        raise Invalid(_("There is no such group."))
    with short_write():
        Annotator.objects.filter(pk=annotator.pk).update(group=group)
        audit(
            actor=actor,
            verb="set group of annotator",
            about=annotator,
            campaign=annotator.campaign,
            group=group.name if group else "",
        )


def _check(least: int | None, most: int | None) -> None:
    for one in (least, most):
        if one is not None and not 0 <= one <= MOST:
            raise Invalid(_("A number of sheets is from 0 to %(most)s.") % {"most": f"{MOST:,}"})
    if least is not None and most is not None and least > most:
        raise Invalid(_("“At least” must not be more than “At most”."))


def _slots_follow(*, campaign: Campaign, items: Iterable[int], now: datetime, actor: Actor) -> None:
    """Give the sheets of the items as many slots as lists name them.

    The caller's transaction holds the campaign and the annotators of changed lists.
    """
    if not list_order(campaign_id=campaign.pk):
        return
    wanted = lists_per_item(items=items)
    of_items = Sheet.objects.filter(campaign=campaign, for_annotator=None, item__in=set(items))
    sheets = sheets_lock(of_items.values_list("pk", flat=True))
    for sheet in sheets:
        sheet.slots_wanted = wanted.get(sheet.item_id, 0)
    Sheet.objects.bulk_update(sheets, ["slots_wanted"], batch_size=500)
    slots_match(campaign=campaign, sheets=sheets, now=now, actor=actor)
