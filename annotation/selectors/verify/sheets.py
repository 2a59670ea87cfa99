"""Rules about sheets, slots and their annotators."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, Value
from django.db.models.functions import Coalesce

from annotation.models import (
    Annotator,
    Campaign,
    Membership,
    Sheet,
    SheetEntry,
    Skip,
    Slot,
    SlotEvent,
    Substitution,
    WorkListEntry,
)
from annotation.selectors.collecting.lists import (
    list_order,
    sheets_off_lists,
    sheets_with_other_places,
)
from annotation.selectors.verify.rules import broken_ids, rule

FREE, CLAIMED, DONE, VOID = (
    Slot.State.FREE,
    Slot.State.CLAIMED,
    Slot.State.DONE,
    Slot.State.VOID,
)


@rule("A sheet holds substitutions of its item, at its occasion and for its annotator")
def _entries(campaign: Campaign) -> Iterator[str]:
    named = Q(for_annotator=F("sheet__for_annotator"))
    nobody = Q(for_annotator__isnull=True, sheet__for_annotator__isnull=True)
    fits = Q(substitution__item=F("sheet__item"), occasion=F("sheet__occasion"))
    entries = SheetEntry.objects.filter(sheet__campaign=campaign)
    yield from broken_ids(entries.exclude(fits & (named | nobody)))


@rule("A sheet has as many substitutions as the campaign allows, and at least one")
def _sizes(campaign: Campaign) -> Iterator[str]:
    sheets = Sheet.objects.filter(campaign=campaign).annotate(shown=Count("entries"))
    wrong = Q(shown=0)
    if campaign.max_per_sheet is not None:
        wrong |= Q(shown__gt=campaign.max_per_sheet)
    yield from broken_ids(sheets.filter(wrong))


@rule("Practice is on no sheet")
def _no_practice(campaign: Campaign) -> Iterator[str]:
    entries = SheetEntry.objects.filter(sheet__campaign=campaign)
    yield from broken_ids(entries.filter(substitution__role=Substitution.Role.PRACTICE))


@rule("Once a campaign was opened, every substitution but practice is on a sheet")
def _all_placed(campaign: Campaign) -> Iterator[str]:
    if campaign.opened_at is None:
        return
    entry = SheetEntry.objects.filter(
        substitution=OuterRef("pk"), occasion=1, for_annotator__isnull=True
    )
    texts = Substitution.objects.filter(campaign=campaign)
    yield from broken_ids(texts.exclude(role=Substitution.Role.PRACTICE).filter(~Exists(entry)))


@rule("A sheet wants k annotators and has k slots that are not void; more only if none is free")
def _slots_wanted(campaign: Campaign) -> Iterator[str]:
    """With fixed lists, k is the number of lists that name the item."""
    sheets = Sheet.objects.filter(campaign=campaign, for_annotator=None)
    if list_order(campaign_id=campaign.pk):
        yield from broken_ids(sheets_with_other_places(campaign_id=campaign.pk))
        yield from broken_ids(sheets.filter(shared=True))
    else:
        yield from broken_ids(sheets.exclude(slots_wanted=campaign.annotators_per_sheet))
    counted = sheets.filter(shared=False).annotate(
        places=Count("slots", filter=~Q(slots__state=VOID)),
        free=Count("slots", filter=Q(slots__state=FREE)),
    )
    k = F("slots_wanted")
    yield from broken_ids(counted.filter(Q(places__lt=k) | Q(places__gt=k, free__gt=0)))


@rule("With fixed lists, everybody's sheets are on their list")
def _listed(campaign: Campaign) -> Iterator[str]:
    if list_order(campaign_id=campaign.pk):
        yield from broken_ids(sheets_off_lists(campaign_id=campaign.pk))


@rule("A list is of the campaign of its items and of its annotator")
def _lists_within(campaign: Campaign) -> Iterator[str]:
    here = Q(item__campaign=campaign)
    nobody = Q(work_list__annotator=None) | Q(work_list__annotator__campaign=campaign)
    entries = WorkListEntry.objects.filter(work_list__campaign=campaign)
    yield from broken_ids(entries.exclude(here & nobody))


@rule("Shared and repeated sheets have no free slots, and a repeat has one annotator, its own")
def _own_places(campaign: Campaign) -> Iterator[str]:
    slots = Slot.objects.filter(campaign=campaign)
    special = Q(sheet__shared=True) | Q(sheet__for_annotator__isnull=False)
    yield from broken_ids(slots.filter(special, state=FREE))
    repeats = slots.filter(sheet__for_annotator__isnull=False)
    yield from broken_ids(repeats.exclude(annotator=F("sheet__for_annotator")))


@rule("A repeat shows its annotator what they have submitted before")
def _repeats(campaign: Campaign) -> Iterator[str]:
    before = SlotEvent.objects.filter(
        kind=SlotEvent.Kind.DONE,
        annotator=OuterRef("sheet__for_annotator"),
        slot__sheet__entries__substitution=OuterRef("substitution"),
        slot__sheet__occasion__lt=OuterRef("sheet__occasion"),
    )
    entries = SheetEntry.objects.filter(
        sheet__campaign=campaign, sheet__for_annotator__isnull=False
    )
    yield from broken_ids(entries.filter(~Exists(before)))


@rule("A slot's history ends in its state, with its annotator")
def _history(campaign: Campaign) -> Iterator[str]:
    kind = SlotEvent.Kind
    last = SlotEvent.objects.filter(slot=OuterRef("pk")).order_by("-pk")
    slots = Slot.objects.filter(campaign=campaign).annotate(
        last=Coalesce(last.values("kind")[:1], Value("")),
        who=Coalesce(last.values("annotator")[:1], Value(0), output_field=BigIntegerField()),
    )
    expected = {
        CLAIMED: [kind.CLAIMED, kind.RETAKEN, kind.REOPENED, kind.RESTORED],
        DONE: [kind.DONE, kind.RESTORED],
        VOID: [kind.VOIDED, kind.SKIPPED],
    }
    untouched = Q(state=FREE) & Q(last__in=["", kind.SKIPPED])
    gone = Q(state=VOID, last__in=expected[VOID])
    held = [
        Q(state=state, last__in=expected[state], who=F("annotator_id")) for state in (CLAIMED, DONE)
    ]
    yield from broken_ids(slots.exclude(untouched | gone | held[0] | held[1]))


@rule("Who skipped a sheet had held it")
def _skips(campaign: Campaign) -> Iterator[str]:
    held = SlotEvent.objects.filter(annotator=OuterRef("annotator"), slot__sheet=OuterRef("sheet"))
    yield from broken_ids(Skip.objects.filter(campaign=campaign).filter(~Exists(held)))


@rule("A member who may see systems is marked as not blind")
def _blind(campaign: Campaign) -> Iterator[str]:
    role = Membership.Role
    sees = Membership.objects.filter(
        campaign=campaign,
        user=OuterRef("user"),
        role__in=[role.OWNER, role.RESEARCHER, role.VIEWER],
    )
    blind = Annotator.objects.filter(campaign=campaign, not_blind_since=None)
    yield from broken_ids(blind.filter(Exists(sees)))
