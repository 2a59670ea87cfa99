"""Fixed lists: whether a campaign has them, what is on them, and how far they are."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Annotator, Sheet, Skip, Slot, WorkList, WorkListEntry, WorkRule

HELD = (Slot.State.CLAIMED, Slot.State.DONE)


def list_order(*, campaign_id: int) -> str:
    """Return how the campaign's lists are gone through: listed or shuffled; "" without lists."""
    rows = WorkRule.objects.filter(campaign=campaign_id).values_list("lists", flat=True)
    return rows.first() or ""


def on_own_list(*, annotator: Annotator, items: Iterable[int]) -> set[int]:
    """Return those of the items that the annotator may hold: all of them without lists."""
    wanted = set(items)
    if not list_order(campaign_id=annotator.campaign_id):
        return wanted
    own = WorkListEntry.objects.filter(work_list__annotator=annotator, item__in=wanted)
    return set(own.values_list("item", flat=True))


def places_on_items(*, items: Iterable[int]) -> dict[int, int]:
    """Return on how many lists each of the items is; those on none are left out."""
    rows = WorkListEntry.objects.filter(item__in=set(items)).order_by()
    return dict(rows.values_list("item").annotate(Count("pk")))


def free_on(*, work_list: WorkList, annotator: Annotator | None) -> QuerySet[Slot]:
    """Return the free slots of the list's sheets that its annotator neither had nor skipped."""
    rows = Slot.objects.filter(
        state=Slot.State.FREE, sheet__for_annotator=None,
        sheet__item__list_entries__work_list=work_list,
    )  # fmt: skip
    if annotator is None:
        return rows
    mine = Slot.objects.filter(sheet=OuterRef("sheet"), annotator=annotator)
    skipped = Skip.objects.filter(sheet=OuterRef("sheet"), annotator=annotator)
    return rows.filter(~Exists(mine), ~Exists(skipped))


def list_of(*, annotator: Annotator | None, campaign_id: int) -> WorkList | None:
    """Return the annotator's list, or the one that waits for them; None where there is none.

    People who may see systems are not given one on coming: lists are for those who judge blindly.
    """
    rows = WorkList.objects.filter(campaign=campaign_id)
    if annotator is not None:
        own = rows.filter(annotator=annotator).first()
        if own is not None or annotator.not_blind_since is not None:
            return own
    return rows.filter(annotator=None).order_by("pk").first()


def list_is_done(*, annotator: Annotator) -> bool:
    """Whether the annotator has a list, and handed in a sheet of every item on it."""
    entries = WorkListEntry.objects.filter(work_list__annotator=annotator)
    if not list_order(campaign_id=annotator.campaign_id) or not entries.exists():
        return False
    done = Slot.objects.filter(
        annotator=annotator, state=Slot.State.DONE, sheet__item=OuterRef("item")
    )
    return not entries.filter(~Exists(done)).exists()


def work_lists(*, campaign_id: int) -> QuerySet[WorkList]:
    """Return the lists with their annotators, numbers of `items` and of those that are `done` and
    `skipped`; one query."""
    held = Slot.objects.filter(
        annotator=OuterRef("entries__work_list__annotator"), state=Slot.State.DONE,
        sheet__item=OuterRef("entries__item"),
    )  # fmt: skip
    skipped = Skip.objects.filter(
        annotator=OuterRef("entries__work_list__annotator"), sheet__item=OuterRef("entries__item")
    )
    rows = WorkList.objects.filter(campaign=campaign_id).select_related("annotator")
    return rows.annotate(
        items=Count("entries"),
        done=Count("entries", filter=Exists(held)),
        skipped=Count("entries", filter=Exists(skipped)),
    ).order_by(F("annotator__code").asc(nulls_last=True), "pk")


def sheets_off_lists(*, campaign_id: int) -> QuerySet[Slot]:
    """Return the places that somebody holds whose list has not the item."""
    own = WorkListEntry.objects.filter(
        work_list__annotator=OuterRef("annotator"), item=OuterRef("sheet__item")
    )
    held = Slot.objects.filter(campaign=campaign_id, state__in=HELD)
    return held.filter(Q(sheet__for_annotator=None), ~Exists(own))


def sheets_with_other_places(*, campaign_id: int) -> QuerySet[Sheet]:
    """Return the sheets that want more or fewer annotators than lists name their item."""
    listed = (
        WorkListEntry.objects.filter(item=OuterRef("item")).order_by().values("item")
        .annotate(n=Count("pk")).values("n")
    )  # fmt: skip
    rows = Sheet.objects.filter(campaign=campaign_id, for_annotator=None)
    return rows.annotate(listed=Coalesce(Subquery(listed), 0)).exclude(slots_wanted=F("listed"))
