"""Import items, substitutions, systems and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, BinaryIO

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.importers import ItemRow, Parsed, read_ccb, read_items, recover_case
from annotation.importers.ccb_lines import shout
from annotation.models import Campaign, ImportBatch, Item
from annotation.models.fields import text_digest
from annotation.services.audit import Actor
from annotation.services.collecting.opening import sheets_follow
from annotation.services.importing.changes import item_changes
from annotation.services.importing.plan import ItemPlan, plan_items
from annotation.services.importing.report import ImportReport, digest_of, errors_first
from annotation.services.importing.tables.sources import FileSource, in_words_of, source_of
from annotation.services.importing.whole import is_whole
from annotation.services.importing.write import write_plan
from paraanno.plain.records import RecordSource


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
    return ImportReport(problems, len(parsed.rows), plan.counts(), batch=batch)


def _write(
    campaign: Campaign, plan: ItemPlan, name: str, sha256: str, rows: int, actor: Actor,
    provenance: Mapping[str, Any] | None,
) -> ImportBatch:  # fmt: skip
    try:
        return write_plan(
            campaign=campaign, plan=plan, name=name, sha256=sha256, rows=rows, actor=actor,
            provenance=provenance, whole=is_whole(rows),
        )  # fmt: skip
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
    def known() -> dict[str, str]:
        rows = Item.objects.filter(campaign=campaign).select_related("phrase")
        return {
            text_digest(item.before, shout(item.phrase.text), item.after): item.phrase.text
            for item in rows.iterator(chunk_size=2000)
        }

    return lambda before, shouted, after: known().get(text_digest(before, shouted, after))
