"""The registry of rules.

`verify` only reads. Each rule takes a few queries over the entire campaign, whatever its size. A
broken rule lists up to ten of the offending rows. An app built on this one names a module with
rules about its own rows at startup (scoring/apps.py).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from itertools import islice
from operator import or_
from typing import Any

from django.db.models import (
    BigIntegerField,
    Count,
    Exists,
    F,
    Max,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Coalesce

from annotation.models import (
    Annotator,
    BackgroundAnswer,
    Campaign,
    Consent,
    Exclusion,
    Expected,
    ImportedGold,
    Item,
    Judgment,
    JudgmentVersion,
    Membership,
    Output,
    OutsideId,
    Phrase,
    PracticeAnswer,
    PracticeAttempt,
    PracticeText,
    QualityAction,
    Reference,
    Remark,
    Scale,
    Sheet,
    SheetEntry,
    Skip,
    Slot,
    SlotEvent,
    Substitution,
    Withdrawal,
    WorkListEntry,
)
from annotation.models.fields import text_digest
from annotation.models.people import TARGETS
from annotation.sheets.sql import list_order, sheets_off_lists, sheets_with_other_slots
from annotation.sheets.tally import tally_differences

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken rule, with offending rows."""

    rule: str
    rows: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.rule}: {', '.join(self.rows)}"


Rule = Callable[[Campaign], Iterator[str]]
_RULES: dict[str, Rule] = {}
# Imported with the first use: what they need takes longer to load than all the rest of a start.
MORE_RULES: list[str] = []


def rule(sentence: str) -> Callable[[Rule], Rule]:
    """Register a check under the sentence that it proves."""

    def register(check: Rule) -> Rule:
        _RULES[sentence] = check
        return check

    return register


def rules() -> Mapping[str, Rule]:
    """Return all rules by their sentences, those of other apps too."""
    for module in MORE_RULES:
        import_module(module)
    return _RULES


def verify(*, campaign: Campaign) -> list[Broken]:
    """Return every broken rule of the campaign; empty if the data is sound."""
    campaign = Campaign.objects.get(
        pk=campaign.pk
    )  # k may have changed since the campaign was read.
    broken = []
    for sentence, check in rules().items():
        rows = tuple(islice(check(campaign), SHOWN))
        if rows:
            broken.append(Broken(sentence, rows))
    return broken


def broken_ids(rows: QuerySet[Any]) -> Iterator[str]:
    """Yield the first rows of a query, each as `model id`."""
    name = rows.model._meta.verbose_name
    for pk in rows.order_by("pk").values_list("pk", flat=True)[:SHOWN]:
        yield f"{name} {pk}"


# Rules about judgments and remarks.


CLAIMED, DONE, VOID = Slot.State.CLAIMED, Slot.State.DONE, Slot.State.VOID
RATING, STATUS = Judgment.Kind.RATING, Judgment.Status


@rule("A value is on its scale, in every version")
def _values(campaign: Campaign) -> Iterator[str]:
    for scale in Scale.objects.filter(campaign=campaign):
        # Distinct values are few, judgments are many.
        now = Judgment.objects.filter(campaign=campaign, scale=scale).order_by()
        ever = JudgmentVersion.objects.filter(
            judgment__campaign=campaign, judgment__scale=scale
        ).order_by()
        for (value,) in now.values_list("value").union(ever.values_list("value")):
            if value is not None and not scale.holds(value):
                yield f"{scale.name} {value:g}"


@rule("The counts that the database keeps are the numbers of judgments and slots")
def _tally(campaign: Campaign) -> Iterator[str]:
    for annotator, scale, state, n in tally_differences(campaign):
        of = f"judgments on scale {scale}" if scale else "slots"
        yield f"annotator {annotator}: {int(n):+d} {of} in state {state}"


@rule("A judgment's slot is its annotator's, on a sheet with its substitution and occasion")
def _slots(campaign: Campaign) -> Iterator[str]:
    placed = Judgment.objects.filter(campaign=campaign, slot__isnull=False)
    own = Q(annotator=F("slot__annotator"), kind=RATING)
    entry = SheetEntry.objects.filter(
        sheet=OuterRef("slot__sheet"),
        substitution=OuterRef("substitution"),
        occasion=OuterRef("occasion"),
    )
    yield from broken_ids(placed.exclude(own))
    yield from broken_ids(placed.filter(~Exists(entry)))


@rule("A rating without slot was imported, or its annotator once held the sheet")
def _unplaced(campaign: Campaign) -> Iterator[str]:
    held = SlotEvent.objects.filter(
        annotator=OuterRef("annotator"),
        slot__sheet__occasion=OuterRef("occasion"),
        slot__sheet__entries__substitution=OuterRef("substitution"),
    )
    unplaced = Judgment.objects.filter(campaign=campaign, slot=None, batch=None, kind=RATING)
    yield from broken_ids(unplaced.filter(~Exists(held)))


