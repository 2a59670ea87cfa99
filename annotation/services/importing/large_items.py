"""Imports of large files of items."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from django.db import connection

from annotation.importers import ItemRow, ProblemLog, iter_items
from annotation.models import ImportBatch
from annotation.services.collecting.opening import sheets_follow
from annotation.services.importing.changes import MOST_CHANGES, item_changes
from annotation.services.importing.large import ROWS, Counts, LargeImport, note
from annotation.services.importing.plan import ItemPlan, plan_items
from annotation.services.importing.report import ImportReport, TextChange
from annotation.services.importing.tables.sources import in_words_of
from annotation.services.importing.write import write_rows
from paraanno.plain.on_disk import Disk, DiskDict, DiskPile


def large_items(one: LargeImport, keep: bool = False) -> ImportReport:
    """Import items; see `items_import`."""
    log, found = ProblemLog(one.name), ProblemLog(one.name)
    with Disk() as disk:
        pile: DiskPile[ItemRow] = disk.pile()
        first: DiskDict[int] = disk.dict()
        source = one.source("items")
        read = iter_items(
            source, log=log, format=one.format, raw=one.raw, memory=disk.dict
        )  # fmt: skip
        for part in one.rows(read):
            for row in part:
                # The empty attributes of a reader cannot be stored.
                kept = row if row.attributes else replace(row, attributes={})
                pile.add(first.setdefault(row.identity, row.line), kept)
        if log.errors:
            return one.report(log.problems(), len(pile), Counter(), None)
        planned, changes = _compared(one, pile, disk, found, keep)
        problems = [*log.problems(), *in_words_of(source, found.problems())]
        batch = one.batch
        if not (one.dry_run or found.errors):
            if planned.total():
                batch = one.write(
                    "items", pile.pieces(ROWS), rows=len(pile), planned=planned,
                    whole=connection.vendor == "postgresql",
                    prepare=lambda rows: _plan(one, rows, keep), store=_store_items,
                )  # fmt: skip
            sheets_follow(campaign=one.campaign)
        return one.report(problems, len(pile), planned, batch, changes)


def _plan(one: LargeImport, rows: list[ItemRow], keep: bool) -> ItemPlan:
    return plan_items(campaign=one.campaign, rows=rows, file=one.name, keep=keep)


def _compared(
    one: LargeImport,
    pile: DiskPile[ItemRow],
    disk: Disk,
    log: ProblemLog,
    keep: bool,
) -> tuple[Counts, list[TextChange]]:
    """Return how much the file adds; what several parts share is counted once."""
    changes: list[TextChange] = []
    met = disk.dict()
    planned: Counts = Counter()
    for rows in pile.pieces(ROWS):
        plan = _plan(one, rows, keep)
        note(plan.problems, log)
        if one.dry_run:
            changes += item_changes(plan, MOST_CHANGES - len(changes))
        again: dict[str, list[object]] = {
            "phrases": [("phrase", digest) for digest in plan.phrases],
            "systems": [("system", label) for label in plan.systems],
            "attributes": [("changed", *owner) for owner in plan.changed],
        }
        planned.update(plan.counts())
        for name, keys in again.items():
            for key in keys:
                planned[name] -= bool(met.get(key))
                met[key] = True
    return planned, changes


def _store_items(batch: ImportBatch, plan: ItemPlan) -> Counts:
    write_rows(campaign=batch.campaign, plan=plan, batch=batch)
    return Counter(plan.counts())
