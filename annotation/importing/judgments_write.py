"""Import judgments made elsewhere or exported by us."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.database import Actor, ReadyRows, bulk_ready, bulk_write, reserve_ids, short_write
from annotation.errors import Conflict
from annotation.importers.ccb import read_ccb, recover_case
from annotation.importers.judgments import JudgmentRow, Repeats, read_judgments
from annotation.importing.items import known_phrases
from annotation.importing.judgments import (
    NOBODY,
    AnnotatorRows,
    JudgmentPlan,
    NewJudgment,
    plan_judgments,
)
from annotation.importing.judgments import fill_slots as fill
from annotation.importing.report import (
    ImportReport,
    batch_make,
    digest_of,
    errors_first,
    is_whole,
    made_before,
    pieces,
    whole_write,
)
from annotation.importing.tables import (
    FileSource,
    in_words_of,
    is_ppdb,
    judgment_changes,
    source_of,
)
from annotation.models import Annotator, Campaign, ImportBatch, Judgment, JudgmentVersion
from paraanno import clock
from paraanno.common.records import RecordSource
from paraanno.common.texts import Parsed, Problem, say

ROWS_PER_WRITE = 5000


def judgments_import(
    *,
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    format: str | None = None,
    raw: bool = False,
    dry_run: bool = False,
    annotator: str | None = None,
    repeats: Repeats = "error",
    fill_slots: bool = False,
    anonymous: bool = False,
    mapping: Mapping[str, Any] | None = None,
) -> ImportReport:
    """Import a judgments file from a seekable byte stream; the items must already exist. With the
    JSON of a `mapping`, a table of any kind.

    Judgments stored with the same answer are skipped; a different answer is an error that shows
    both. An empty value means "cannot judge". With `anonymous`, and in the format ppdb, nobody
    knows who gave the judgments: see `AnnotatorRows`, whose name `annotator` then is. With
    `fill_slots`, each sheet that an annotator answered completely takes a free slot.
    Raises Conflict if the same judgments were written at the same time; it says what stands (see
    `whole_write`).
    """
    anonymous = anonymous or (is_ppdb(format) and mapping is None)
    options = AnnotatorRows(repeats, anonymous, annotator if anonymous else None)
    sha256 = digest_of(stream)
    code = None if anonymous else annotator
    source = source_of(stream, name, "judgments", mapping, format)
    parsed = _read(campaign, source, name, format, raw, code, options)
    if not parsed.ok:
        return ImportReport(parsed.problems, len(parsed.rows), dry_run=dry_run)
    plan = plan_judgments(campaign=campaign, rows=parsed.rows, file=name, options=options)
    if plan.passed_over and not imported_before(campaign, sha256):
        plan.problems.append(perhaps_others(name, plan.passed_over))
    counts = {"judgments": len(plan.new), "annotators": len(plan.codes)}
    report = ImportReport(
        errors_first([*parsed.problems, *in_words_of(source, plan.problems)]),
        len(parsed.rows),
        counts,
        dry_run,
        changes=tuple(judgment_changes(new.row for new in plan.new)) if dry_run else (),
    )
    if dry_run or not report.ok:
        return report
    batch = None
    if plan.new:
        batch = _write(campaign, plan, name, sha256, len(parsed.rows), counts, actor, mapping)
    if fill_slots:
        counts["slots"] = fill(campaign=campaign, codes=plan.heard, actor=actor)
    return ImportReport(report.problems, len(parsed.rows), counts, batch=batch)


def _read(
    campaign: Campaign,
    stream: FileSource,
    name: str,
    format: str | None,
    raw: bool,
    annotator: str | None,
    options: AnnotatorRows,
) -> Parsed[JudgmentRow]:
    if (format or "").lower() != "ccb" or isinstance(stream, RecordSource):
        return read_judgments(
            stream,
            name=name,
            format=format,
            raw=raw,
            annotator=annotator,
            repeats=options.repeats,
            anonymous=options.anonymous,
        )
    if options.anonymous:
        annotator = ""
    if annotator is None:
        text = say("this format names no annotator: say whose judgments, or that nobody knows")
        return Parsed((), (Problem(name, 1, None, text),))
    read = read_ccb(stream, name=name, annotator=annotator, repeats=options.repeats)
    parsed = recover_case(read, known_phrases(campaign))
    return Parsed(parsed.judgments, parsed.problems)


def imported_before(campaign: Campaign, sha256: str) -> bool:
    return ImportBatch.objects.filter(campaign=campaign, what="judgments", sha256=sha256).exists()


def perhaps_others(file: str, count: int) -> Problem:
    """Return the warning about equal answers of unknown people: nobody can tell them apart."""
    text = say(
        "%(n)s judgments of anonymous annotators are in the campaign already and are skipped: if "
        "other people gave these, name them with the option annotator",
        n=count,
    )
    return Problem(file, 1, None, text, "warning")


def _write(
    campaign: Campaign,
    plan: JudgmentPlan,
    name: str,
    sha256: str,
    rows: int,
    counts: dict[str, int],
    actor: Actor,
    mapping: Mapping[str, Any] | None,
) -> ImportBatch:
    whole = is_whole(len(plan.new))
    stand = 0
    new = dict(zip(plan.codes, reserve_ids(Annotator, len(plan.codes)), strict=True))
    annotators = known_annotators(campaign) | new
    [batch_pk] = reserve_ids(ImportBatch, 1)
    parts = made_before(
        (
            judgments_ready(campaign, part, annotators, batch_pk)
            for part in pieces(plan.new, ROWS_PER_WRITE)
        ),
        whole,
    )
    try:
        with whole_write(whole):
            with short_write():
                batch = batch_make(
                    campaign=campaign,
                    what="judgments",
                    name=name,
                    sha256=sha256,
                    rows=rows,
                    counts=counts if whole else {**counts, "judgments": 0},
                    actor=actor,
                    provenance=provenance_of(mapping, recorded=_recorded(plan.new)),
                    pk=batch_pk,
                )
                Annotator.objects.bulk_create(
                    Annotator(pk=pk, campaign=campaign, code=code, origin=origin_of(code))
                    for code, pk in new.items()
                )
            for part in parts:
                with short_write():
                    judgments_write(part)
                    if not whole:
                        # The record of the file says at any time how much of it stands.
                        batch.counts = {**counts, "judgments": stand + len(part[0].rows)}
                        batch.save(update_fields=["counts"])
                stand += len(part[0].rows)
    except IntegrityError as error:
        raise Conflict(_stopped(None if whole else stand, len(plan.new))) from error
    return batch


def provenance_of(mapping: Mapping[str, Any] | None, *, recorded: bool) -> dict[str, Any]:
    """Return what the record of a file of judgments says about where they were given: the mapping
    names the tool; `recorded`: their times are those of the paraanno that took them."""
    provenance: dict[str, Any] = {} if mapping is None else {"map": dict(mapping)}
    return {**provenance, "recorded": True} if recorded else provenance


def _recorded(new: Sequence[NewJudgment]) -> bool:
    return all(one.row.recorded_at is not None for one in new)


def known_annotators(campaign: Campaign) -> dict[str, int]:
    """Return the ids of the campaign's annotators by their codes."""
    return dict(Annotator.objects.filter(campaign=campaign).values_list("code", "pk"))


