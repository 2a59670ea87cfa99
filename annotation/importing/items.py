"""Import items, substitutions, systems and outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, BinaryIO
from uuid import uuid4

from django.db import IntegrityError
from django.db.models import F, Max
from django.utils.translation import gettext as _

from annotation.database import (
    Actor,
    ReadyRows,
    bulk_ready,
    bulk_write,
    lock_row,
    reserve_ids,
    short_write,
)
from annotation.errors import Conflict
from annotation.importers.ccb import read_ccb, recover_case, shout
from annotation.importers.items import ItemRow, read_items
from annotation.importing.plan import ItemPlan, NewItem, plan_items
from annotation.importing.report import (
    ImportReport,
    batch_make,
    digest_of,
    errors_first,
    followers_call,
    is_whole,
    made_before,
    pieces,
    whole_write,
)
from annotation.importing.tables import FileSource, in_words_of, item_changes, source_of
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
from annotation.models.fields import text_digest
from annotation.sheets.slots import sheets_follow
from paraanno import clock
from paraanno.common.records import RecordSource
from paraanno.common.texts import Parsed

# Write a planned import in short transactions.


ITEMS_PER_WRITE = 1000
LEVELS = {
    "phrase": Phrase,
    "item": Item,
    "substitution": Substitution,
    "system": System,
    "output": Output,
}


def write_plan(
    *,
    campaign: Campaign,
    plan: ItemPlan,
    name: str,
    sha256: str,
    rows: int,
    actor: Actor,
    provenance: Mapping[str, Any] | None = None,
    whole: bool,
) -> ImportBatch:
    """Write phrases and systems, then the items with their dependent rows, part by part; in one
    transaction if `whole`."""
    [batch_pk] = reserve_ids(ImportBatch, 1)
    _reserve_systems(plan)
    parts = made_before(_parts(campaign, plan, batch_pk), whole)
    with whole_write(whole):
        with short_write():
            batch = batch_make(
                campaign=campaign,
                what="items",
                name=name,
                sha256=sha256,
                rows=rows,
                counts=plan.counts(),
                actor=actor,
                provenance=provenance,
                pk=batch_pk,
            )
            _shared(campaign, plan, batch)
        for part in parts:
            with short_write():
                part.write()
    return batch


def write_rows(*, campaign: Campaign, plan: ItemPlan, batch: ImportBatch) -> None:
    """Write what the plan adds as rows of the batch, in the caller's transaction."""
    _reserve_systems(plan)
    _shared(campaign, plan, batch)
    for part in _parts(campaign, plan, batch.pk):
        part.write()


def _parts(campaign: Campaign, plan: ItemPlan, batch_pk: int) -> Iterator[_PlanPart]:
    changed = [item for item in plan.items.values() if item.changes]
    for part in pieces(changed, ITEMS_PER_WRITE):
        yield _PlanPart(campaign, plan, part, batch_pk, clock.now())


def _shared(campaign: Campaign, plan: ItemPlan, batch: ImportBatch) -> None:
    """Write what no item owns: systems, and attributes of rows that are there."""
    System.objects.bulk_create(
        System(
            pk=plan.stored.systems[label],
            campaign=campaign,
            label=label,
            batch=batch,
            attributes=plan.attributes.get(("system", label), {}),
        )
        for label in plan.systems
    )
    _changed_attributes(plan)
    _changed_languages(campaign, plan)


def _reserve_systems(plan: ItemPlan) -> None:
    ids = reserve_ids(System, len(plan.systems))
    plan.stored.systems.update(zip(plan.systems, ids, strict=True))


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


