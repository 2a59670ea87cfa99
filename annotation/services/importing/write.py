"""Write a planned import in short transactions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db.models import F, Max

from annotation.models import (
    Campaign,
    ImportBatch,
    Item,
    Output,
    OutsideId,
    Phrase,
    Reference,
    Substitution,
    System,
)
from annotation.services.audit import Actor
from annotation.services.bulk import bulk_insert, reserve_ids
from annotation.services.importing.plan import ItemPlan, NewItem
from annotation.services.importing.report import batch_make, pieces
from annotation.services.transactions import short_write
from paraanno import clock

ITEMS_PER_WRITE = 1000
LEVELS = {
    "phrase": Phrase,
    "item": Item,
    "substitution": Substitution,
    "system": System,
    "output": Output,
}


def write_plan(
    *, campaign: Campaign, plan: ItemPlan, name: str, sha256: str, rows: int, actor: Actor,
    provenance: Mapping[str, Any] | None = None,
) -> ImportBatch:  # fmt: skip
    """Write phrases and systems, then the items with their dependent rows, part by part."""
    with short_write():
        batch = batch_make(
            campaign=campaign, what="items", name=name, sha256=sha256, rows=rows,
            counts=plan.counts(), actor=actor, provenance=provenance,
        )  # fmt: skip
        _shared(campaign, plan, batch)
    _items(campaign, plan, batch)
    return batch


def write_rows(*, campaign: Campaign, plan: ItemPlan, batch: ImportBatch) -> None:
    """Write what the plan adds as rows of the batch, in the caller's transaction."""
    _shared(campaign, plan, batch)
    _items(campaign, plan, batch)


def _shared(campaign: Campaign, plan: ItemPlan, batch: ImportBatch) -> None:
    """Write what no item owns: systems, and attributes of rows that are there."""
    _systems(campaign, plan, batch)
    _changed_attributes(plan)
    _changed_languages(campaign, plan)


def _items(campaign: Campaign, plan: ItemPlan, batch: ImportBatch) -> None:
    changed = [item for item in plan.items.values() if item.changes]
    for part in pieces(changed, ITEMS_PER_WRITE):
        with short_write():
            Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
            _phrases(campaign, plan, part)
            _PlanPart(campaign, plan, part, batch, clock.now()).write()


def _systems(campaign: Campaign, plan: ItemPlan, batch: ImportBatch) -> None:
    for label in plan.systems:
        attributes = plan.attributes.get(("system", label), {})
        system = System.objects.create(
            campaign=campaign, label=label, attributes=attributes, batch=batch
        )
        plan.stored.systems[label] = system.pk


def _changed_attributes(plan: ItemPlan) -> None:
    """Store attributes that the file adds to existing rows."""
    stored = plan.stored
    keys: dict[str, dict[Any, int]] = {
        "phrase": stored.phrases,
        "item": stored.items,
        "substitution": stored.substitutions,
        "system": stored.systems,
        "output": stored.output_ids,
    }
    for level, model in LEVELS.items():
        rows = [
            model(pk=keys[level][owner], attributes=plan.attributes[level, owner])
            for kind, owner in plan.changed
            if kind == level
        ]
        model._default_manager.bulk_update(rows, ["attributes"], batch_size=500)


def _changed_languages(campaign: Campaign, plan: ItemPlan) -> None:
    """Store languages that the file gives to existing items; metrics that read them start anew."""
    if not plan.languages:
        return
    rows = [
        Item(pk=plan.stored.items[identity], language=language)
        for identity, language in plan.languages.items()
    ]
    Item.objects.bulk_update(rows, ["language"], batch_size=500)
    Campaign.objects.filter(pk=campaign.pk).update(language_changes=F("language_changes") + 1)


def _phrases(campaign: Campaign, plan: ItemPlan, part: Sequence[NewItem]) -> None:
    new = [
        digest
        for digest in dict.fromkeys(item.phrase for item in part)
        if digest not in plan.stored.phrases
    ]
    ids = reserve_ids(Phrase, len(new))
    bulk_insert(
        Phrase,
        ("id", "campaign_id", "key", "text", "text_hash", "attributes"),
        (
            (
                pk, campaign.pk, uuid4(), plan.phrases[digest], digest,
                plan.attributes.get(("phrase", digest), {}),
            )
            for pk, digest in zip(ids, new, strict=True)
        ),
    )  # fmt: skip
    plan.stored.phrases.update(zip(new, ids, strict=True))