def origin_of(code: str) -> str:
    origin = Annotator.Origin
    return origin.ANONYMOUS if code.startswith(NOBODY) else origin.IMPORTED


def _stopped(stand: int | None, planned: int) -> str:
    if stand is not None:
        return _(
            "The same judgments were written at the same time. %(stand)s of %(planned)s "
            "judgments of the file are stored. Import the file again: it continues after them."
        ) % {"stand": stand, "planned": planned}
    return _(
        "The same judgments were written at the same time. Nothing of the file is stored. Import "
        "the file again: what is there already is skipped."
    )


# Judgments and their versions.
JudgmentRows = tuple[ReadyRows, ReadyRows]


def judgments_ready(
    campaign: Campaign, part: Sequence[NewJudgment], annotators: Mapping[str, int], batch_pk: int
) -> JudgmentRows:
    """Make the judgments ready for `judgments_write`, with ids of their own."""
    now = clock.now()
    ids = reserve_ids(Judgment, len(part))
    judgments = bulk_ready(
        Judgment,
        (
            "id",
            "campaign_id",
            "annotator_id",
            "substitution_id",
            "scale_id",
            "occasion",
            "kind",
            "value",
            "reason",
            "comment",
            "status",
            "version",
            "batch_id",
            "recorded_at",
            "judged_at",
        ),
        (
            (
                pk,
                campaign.pk,
                annotators[new.row.annotator],
                new.substitution,
                new.scale,
                new.row.occasion,
                new.row.kind,
                new.row.value,
                new.reason,
                new.row.comment or "",
                new.row.status,
                1,
                batch_pk,
                new.row.recorded_at or now,
                new.row.judged_at,
            )
            for pk, new in zip(ids, part, strict=True)
        ),
    )
    versions = bulk_ready(
        JudgmentVersion,
        ("judgment_id", "version", "value", "reason", "comment", "status", "recorded_at"),
        _versions(ids, part, now),
    )
    return judgments, versions


def judgments_write(ready: JudgmentRows) -> None:
    """Insert judgments, in the caller's transaction."""
    for rows in ready:
        bulk_write(rows)


def _versions(
    ids: Sequence[int], part: Sequence[NewJudgment], now: datetime
) -> Iterator[tuple[Any, ...]]:
    for pk, new in zip(ids, part, strict=True):
        row = new.row
        yield (
            pk,
            1,
            row.value,
            new.reason,
            row.comment or "",
            row.status,
            row.recorded_at or now,
        )