class _PlanPart:
    """Some items of the plan: rows that are made ready first, with ids of their own, and then
    written in the caller's transaction."""

    def __init__(
        self,
        campaign: Campaign,
        plan: ItemPlan,
        items: Sequence[NewItem],
        batch_pk: int,
        now: datetime,
    ) -> None:
        self.campaign, self.plan, self.items = campaign, plan, items
        self.batch_pk, self.now = batch_pk, now
        # Later rows name earlier ones.
        self.phrases = self._phrases()
        self.new_items = self._items()
        self.others = (
            self._outside_ids(),
            self._references(),
            self._substitutions(),
            self._outputs(),
        )

    def write(self) -> None:
        lock_row(Campaign, self.campaign.pk)
        last = Item.objects.filter(campaign=self.campaign).aggregate(last=Max("position"))["last"]
        first = 0 if last is None else last + 1
        items = self.new_items
        placed: list[Sequence[Any]] = [
            (*cells, first + place) for place, cells in enumerate(items.rows)
        ]
        bulk_write(self.phrases)
        bulk_write(ReadyRows(items.model, (*items.columns, "position"), placed))
        for rows in self.others:
            bulk_write(rows)

    def _own(self, level: str, owner: Any) -> dict[str, Any]:
        return self.plan.attributes.get((level, owner), {})

    def _phrases(self) -> ReadyRows:
        stored = self.plan.stored
        new = [
            digest
            for digest in dict.fromkeys(item.phrase for item in self.items)
            if digest not in stored.phrases
        ]
        ids = reserve_ids(Phrase, len(new))
        stored.phrases.update(zip(new, ids, strict=True))
        return bulk_ready(
            Phrase,
            ("id", "campaign_id", "key", "text", "text_hash", "attributes"),
            (
                (
                    pk,
                    self.campaign.pk,
                    uuid4(),
                    self.plan.phrases[digest],
                    digest,
                    self._own("phrase", digest),
                )
                for pk, digest in zip(ids, new, strict=True)
            ),
        )

    def _items(self) -> ReadyRows:
        """All but their positions, which follow those that are there when they are written."""
        new = [item for item in self.items if not item.exists]
        ids = reserve_ids(Item, len(new))
        stored = self.plan.stored
        stored.items.update(zip((item.identity for item in new), ids, strict=True))
        return bulk_ready(
            Item,
            (
                "id",
                "campaign_id",
                "phrase_id",
                "key",
                "sentence",
                "start",
                "end",
                "language",
                "identity_hash",
                "attributes",
                "batch_id",
                "created_at",
            ),
            (
                (
                    pk,
                    self.campaign.pk,
                    stored.phrases[item.phrase],
                    uuid4(),
                    item.row.sentence,
                    item.row.start,
                    item.row.end,
                    item.language,
                    item.identity,
                    self._own("item", item.identity),
                    self.batch_pk,
                    self.now,
                )
                for pk, item in zip(ids, new, strict=True)
            ),
        )

    def _outside_ids(self) -> ReadyRows:
        return bulk_ready(
            OutsideId,
            ("campaign_id", "item_id", "value", "batch_id"),
            (
                (self.campaign.pk, self.plan.stored.items[item.identity], value, self.batch_pk)
                for item in self.items
                for value in item.outside
            ),
        )

    def _references(self) -> ReadyRows:
        columns = ("item_id", "position", "text", "text_hash", "batch_id")
        return bulk_ready(Reference, columns, self._reference_rows())

    def _reference_rows(self) -> Iterator[tuple[Any, ...]]:
        for item in self.items:
            have = self.plan.stored.references.get(item.identity, {})
            first = max(have.values(), default=0) + 1
            pk = self.plan.stored.items[item.identity]
            for position, (digest, text) in enumerate(item.references.items(), first):
                yield pk, position, text, digest, self.batch_pk

    def _substitutions(self) -> ReadyRows:
        new = [(item, key, row) for item in self.items for key, row in item.substitutions.items()]
        ids = reserve_ids(Substitution, len(new))
        items, substitutions = self.plan.stored.items, self.plan.stored.substitutions
        substitutions.update(zip((key for _, key, _ in new), ids, strict=True))
        made_from = {
            copy: substitutions[original]
            for copy, original in self.plan.copies.items()
            if original in substitutions
        }
        return bulk_ready(
            Substitution,
            (
                "id",
                "campaign_id",
                "item_id",
                "key",
                "text",
                "text_hash",
                "role",
                "own_sentence",
                "own_start",
                "own_end",
                "context_hash",
                "attributes",
                "created_at",
                "made_from_id",
                "batch_id",
            ),
            (
                (
                    pk,
                    self.campaign.pk,
                    items[item.identity],
                    uuid4(),
                    row.paraphrase,
                    key[2],
                    row.role,
                    row.own_sentence,
                    row.own_start,
                    row.own_end,
                    key[3],
                    self._own("substitution", key),
                    self.now,
                    made_from.get(key),
                    self.batch_pk,
                )
                for pk, (item, key, row) in zip(ids, new, strict=True)
            ),
        )

    def _outputs(self) -> ReadyRows:
        stored = self.plan.stored
        return bulk_ready(
            Output,
            ("system_id", "item_id", "rank", "substitution_id", "attributes", "batch_id"),
            (
                (
                    stored.systems[system],
                    stored.items[item.identity],
                    rank,
                    None if key is None else stored.substitutions[key],
                    self._own("output", (item.identity, system, rank)),
                    self.batch_pk,
                )
                for item in self.items
                for (_, system, rank), key in item.outputs.items()
            ),
        )


