"""Fixed lists instead of the pool: switching them on, writing, importing and handing them on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import BinaryIO

from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid
from annotation.importers.gold import ListRow, read_lists
from annotation.importing.report import ImportReport, pieces
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Item,
    OutsideId,
    Sheet,
    Slot,
    WorkList,
    WorkListEntry,
    WorkRule,
)
from annotation.models.fields import text_digest
from annotation.sheets import slots
from annotation.sheets.slots import annotators_per_sheet_set, sheets_lock, slots_match
from annotation.sheets.sql import HELD, list_order, lists_per_item
from paraanno import clock
from paraanno.common.texts import Problem, Sentence, say, shown

LONGEST_NAME = 60


def lists_set(*, campaign: Campaign, lists: str, actor: Actor) -> None:
    """Hand sheets out by lists (listed or shuffled), or from the pool ("").

    Lists can be switched on until the campaign is opened for the first time, and off at any time:
    then every sheet has the campaign's number of places again. Raises Invalid and Conflict.
    """
    if lists not in WorkRule.Lists.values:
        raise Invalid(_("Choose the pool or lists."))
    with short_write():
        campaign = lock_row(Campaign, campaign.pk)
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
        lock_row(Campaign, campaign.pk)
        if annotator is not None:
            lock_row(Annotator, annotator.pk)
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
        lock_row(Campaign, campaign.pk)
        people = [one for one in (work_list.annotator, to) if one is not None]
        for one in sorted(people, key=lambda one: one.pk):
            lock_row(Annotator, one.pk)
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
        lock_row(Campaign, campaign.pk)
        if work_list.annotator is not None:
            lock_row(Annotator, work_list.annotator.pk)
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


# Import fixed lists: who judges what.


def lists_import(
    *,
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    format: str | None = None,
    raw: bool = False,
    dry_run: bool = False,
) -> ImportReport:
    """Import a file of lists (`annotation/importers/gold.py`) from a byte stream.

    A list that the file names becomes what the file says, but what its annotator has open or done
    stays on it; other lists stay as they are. Importing again is a no-op. `counts`: lists, and
    entries that are new.
    """
    parsed = read_lists(stream, name=name, format=format, raw=raw)
    problems, wanted = _resolved(campaign, parsed.rows, name)
    problems = [*parsed.problems, *problems]
    if any(one.severity == "error" for one in problems):
        return ImportReport(tuple(problems), len(parsed.rows), dry_run=dry_run)
    existing = defaultdict(set)
    rows = WorkList.objects.filter(campaign=campaign).values_list(
        "annotator__code", "name", "entries__item"
    )
    for code, list_name, item in rows:
        existing[(code, "") if code else ("", list_name)].add(item)
    counts = {
        "lists": len([one for one in wanted if one not in existing]),
        "entries": sum(len(set(items) - existing[one]) for one, items in wanted.items()),
    }
    if not dry_run:
        people = {one.code: one for one in _people(campaign, parsed.rows)}
        for (code, list_name), items in wanted.items():
            list_write(
                campaign=campaign,
                annotator=people.get(code),
                name=list_name or code,
                items=items,
                actor=actor,
            )
        audit(actor=actor, verb="import lists", about=campaign, campaign=campaign, **counts)
    return ImportReport(tuple(problems), len(parsed.rows), counts, dry_run)


def _people(campaign: Campaign, rows: Sequence[ListRow]) -> list[Annotator]:
    codes = {row.annotator for row in rows if row.annotator}
    parts = [Annotator.objects.filter(campaign=campaign, code__in=part) for part in pieces(codes)]
    return [one for part in parts for one in part]


def _resolved(
    campaign: Campaign, rows: Sequence[ListRow], name: str
) -> tuple[list[Problem], dict[tuple[str, str], list[int]]]:
    """Find the items; an item that one line names by its id and another by its text is one."""
    people = {one.code for one in _people(campaign, rows)}
    taken = set(
        WorkList.objects.filter(campaign=campaign)
        .exclude(annotator=None)
        .values_list("name", flat=True)
    )
    outside: dict[str, int] = {}
    for part in pieces({row.item for row in rows if row.item}):
        outside_ids = OutsideId.objects.filter(campaign=campaign, value__in=part)
        outside.update(outside_ids.values_list("value", "item_id"))
    texts: dict[str, int] = {}
    for digests in pieces({text_digest(*row.place) for row in rows if row.place}):
        items = Item.objects.filter(campaign=campaign, identity_hash__in=digests)
        texts.update(items.values_list("identity_hash", "pk"))
    problems: list[Problem] = []
    wanted: dict[tuple[str, str], list[int]] = {}
    lines: dict[tuple[tuple[str, str], int], int] = {}
    for row in rows:
        wrong: Sentence | None = None
        item = outside.get(row.item) if row.item else texts.get(text_digest(*(row.place or ())))
        if row.annotator and row.annotator not in people:
            wrong = say(
                "nobody in the campaign has the code %(code)s: correct it, or name the list in "
                "the column list, for somebody who comes later",
                code=shown(row.annotator),
            )
        elif row.list_name and row.list_name in taken:
            wrong = say(
                "the list %(name)s is somebody’s already: name its annotator instead",
                name=shown(row.list_name),
            )
        elif item is None:
            wrong = say(
                "there is no item %(item)s in the campaign: import it first",
                item=shown(row.item or (row.place.phrase if row.place else "")),
            )
        elif (first := lines.setdefault((row.whose, item), row.line)) != row.line:
            wrong = say(
                "the same item is on this list in line %(line)s too: remove one", line=first
            )
        if wrong is not None:
            problems.append(Problem(name, row.line, None, wrong))
        elif item is not None:
            wanted.setdefault(row.whose, []).append(item)
    return problems, wanted
