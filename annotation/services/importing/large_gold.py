"""Imports of large files of gold."""

from __future__ import annotations

from collections import Counter
from typing import Any

from annotation.importers import ProblemLog, iter_gold
from annotation.models import ImportBatch, ImportedGold, Scale
from annotation.services.importing.changes import MOST_CHANGES, gold_changes
from annotation.services.importing.gold import GoldComparison
from annotation.services.importing.large import ROWS, Counts, LargeImport, note
from annotation.services.importing.report import ImportReport, TextChange
from annotation.services.importing.tables.sources import in_words_of
from annotation.services.importing.whole import is_whole
from paraanno.plain.on_disk import Disk, DiskPile


def large_gold(one: LargeImport, *, source: str = "") -> ImportReport:
    """Import gold values; see `gold_import`."""
    log, found = ProblemLog(one.name), ProblemLog(one.name)
    scales = {scale.name: scale for scale in Scale.objects.filter(campaign=one.campaign)}
    rows = 0
    with Disk() as disk:
        pile: DiskPile[tuple[Any, ...]] = disk.pile()
        comparison = GoldComparison(
            one.campaign, scales, one.name, source or one.name, disk.dict
        )  # fmt: skip
        table = one.source("gold")
        changes: list[TextChange] = []
        read = iter_gold(
            table, log=log, scales=list(scales), format=one.format, raw=one.raw,
            memory=disk.dict,
        )  # fmt: skip
        for part in one.rows(read):
            rows += len(part)
            if log.errors:
                continue
            new, problems = comparison.compare(part)
            note(problems, found)
            if one.dry_run and len(changes) < MOST_CHANGES:
                changes += gold_changes(comparison.fresh, MOST_CHANGES - len(changes))
            for gold in new:
                fields = (gold.substitution_id, gold.scale_id, gold.value, gold.n, gold.spread)
                pile.add(len(pile), (*fields, gold.method, gold.source))
        if log.errors:
            return one.report(log.problems(), rows, Counter(), None)
        planned: Counts = Counter(gold=len(pile))
        batch = one.batch
        if len(pile) and not (one.dry_run or found.errors):
            batch = one.write(
                "gold", pile.pieces(ROWS), rows=rows, planned=planned, whole=is_whole(len(pile)),
                prepare=lambda part: part, store=_store_gold,
            )  # fmt: skip
        return one.report(
            [*log.problems(), *in_words_of(table, found.problems())], rows, planned, batch, changes
        )


def _store_gold(batch: ImportBatch, part: list[tuple[Any, ...]]) -> Counts:
    names = ("substitution_id", "scale_id", "value", "n", "spread", "method", "source")
    ImportedGold.objects.bulk_create(
        (
            ImportedGold(
                campaign=batch.campaign, batch=batch, **dict(zip(names, fields, strict=True))
            )
            for fields in part
        ),
        batch_size=500,
    )
    return Counter(gold=len(part))