def items_import(
    *,
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    format: str | None = None,
    raw: bool = False,
    dry_run: bool = False,
    provenance: Mapping[str, Any] | None = None,
    mapping: Mapping[str, Any] | None = None,
    keep: bool = False,
) -> ImportReport:
    """Import an items file (csv, tsv, jsonl, ccb or ppdb) from a seekable byte stream; with the
    JSON of a `mapping`, a table of any kind.

    With `keep`, items that are there keep their attributes and ids: the file has none for them.
    `provenance` says how the file was made, if it was made here, and is kept with the import.
    Idempotent. In a campaign that was opened before, new substitutions get sheets and slots
    immediately. Raises Conflict if another import of the same rows ran at the same time; nothing of
    the file stands then, but for parts of one of over 100,000 rows on SQLite (see `whole_write`).
    """
    sha256 = digest_of(stream)
    source = source_of(stream, name, "items", mapping, format)
    parsed = _read(campaign, source, name, format, raw)
    if not parsed.ok:
        return ImportReport(parsed.problems, len(parsed.rows), dry_run=dry_run)
    plan = plan_items(campaign=campaign, rows=parsed.rows, file=name, keep=keep)
    problems = errors_first([*parsed.problems, *in_words_of(source, plan.problems)])
    changes = tuple(item_changes(plan)) if dry_run else ()
    report = ImportReport(problems, len(parsed.rows), plan.counts(), dry_run, changes=changes)
    if dry_run or not report.ok:
        return report
    batch = None
    if not plan.empty:
        if mapping is not None:
            provenance = {**(provenance or {}), "map": dict(mapping)}
        batch = _write(campaign, plan, name, sha256, len(parsed.rows), actor, provenance)
    # Also if nothing is new, so that repeating an interrupted import completes it.
    sheets_follow(campaign=campaign)
    if batch is not None:
        followers_call(campaign=campaign, actor=actor)
    return ImportReport(problems, len(parsed.rows), plan.counts(), batch=batch)


def _write(
    campaign: Campaign,
    plan: ItemPlan,
    name: str,
    sha256: str,
    rows: int,
    actor: Actor,
    provenance: Mapping[str, Any] | None,
) -> ImportBatch:
    try:
        return write_plan(
            campaign=campaign,
            plan=plan,
            name=name,
            sha256=sha256,
            rows=rows,
            actor=actor,
            provenance=provenance,
            whole=is_whole(rows),
        )
    except IntegrityError as error:
        raise Conflict(
            _(
                "Another import wrote to this campaign at the same time. Import the file again: "
                "what is there already is skipped."
            )
        ) from error


def _read(
    campaign: Campaign, stream: FileSource, name: str, format: str | None, raw: bool
) -> Parsed[ItemRow]:
    if (format or "").lower() != "ccb" or isinstance(stream, RecordSource):
        return read_items(stream, name=name, format=format, raw=raw)
    parsed = recover_case(read_ccb(stream, name=name), known_phrases(campaign))
    return Parsed(parsed.items, parsed.problems)


def known_phrases(campaign: Campaign) -> Callable[[str, str, str], str | None]:
    """Return a function that restores the case of an upper-cased phrase if the campaign has the
    item.
    """

    @cache
    def phrases() -> dict[str, str]:
        rows = Item.objects.filter(campaign=campaign).select_related("phrase")
        return {
            text_digest(item.before, shout(item.phrase.text), item.after): item.phrase.text
            for item in rows.iterator(chunk_size=2000)
        }

    return lambda before, shouted, after: phrases().get(text_digest(before, shouted, after))
