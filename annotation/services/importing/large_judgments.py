"""Imports of large files of judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from annotation.importers import ProblemLog, Repeats, iter_judgments
from annotation.models import Annotator, ImportBatch
from annotation.services.bulk import reserve_ids
from annotation.services.importing import judgments as at_once
from annotation.services.importing.changes import MOST_CHANGES, judgment_changes
from annotation.services.importing.filling import fill_slots as fill
from annotation.services.importing.judgment_plan import JudgmentPlanner, NewJudgment, Voices
from annotation.services.importing.large import ROWS, Counts, LargeImport, in_order, note
from annotation.services.importing.report import ImportReport, TextChange, digest_of
from annotation.services.importing.tables.sources import in_words_of, is_ppdb
from annotation.services.importing.whole import is_whole
from paraanno.plain.on_disk import Disk, DiskPile


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
    voices = Voices(repeats, anonymous, annotator if anonymous else None)
    log, found = ProblemLog(one.name), ProblemLog(one.name)
    with Disk() as disk:
        pile: DiskPile[NewJudgment] = disk.pile()
        planner = JudgmentPlanner(one.campaign, one.name, voices, disk.dict)
        codes: dict[str, None] = {}
        heard: set[str] = set()
        rows = passed_over = 0
        source = one.source("judgments")
        changes: list[TextChange] = []
        read = iter_judgments(
            source, log=log, format=one.format, raw=one.raw,
            annotator=None if anonymous else annotator, repeats=repeats, anonymous=anonymous,
            memory=disk.dict,
        )  # fmt: skip
        for part in one.rows(read):
            rows += len(part)
            if log.errors:
                continue  # The file is refused: only its other errors matter.
            plan = planner.plan(part)
            note(plan.problems, found)
            codes |= dict.fromkeys(plan.codes)
            heard |= plan.heard
            passed_over += plan.passed_over
            _keep(one, plan.new, pile, changes)
        if log.errors:
            return one.report(log.problems(), rows, Counter(), None)
        problems = [*log.problems(), *in_words_of(source, in_order(found, planner.log))]
        digest = digest_of(one.stream)
        if passed_over and not at_once.imported_before(one.campaign, digest):
            problems.append(at_once.perhaps_others(one.name, passed_over))
        planned: Counts = Counter(judgments=len(pile), annotators=len(codes))
        batch = one.batch
        if not (one.dry_run or found.errors or planner.log.errors):
            if len(pile):
                writing = _Writing(one, codes)
                batch = one.write(
                    "judgments", pile.pieces(ROWS), rows=rows, planned=planned,
                    whole=is_whole(len(pile)), prepare=writing.prepare, store=writing.store,
                    pk=writing.batch_pk,
                )  # fmt: skip
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
        self.annotators = at_once.known_annotators(one.campaign) | self.new
        self.batch_pk = one.batch.pk if one.batch else next(iter(reserve_ids(ImportBatch, 1)))

    def prepare(self, part: list[NewJudgment]) -> tuple[list[str], at_once.JudgmentRows]:
        """Return the codes of annotators who come with the part, and its rows."""
        come = [
            code for code in dict.fromkeys(new.row.annotator for new in part) if code in self.new
        ]
        rows = at_once.judgments_ready(self.campaign, part, self.annotators, self.batch_pk)
        return come, rows

    def store(
        self, batch: ImportBatch, ready: tuple[list[str], at_once.JudgmentRows]
    ) -> Counts:  # fmt: skip
        come, rows = ready
        missing = [code for code in come if code in self.new]
        Annotator.objects.bulk_create(
            Annotator(
                pk=self.new.pop(code), campaign=self.campaign, code=code,
                origin=at_once.origin_of(code),
            )
            for code in missing
        )  # fmt: skip
        at_once.judgments_write(rows)
        return Counter(judgments=len(rows[0].rows), annotators=len(missing))