class _PlanPart:
    """Some items of the plan, written in the caller's transaction."""

    def __init__(
        self,
        campaign: Campaign,
        plan: ItemPlan,
        items: Sequence[NewItem],
        batch: ImportBatch,
        now: datetime,
    ) -> None:
        self.campaign, self.plan, self.items = campaign, plan, items
        self.batch, self.now = batch, now

    def write(self) -> None:
        self._items()
        self._outside_ids()
        self._references()
        self._substitutions()
        self._outputs()

    def _own(self, level: str, owner: Any) -> dict[str, Any]:
        return self.plan.attributes.get((level, owner), {})

    def _items(self) -> None:
        new = [item for item in self.items if not item.known]
        last = Item.objects.filter(campaign=self.campaign).aggregate(last=Max("position"))["last"]
        first = 0 if last is None else last + 1
        ids = reserve_ids(Item, len(new))
        stored = self.plan.stored
        bulk_insert(
            Item,
            (
                "id", "campaign_id", "phrase_id", "key", "sentence", "start", "end", "language",
                "identity_hash", "position", "attributes", "batch_id", "created_at",
            ),
            (
                (
                    pk, self.campaign.pk, stored.phrases[item.phrase], uuid4(), item.row.sentence,
                    item.row.start, item.row.end, item.language, item.identity, position,
                    self._own("item", item.identity), self.batch.pk, self.now,
                )
                for position, (pk, item) in enumerate(zip(ids, new, strict=True), first)
            ),
        )  # fmt: skip
        stored.items.update(zip((item.identity for item in new), ids, strict=True))

    def _outside_ids(self) -> None:
        bulk_insert(
            OutsideId,
            ("campaign_id", "item_id", "value", "batch_id"),
            (
                (self.campaign.pk, self.plan.stored.items[item.identity], value, self.batch.pk)
                for item in self.items
                for value in item.outside
            ),
        )

    def _references(self) -> None:
        columns = ("item_id", "position", "text", "text_hash", "batch_id")
        bulk_insert(Reference, columns, self._reference_rows())

    def _reference_rows(self) -> Iterator[tuple[Any, ...]]:
        for item in self.items:
            have = self.plan.stored.references.get(item.identity, {})
            first = max(have.values(), default=0) + 1
            pk = self.plan.stored.items[item.identity]
            for position, (digest, text) in enumerate(item.references.items(), first):
                yield pk, position, text, digest, self.batch.pk

    def _substitutions(self) -> None:
        new = [(item, key, row) for item in self.items for key, row in item.substitutions.items()]
        ids = reserve_ids(Substitution, len(new))
        items, known = self.plan.stored.items, self.plan.stored.substitutions
        known.update(zip((key for _, key, _ in new), ids, strict=True))
        made_from = {copy: known[original] for copy, original in self.plan.copies.items()
                     if original in known}  # fmt: skip
        bulk_insert(
            Substitution,
            (
                "id", "campaign_id", "item_id", "key", "text", "text_hash", "role", "own_sentence",
                "own_start", "own_end", "context_hash", "attributes", "created_at", "made_from_id",
                "batch_id",
            ),
            (
                (
                    pk, self.campaign.pk, items[item.identity], uuid4(), row.paraphrase, key[2],
                    row.role, row.own_sentence, row.own_start, row.own_end, key[3],
                    self._own("substitution", key), self.now, made_from.get(key),
                    self.batch.pk,
                )
                for pk, (item, key, row) in zip(ids, new, strict=True)
            ),
        )  # fmt: skip

    def _outputs(self) -> None:
        stored = self.plan.stored
        bulk_insert(
            Output,
            ("system_id", "item_id", "rank", "substitution_id", "attributes", "batch_id"),
            (
                (
                    stored.systems[system], stored.items[item.identity], rank,
                    None if key is None else stored.substitutions[key],
                    self._own("output", (item.identity, system, rank)), self.batch.pk,
                )
                for item in self.items
                for (_, system, rank), key in item.outputs.items()
            ),
        )  # fmt: skip
