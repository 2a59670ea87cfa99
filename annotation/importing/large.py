"""Imports of large files in constant memory: whole or nothing, and safe to repeat.

The file is read once. Each part of it is compared with the campaign as it is read, what earlier
rows said is looked up on disk, and what is new waits there too. Only if nothing is wrong is it
written: on PostgreSQL in one transaction; on SQLite, which has one writer, in parts,
so that annotators can keep saving. An import that was interrupted between two parts goes on after
them when it is repeated, and keeps its batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, TypeVar

from django.db import IntegrityError, connection
from django.utils.translation import gettext as _

from annotation.database import Actor, reserve_ids, short_write
from annotation.errors import Conflict
from annotation.importers.gold import iter_gold
from annotation.importers.items import ItemRow, iter_items
from annotation.importers.judgments import Repeats, iter_judgments
from annotation.importing import judgments_write
from annotation.importing.gold import GoldComparison
from annotation.importing.items import write_rows
from annotation.importing.judgments import AnnotatorRows, JudgmentPlanner, NewJudgment
from annotation.importing.judgments import fill_slots as fill
from annotation.importing.judgments_write import provenance_of
from annotation.importing.plan import ItemPlan, plan_items
from annotation.importing.report import (
    ImportReport,
    TextChange,
    batch_make,
    digest_of,
    errors_first,
    followers_call,
    is_whole,
    made_before,
    pieces,
    whole_write,
)
from annotation.importing.tables import (
    MOST_CHANGES,
    FileSource,
    gold_changes,
    in_words_of,
    is_ppdb,
    item_changes,
    judgment_changes,
    source_of,
)
from annotation.models import Annotator, Campaign, ImportBatch, ImportedGold, Scale
from annotation.sheets.slots import sheets_follow
from paraanno.common.on_disk import Disk, DiskDict, DiskPile
from paraanno.common.texts import Problem, ProblemLog

ROWS = 2000  # read, compared and written together
T = TypeVar("T")
Counts = Counter[str]


def _unheard(n: int) -> None:
    """Report to nobody."""


@dataclass(slots=True)
class LargeImport:
    """One large file and its campaign.

    `checked` and `written` are called with how many rows of the file are; `batch` is that of an
    interrupted try, and `made` is called with a new one, in the same transaction.
    """

    campaign: Campaign
    stream: BinaryIO
    name: str
    actor: Actor
    format: str | None = None
    raw: bool = False
    dry_run: bool = False
    checked: Callable[[int], None] = _unheard
    written: Callable[[int], None] = _unheard
    batch: ImportBatch | None = None
    made: Callable[[ImportBatch], None] = lambda batch: None
    mapping: Mapping[str, Any] | None = None
    provenance: Mapping[str, Any] | None = None  # How the file was made, if it was made here.

    def source(self, what: str) -> FileSource:
        """What the rows are read from."""
        return source_of(self.stream, self.name, what, self.mapping, self.format)

    def rows(self, records: Iterable[T]) -> Iterator[list[T]]:
        """Yield the rows in parts, and report them."""
        n = 0
        for part in pieces(records, ROWS):
            yield part
            n += len(part)
            self.checked(n)

    def write(
        self,
        what: str,
        parts: Iterable[T],
        *,
        rows: int,
        planned: Counts,
        whole: bool,
        prepare: Callable[[T], Any],
        store: Callable[[ImportBatch, Any], Counts],
        pk: int | None = None,
    ) -> ImportBatch:
        """Write the parts; the record of the file says at any time how much of it is stored.

        `prepare` reads and computes outside of the part's transaction, and `store` writes in it.
        `pk` is a reserved id of the record.
        """
        digest = digest_of(self.stream)
        prepared = made_before(((part, prepare(part)) for part in parts), whole)
        try:
            with whole_write(whole):
                batch = self.batch
                for part, ready in prepared:
                    with short_write():
                        if batch is None:
                            batch = self._begin(what, rows, planned, digest, pk)
                        batch.counts = Counter(batch.counts) + store(batch, ready)
                        batch.save(update_fields=["counts"])
                    self.written(len(part) if isinstance(part, list) else 0)
                if batch is None:
                    raise ValueError("an import that adds nothing was to be written")
                batch.counts = {name: batch.counts.get(name, 0) for name in planned}
                batch.save(update_fields=["counts"])
        except IntegrityError as error:
            raise Conflict(
                _(
                    "Another import wrote to this campaign at the same time. Import the file "
                    "again: what is there already is skipped."
                )
            ) from error
        return batch

    def _begin(
        self, what: str, rows: int, planned: Counts, digest: str, pk: int | None
    ) -> ImportBatch:
        mapped = {} if self.mapping is None else {"map": dict(self.mapping)}
        batch = batch_make(
            campaign=self.campaign,
            what=what,
            name=self.name,
            sha256=digest,
            rows=rows,
            counts=dict(planned),
            actor=self.actor,
            provenance={**(self.provenance or {}), **mapped},
            pk=pk,
        )
        batch.counts = {}
        self.made(batch)
        return batch

    def report(
        self,
        problems: Sequence[Problem],
        rows: int,
        counts: Counts,
        batch: ImportBatch | None,
        changes: Sequence[TextChange] = (),
    ) -> ImportReport:
        totals = dict(counts) if batch is None else dict(batch.counts)
        preview = tuple(changes) if self.dry_run else ()
        return ImportReport(errors_first(problems), rows, totals, self.dry_run, batch, preview)


def note(problems: Iterable[Problem], log: ProblemLog) -> None:
    for problem in problems:
        add = log.error if problem.severity == "error" else log.warn
        add(problem.line, problem.message, problem.column)


def in_order(*logs: ProblemLog) -> list[Problem]:
    return sorted((one for log in logs for one in log.problems()), key=lambda one: one.line)


# Imports of large files of gold.


def large_gold(one: LargeImport, *, source: str = "") -> ImportReport:
    """Import gold values; see `gold_import`."""
    log, comparison_log = ProblemLog(one.name), ProblemLog(one.name)
    scales = {scale.name: scale for scale in Scale.objects.filter(campaign=one.campaign)}
    rows = 0
    with Disk() as disk:
        pile: DiskPile[tuple[Any, ...]] = disk.pile()
        comparison = GoldComparison(one.campaign, scales, one.name, source or one.name, disk.dict)
        table = one.source("gold")
        changes: list[TextChange] = []
        read = iter_gold(
            table,
            log=log,
            scales=list(scales),
            format=one.format,
            raw=one.raw,
            memory=disk.dict,
        )
        for part in one.rows(read):
            rows += len(part)
            if log.errors:
                continue
            new, problems = comparison.compare(part)
            note(problems, comparison_log)
            if one.dry_run and len(changes) < MOST_CHANGES:
                changes += gold_changes(comparison.fresh, MOST_CHANGES - len(changes))
            for gold in new:
                fields = (gold.substitution_id, gold.scale_id, gold.value, gold.n, gold.spread)
                pile.add(len(pile), (*fields, gold.method, gold.source))
        if log.errors:
            return one.report(log.problems(), rows, Counter(), None)
        planned: Counts = Counter(gold=len(pile))
        batch = one.batch
        if len(pile) and not (one.dry_run or comparison_log.errors):
            batch = one.write(
                "gold",
                pile.pieces(ROWS),
                rows=rows,
                planned=planned,
                whole=is_whole(len(pile)),
                prepare=lambda part: part,
                store=_store_gold,
            )
        return one.report(
            [*log.problems(), *in_words_of(table, comparison_log.problems())],
            rows,
            planned,
            batch,
            changes,
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


# Imports of large files of items.


def large_items(one: LargeImport, keep: bool = False) -> ImportReport:
    """Import items; see `items_import`."""
    log, comparison_log = ProblemLog(one.name), ProblemLog(one.name)
    with Disk() as disk:
        pile: DiskPile[ItemRow] = disk.pile()
        first: DiskDict[int] = disk.dict()
        source = one.source("items")
        read = iter_items(source, log=log, format=one.format, raw=one.raw, memory=disk.dict)
        for part in one.rows(read):
            for row in part:
                # The empty attributes of a reader cannot be stored.
                storable = row if row.attributes else replace(row, attributes={})
                pile.add(first.setdefault(row.identity, row.line), storable)
        if log.errors:
            return one.report(log.problems(), len(pile), Counter(), None)
        planned, changes = _compared(one, pile, disk, comparison_log, keep)
        problems = [*log.problems(), *in_words_of(source, comparison_log.problems())]
        batch = one.batch
        if not (one.dry_run or comparison_log.errors):
            if planned.total():
                batch = one.write(
                    "items",
                    pile.pieces(ROWS),
                    rows=len(pile),
                    planned=planned,
                    whole=connection.vendor == "postgresql",
                    prepare=lambda rows: _plan(one, rows, keep),
                    store=_store_items,
                )
            sheets_follow(campaign=one.campaign)
            if planned.total():
                followers_call(campaign=one.campaign, actor=one.actor)
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


# Imports of large files of judgments.


def large_judgments(
    one: LargeImport,
    *,
    annotator: str | None = None,
    repeats: Repeats = "error",
    fill_slots: bool = False,
    anonymous: bool = False,
) -> ImportReport:
    """Import judgments; see `judgments_import`."""
    anonymous = anonymous or (is_ppdb(one.format) and one.mapping is None)
    options = AnnotatorRows(repeats, anonymous, annotator if anonymous else None)
    log, comparison_log = ProblemLog(one.name), ProblemLog(one.name)
    with Disk() as disk:
        pile: DiskPile[NewJudgment] = disk.pile()
        planner = JudgmentPlanner(one.campaign, one.name, options, disk.dict)
        codes: dict[str, None] = {}
        heard: set[str] = set()
        rows = passed_over = 0
        recorded = True
        source = one.source("judgments")
        changes: list[TextChange] = []
        read = iter_judgments(
            source,
            log=log,
            format=one.format,
            raw=one.raw,
            annotator=None if anonymous else annotator,
            repeats=repeats,
            anonymous=anonymous,
            memory=disk.dict,
        )
        for part in one.rows(read):
            rows += len(part)
            if log.errors:
                continue  # The file is refused: only its other errors matter.
            plan = planner.plan(part)
            note(plan.problems, comparison_log)
            codes |= dict.fromkeys(plan.codes)
            heard |= plan.heard
            passed_over += plan.passed_over
            recorded = recorded and all(new.row.recorded_at is not None for new in plan.new)
            _keep(one, plan.new, pile, changes)
        if log.errors:
            return one.report(log.problems(), rows, Counter(), None)
        problems = [*log.problems(), *in_words_of(source, in_order(comparison_log, planner.log))]
        digest = digest_of(one.stream)
        if passed_over and not judgments_write.imported_before(one.campaign, digest):
            problems.append(judgments_write.perhaps_others(one.name, passed_over))
        planned: Counts = Counter(judgments=len(pile), annotators=len(codes))
        batch = one.batch
        if not (one.dry_run or comparison_log.errors or planner.log.errors):
            if len(pile):
                writing = _Writing(one, codes)
                one.provenance = {
                    **(one.provenance or {}),
                    **provenance_of(None, recorded=recorded),
                }
                batch = one.write(
                    "judgments",
                    pile.pieces(ROWS),
                    rows=rows,
                    planned=planned,
                    whole=is_whole(len(pile)),
                    prepare=writing.prepare,
                    store=writing.store,
                    pk=writing.batch_pk,
                )
            if fill_slots:
                filled = fill(campaign=one.campaign, codes=heard, actor=one.actor)
                if batch is None:
                    planned["slots"] = filled
                else:
                    batch.counts["slots"] = filled
        return one.report(problems, rows, planned, batch, changes)


def _keep(
    one: LargeImport,
    fresh: list[NewJudgment],
    pile: DiskPile[NewJudgment],
    changes: list[TextChange],
) -> None:
    if one.dry_run and len(changes) < MOST_CHANGES:
        changes += judgment_changes((new.row for new in fresh), MOST_CHANGES - len(changes))
    for new in fresh:
        pile.add(new.row.line, new)


class _Writing:
    """The judgments of a file with the annotators that are new by then, `codes`."""

    def __init__(self, one: LargeImport, codes: Iterable[str]) -> None:
        self.campaign = one.campaign
        wanted = list(codes)
        self.new = dict(zip(wanted, reserve_ids(Annotator, len(wanted)), strict=True))
        self.annotators = judgments_write.known_annotators(one.campaign) | self.new
        self.batch_pk = one.batch.pk if one.batch else next(iter(reserve_ids(ImportBatch, 1)))

    def prepare(self, part: list[NewJudgment]) -> tuple[list[str], judgments_write.JudgmentRows]:
        """Return the codes of annotators who come with the part, and its rows."""
        come = [
            code for code in dict.fromkeys(new.row.annotator for new in part) if code in self.new
        ]
        rows = judgments_write.judgments_ready(self.campaign, part, self.annotators, self.batch_pk)
        return come, rows

    def store(
        self, batch: ImportBatch, ready: tuple[list[str], judgments_write.JudgmentRows]
    ) -> Counts:
        come, rows = ready
        missing = [code for code in come if code in self.new]
        Annotator.objects.bulk_create(
            Annotator(
                pk=self.new.pop(code),
                campaign=self.campaign,
                code=code,
                origin=judgments_write.origin_of(code),
            )
            for code in missing
        )
        judgments_write.judgments_write(rows)
        return Counter(judgments=len(rows[0].rows), annotators=len(missing))
