"""Rules about texts, spans, scales, and links between rows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import F, Model, Q

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
    Skip,
    Slot,
    SlotEvent,
    Substitution,
    Withdrawal,
)
from annotation.models.fields import text_digest
from annotation.models.people.exclusion import TARGETS
from annotation.selectors.verify.rules import broken_ids, rule

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
        strange = (Q(**{f"{name}__isnull": False}) & ~Q(**{f"{name}__campaign": campaign})
                   for name in links)  # fmt: skip
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
