"""Import gold values from other sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.database import Actor, short_write
from annotation.errors import Conflict
from annotation.importers.columns import Memory, NewMemory
from annotation.importers.gold import GoldRow, read_gold
from annotation.importing.report import (
    ImportReport,
    batch_make,
    digest_of,
    errors_first,
    is_whole,
    load_targets,
    pieces,
    whole_write,
)
from annotation.importing.tables import gold_changes, in_words_of, source_of
from annotation.models import Campaign, ImportedGold, Scale
from paraanno.common.texts import Problem, Sentence, say

ROWS_PER_WRITE = 5000


def gold_import(
    *,
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    format: str | None = None,
    raw: bool = False,
    dry_run: bool = False,
    source: str = "",
    mapping: Mapping[str, Any] | None = None,
) -> ImportReport:
    """Import a gold file (columns of our gold export) from a seekable byte stream; with the JSON of
    a `mapping`, a table of any kind.

    `source` distinguishes gold of several origins; it defaults to the file name. Values already
    stored are skipped. A different value of the same source is an error that shows both.
    """
    sha256 = digest_of(stream)
    source = source or name
    scales = {scale.name: scale for scale in Scale.objects.filter(campaign=campaign)}
    table = source_of(stream, name, "gold", mapping, format)
    parsed = read_gold(table, name=name, scales=list(scales), format=format, raw=raw)
    if not parsed.ok:
        return ImportReport(parsed.problems, len(parsed.rows), dry_run=dry_run)
    comparison = GoldComparison(campaign, scales, name, source)
    new, problems = comparison.compare(parsed.rows)
    counts = {"gold": len(new)}
    report = ImportReport(
        errors_first([*parsed.problems, *in_words_of(table, problems)]),
        len(parsed.rows),
        counts,
        dry_run,
        changes=tuple(gold_changes(comparison.fresh)) if dry_run else (),
    )
    if dry_run or not report.ok or not new:
        return report
    whole = is_whole(len(new))
    try:
        with whole_write(whole):
            with short_write():
                batch = batch_make(
                    campaign=campaign,
                    what="gold",
                    name=name,
                    sha256=sha256,
                    rows=len(parsed.rows),
                    counts=counts,
                    actor=actor,
                    provenance=None if mapping is None else {"map": dict(mapping)},
                )
            for part in pieces(new, ROWS_PER_WRITE):
                for gold in part:
                    gold.batch = batch
                with short_write():
                    ImportedGold.objects.bulk_create(part, batch_size=500)
    except IntegrityError as error:
        raise Conflict(
            _("The same gold was imported at the same time: import it again.")
        ) from error
    return ImportReport(report.problems, len(parsed.rows), counts, batch=batch)


class GoldComparison:
    """Compares the rows of a file with the stored gold of its source and with each other, in parts
    if the file is large.
    """

    def __init__(
        self,
        campaign: Campaign,
        scales: Mapping[str, Scale],
        name: str,
        source: str,
        memory: NewMemory = dict,
    ) -> None:
        self.campaign, self.scales, self.name, self.source = campaign, scales, name, source
        self.lines: Memory[int] = memory()
        self.fresh: list[GoldRow] = []  # the rows of the last part that are new

    def compare(self, rows: Sequence[GoldRow]) -> tuple[list[ImportedGold], list[Problem]]:
        """Return the rows that are new, and the conflicts."""
        targets = load_targets(campaign=self.campaign, targets=[row.target for row in rows])
        resolved = {targets.find(row.target) for row in rows}
        stored = self._stored({one for one in resolved if not isinstance(one, Sentence)})
        problems: list[Problem] = []
        new: list[ImportedGold] = []
        self.fresh = []
        for row in rows:
            scale, substitution = self.scales[row.scale], targets.find(row.target)
            if isinstance(substitution, Sentence):
                problems.append(Problem(self.name, row.line, None, substitution))
            elif not scale.minimum <= row.value <= scale.maximum:
                text = say(
                    "%(value)s is not between %(least)s and %(most)s: correct it",
                    value=f"{row.value:g}",
                    least=f"{scale.minimum:g}",
                    most=f"{scale.maximum:g}",
                )
                problems.append(Problem(self.name, row.line, row.scale, text))
            elif (line := self.lines.setdefault((substitution, scale.pk), row.line)) != row.line:
                text = say(
                    "the same text, named differently, has a value in line %(line)s too: remove "
                    "one",
                    line=line,
                )
                problems.append(Problem(self.name, row.line, row.scale, text))
            elif (have := stored.get((substitution, scale.pk))) is None:
                self.fresh.append(row)
                new.append(
                    ImportedGold(
                        campaign=self.campaign,
                        substitution_id=substitution,
                        scale=scale,
                        value=row.value,
                        n=row.n,
                        spread=row.sd,
                        method=row.method or "",
                        source=self.source,
                    )
                )
            elif have != row.value:
                text = say(
                    "%(source)s says %(stored)s in the campaign and %(value)s here: name another "
                    "source",
                    source=self.source,
                    stored=f"{have:g}",
                    value=f"{row.value:g}",
                )
                problems.append(Problem(self.name, row.line, row.scale, text))
        return new, problems

    def _stored(self, substitutions: set[int]) -> dict[tuple[int, int], float]:
        gold = ImportedGold.objects.filter(campaign=self.campaign, source=self.source)
        stored: dict[tuple[int, int], float] = {}
        for part in pieces(sorted(substitutions)):
            rows = gold.filter(substitution__in=part)
            for substitution, scale, value in rows.values_list(
                "substitution_id", "scale_id", "value"
            ):
                stored[substitution, scale] = value
        return stored