@rule("What counts is in a done slot or was imported; drafts and surplus are where they belong")
def _statuses(campaign: Campaign) -> Iterator[str]:
    ratings = Judgment.objects.filter(campaign=campaign, kind=RATING)
    counted = Q(status=STATUS.COUNTED) & ~Q(slot__state=DONE)
    answered = Q(value__isnull=False) | ~Q(reason="")
    wrong = (
        (counted & (Q(batch=None) | Q(slot__isnull=False)))
        | (Q(slot__state=CLAIMED) & ~Q(status=STATUS.DRAFT))
        | (Q(slot__state=VOID) & ~Q(status=STATUS.SURPLUS))
        | (Q(slot__state=DONE) & answered & ~Q(status=STATUS.COUNTED))
    )
    yield from broken_ids(ratings.filter(wrong))


@rule("Done means complete: every required answer of a done sheet is given and counts")
def _complete(campaign: Campaign) -> Iterator[str]:
    required = Scale.objects.filter(campaign=campaign, required=True).count()
    given = Q(judgments__scale__required=True, judgments__status=STATUS.COUNTED)
    slots = Slot.objects.filter(campaign=campaign, state=DONE).annotate(
        given=Count("judgments", filter=given, distinct=True),
        shown=Count("sheet__entries", distinct=True),
    )
    yield from broken_ids(slots.exclude(given=F("shown") * required))


@rule("A judgment is its newest version, and versions have no gap")
def _versions(campaign: Campaign) -> Iterator[str]:
    judgments = Judgment.objects.filter(campaign=campaign)
    counted = judgments.annotate(newest=Max("versions__version"), saved=Count("versions"))
    yield from broken_ids(counted.exclude(newest=F("version"), saved=F("version")))
    value = Q(value=F("judgment__value")) | Q(value=None, judgment__value=None)
    guideline = Q(guideline=F("judgment__guideline")) | Q(guideline=None, judgment__guideline=None)
    same = JudgmentVersion.objects.filter(
        value,
        guideline,
        judgment=OuterRef("pk"),
        version=F("judgment__version"),
        reason=F("judgment__reason"),
        comment=F("judgment__comment"),
        recorded_at=F("judgment__recorded_at"),
    )
    yield from broken_ids(judgments.filter(~Exists(same)))


@rule("A remark is about a sheet that its annotator held, or a text on it")
def _remarks(campaign: Campaign) -> Iterator[str]:
    held = SlotEvent.objects.filter(annotator=OuterRef("annotator"), slot__sheet=OuterRef("sheet"))
    entry = SheetEntry.objects.filter(
        sheet=OuterRef("sheet"), substitution=OuterRef("substitution")
    )
    about_text = Q(substitution__isnull=False) & ~Exists(entry)
    remarks = Remark.objects.filter(campaign=campaign)
    yield from broken_ids(remarks.filter(~Exists(held) | about_text))


# Rules about sheets, slots and their annotators.


FREE, SHEETS_CLAIMED, SHEETS_DONE, SHEETS_VOID = (
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
        yield from broken_ids(sheets_with_other_slots(campaign_id=campaign.pk))
        yield from broken_ids(sheets.filter(shared=True))
    else:
        yield from broken_ids(sheets.exclude(slots_wanted=campaign.annotators_per_sheet))
    counted = sheets.filter(shared=False).annotate(
        places=Count("slots", filter=~Q(slots__state=SHEETS_VOID)),
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
        SHEETS_CLAIMED: [kind.CLAIMED, kind.RETAKEN, kind.REOPENED, kind.RESTORED],
        SHEETS_DONE: [kind.DONE, kind.RESTORED],
        SHEETS_VOID: [kind.VOIDED, kind.SKIPPED],
    }
    untouched = Q(state=FREE) & Q(last__in=["", kind.SKIPPED])
    gone = Q(state=SHEETS_VOID, last__in=expected[SHEETS_VOID])
    held = [
        Q(state=state, last__in=expected[state], who=F("annotator_id"))
        for state in (SHEETS_CLAIMED, SHEETS_DONE)
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


# Rules about texts, spans, scales, and links between rows.


PART = 2000
TEXTS: tuple[tuple[type[Model], str, str], ...] = (
    (Phrase, "campaign", "text"),
    (Item, "campaign", "sentence"),
    (Reference, "item__campaign", "text"),
    (Substitution, "campaign", "text"),
    (Substitution, "campaign", "own_sentence"),
)
# A model, the path to its campaign, and the foreign keys that must point into the same campaign.
LINKS: tuple[tuple[type[Model], str, tuple[str, ...]], ...] = (
    (Item, "campaign", ("phrase", "batch")),
    (OutsideId, "campaign", ("item",)),
    (Substitution, "campaign", ("item",)),
    (Output, "item__campaign", ("system",)),
    (Annotator, "campaign", ("invitation",)),
    (Sheet, "campaign", ("item", "for_annotator")),
    (Slot, "campaign", ("sheet", "annotator")),
    (SlotEvent, "slot__campaign", ("annotator",)),
    (Skip, "campaign", ("annotator", "sheet")),
    (Judgment, "campaign", ("annotator", "substitution", "scale", "guideline", "batch")),
    (ImportedGold, "campaign", ("substitution", "scale", "batch")),
    (Exclusion, "campaign", TARGETS),
    (Consent, "annotator__campaign", ("text",)),
    (BackgroundAnswer, "annotator__campaign", ("question",)),
    (Withdrawal, "campaign", ("annotator",)),
    (Expected, "substitution__campaign", ("scale",)),
    (QualityAction, "campaign", ("annotator", "rule")),
    (PracticeText, "campaign", ("substitution",)),
    (PracticeAttempt, "campaign", ("annotator",)),
    (PracticeAnswer, "attempt__campaign", ("substitution", "scale")),
    (Remark, "campaign", ("annotator", "sheet", "substitution")),
)


@rule("Texts are stored in NFC and hold no NUL")
def _clean(campaign: Campaign) -> Iterator[str]:
    for model, path, column in TEXTS:
        rows = model._default_manager.filter(**{path: campaign, f"{column}__isnull": False})
        for pk, text in rows.order_by().values_list("pk", column).iterator(chunk_size=PART):
            if "\0" in text or not unicodedata.is_normalized("NFC", text):
                yield f"{model._meta.verbose_name} {pk}"


@rule("A phrase is the text inside its span, and an item's hash is that of its text and span")
def _spans(campaign: Campaign) -> Iterator[str]:
    rows = Item.objects.filter(campaign=campaign).values_list(
        "pk", "phrase__text", "sentence", "start", "end", "identity_hash"
    )
    for pk, text, sentence, start, end, digest in rows.iterator(chunk_size=PART):
        if sentence[start:end] != text or text_digest(text, sentence, start, end) != digest:
            yield f"item {pk}"


@rule("The hashes of phrases, references and substitutions are those of their texts")
def _hashes(campaign: Campaign) -> Iterator[str]:
    for model, path in ((Phrase, "campaign"), (Reference, "item__campaign")):
        rows = model._default_manager.filter(**{path: campaign}).order_by()
        for pk, text, digest in rows.values_list("pk", "text", "text_hash").iterator(PART):
            if text_digest(text) != digest:
                yield f"{model._meta.verbose_name} {pk}"
    texts = Substitution.objects.filter(campaign=campaign).values_list(
        "pk", "text", "text_hash", "own_sentence", "own_start", "own_end", "context_hash"
    )
    for pk, text, digest, own, start, end, context in texts.iterator(chunk_size=PART):
        expected = "" if own is None else text_digest(own, start, end)
        inside = own is None or (end or 0) <= len(own)
        if text_digest(text) != digest or context != expected or not inside:
            yield f"substitution {pk}"


@rule("What belongs together belongs to one campaign")
def _one_campaign(campaign: Campaign) -> Iterator[str]:
    for model, path, links in LINKS:
        strange = (
            Q(**{f"{name}__isnull": False}) & ~Q(**{f"{name}__campaign": campaign})
            for name in links
        )
        rows = model._default_manager.filter(**{path: campaign})
        yield from broken_ids(rows.filter(reduce(or_, strange)))


@rule("A copy is made from another substitution of its own item")
def _copies(campaign: Campaign) -> Iterator[str]:
    copies = Substitution.objects.filter(campaign=campaign, made_from__isnull=False)
    yield from broken_ids(copies.filter(~Q(made_from__item=F("item")) | Q(made_from=F("pk"))))


@rule("An output of a system is a substitution of role output, of the same item")
def _outputs(campaign: Campaign) -> Iterator[str]:
    given = Output.objects.filter(item__campaign=campaign, substitution__isnull=False)
    role, item = Q(substitution__role=Substitution.Role.OUTPUT), Q(substitution__item=F("item"))
    yield from broken_ids(given.exclude(role & item))


@rule("A scale's threshold is the newest of its history, and its points are on it")
def _thresholds(campaign: Campaign) -> Iterator[str]:
    scales = Scale.objects.filter(campaign=campaign)
    for scale in scales.prefetch_related("points", "threshold_changes"):
        changes = list(scale.threshold_changes.all())
        if not changes or changes[-1].threshold != scale.threshold:
            yield f"scale {scale.name}"
        for point in scale.points.all():
            if not scale.holds(point.value):
                yield f"scale {scale.name} point {point.value:g}"


@rule("Imported gold lies between the ends of its scale")
def _imported_gold(campaign: Campaign) -> Iterator[str]:
    gold: Any = ImportedGold.objects.filter(campaign=campaign)
    inside = Q(value__gte=F("scale__minimum"), value__lte=F("scale__maximum"))
    yield from broken_ids(gold.exclude(inside))
