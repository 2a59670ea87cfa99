"""Import judgments made elsewhere or exported by us."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.importers import (
    JudgmentRow,
    Parsed,
    Problem,
    read_ccb,
    read_judgments,
    recover_case,
    shown,
)
from annotation.importers.judgments import Repeats
from annotation.models import (
    Annotator,
    Campaign,
    ImportBatch,
    Judgment,
    JudgmentVersion,
    Scale,
)
from annotation.services.audit import Actor
from annotation.services.bulk import bulk_insert, reserve_ids
from annotation.services.importing.filling import fill_slots as fill
from annotation.services.importing.items import known_phrases
from annotation.services.importing.report import (
    ImportReport,
    batch_make,
    digest_of,
    errors_first,
    pieces,
)
from annotation.services.importing.targets import Targets, load_targets
from annotation.services.transactions import short_write
from paraanno.plain.sentence import Sentence, say

ROWS_PER_WRITE = 5000
NOT_SAID = "not given"
Key = tuple[str, int, int, int, str]  # code, substitution, scale, occasion, kind


@dataclass(frozen=True, slots=True)
class _New:
    """A judgment that the campaign does not have yet."""

    row: JudgmentRow
    substitution: int
    scale: int
    reason: str


@dataclass(slots=True)
class _Plan:
    problems: list[Problem] = field(default_factory=list)
    new: list[_New] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)


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
    origin: str = Annotator.Origin.IMPORTED,
) -> ImportReport:
    """Import a judgments file from a seekable byte stream; the items must already exist.

    Judgments stored with the same answer are skipped; a different answer is an error that shows
    both. An empty value means "cannot judge". New annotators get `origin`. With `fill_slots`, each
    sheet that an annotator answered completely takes a free slot. Raises Conflict if the same
    judgments were written at the same time.
    """
    sha256 = digest_of(stream)
    parsed = _read(campaign, stream, name, format, raw, annotator, repeats)
    if not parsed.ok:
        return ImportReport(parsed.problems, len(parsed.rows), dry_run=dry_run)
    targets = load_targets(campaign=campaign, targets=[row.target for row in parsed.rows])
    plan = _compare(campaign, parsed.rows, targets, name)
    counts = {"judgments": len(plan.new), "annotators": len(plan.codes)}
    report = ImportReport(
        errors_first([*parsed.problems, *plan.problems]), len(parsed.rows), counts, dry_run
    )
    if dry_run or not report.ok:
        return report
    batch = None
    if plan.new:
        batch = _write(campaign, plan, name, sha256, len(parsed.rows), counts, origin, actor)
    if fill_slots:
        codes = {row.annotator for row in parsed.rows}
        counts["slots"] = fill(campaign=campaign, codes=codes, actor=actor)
    return ImportReport(report.problems, len(parsed.rows), counts, batch=batch)


def _read(
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    format: str | None,
    raw: bool,
    annotator: str | None,
    repeats: Repeats,
) -> Parsed[JudgmentRow]:
    if (format or "").lower() != "ccb":
        return read_judgments(
            stream, name=name, format=format, raw=raw, annotator=annotator, repeats=repeats
        )
    if annotator is None:
        problem = Problem(name, 1, None, say("this format names no annotator: say whose judgments"))
        return Parsed((), (problem,))
    read = read_ccb(stream, name=name, annotator=annotator, repeats=repeats)
    parsed = recover_case(read, known_phrases(campaign))
    return Parsed(parsed.judgments, parsed.problems)


def _compare(campaign: Campaign, rows: Sequence[JudgmentRow], targets: Targets, file: str) -> _Plan:
    plan = _Plan()
    scales = {scale.name: scale for scale in Scale.objects.filter(campaign=campaign)}
    folded = {name.casefold(): scale for name, scale in scales.items()}
    known = dict(Annotator.objects.filter(campaign=campaign).values_list("code", "pk"))
    stored = _stored({known[row.annotator] for row in rows if row.annotator in known})
    codes: dict[str, None] = {}
    for row in rows:
        scale = scales.get(row.scale) or folded.get(row.scale.casefold())
        problem = _scale_problem(row, scale, list(scales))
        substitution = targets.find(row.target)
        if isinstance(substitution, Sentence):
            problem = problem or substitution
        if problem is not None or scale is None or isinstance(substitution, Sentence):
            if problem is not None:
                plan.problems.append(Problem(file, row.line, None, problem))
            continue
        reason = _reason(row)
        have = stored.get(
            (known.get(row.annotator), substitution, scale.pk, row.occasion, row.kind)
        )
        if have is None:
            plan.new.append(_New(row, substitution, scale.pk, reason))
            if row.annotator not in known:
                codes[row.annotator] = None
        elif have != (row.value, reason):
            plan.problems.append(Problem(file, row.line, "value", _differs(row, have, reason)))
    plan.codes = list(codes)
    return plan


def _scale_problem(row: JudgmentRow, scale: Scale | None, names: list[str]) -> Sentence | None:
    if scale is None:
        return say(
            "there is no scale %(scale)s: use one of %(names)s",
            scale=shown(row.scale),
            names=", ".join(names),
        )
    if row.value is not None and not scale.holds(row.value):
        return say(
            "%(value)s is not on the scale %(scale)s: %(least)s to %(most)s in steps of %(step)s",
            value=f"{row.value:g}",
            scale=scale.name,
            least=f"{scale.minimum:g}",
            most=f"{scale.maximum:g}",
            step=f"{scale.step:g}",
        )
    return None


def _reason(row: JudgmentRow) -> str:
    """Return the reason; a missing value without one still means "cannot judge"."""
    if row.value is not None:
        return ""
    if row.reason is None and row.status == Judgment.Status.DRAFT:
        return ""
    return row.reason or NOT_SAID


def _differs(row: JudgmentRow, have: tuple[float | None, str], reason: str) -> Sentence:
    def answer(value: float | None, why: str) -> str:
        return f"{value:g}" if value is not None else say("cannot judge (%(why)s)", why=why)

    return say(
        "%(annotator)s gave %(stored)s in the campaign and %(new)s here: an import never changes a "
        "judgment; give the occasion, or another annotator",
        annotator=shown(row.annotator),
        stored=answer(*have),
        new=answer(row.value, reason),
    )


def _stored(annotators: set[int]) -> dict[tuple[Any, ...], tuple[float | None, str]]:
    found: dict[tuple[Any, ...], tuple[float | None, str]] = {}
    for part in pieces(sorted(annotators)):
        rows = Judgment.objects.filter(annotator__in=part).values_list(
            "annotator_id", "substitution_id", "scale_id", "occasion", "kind", "value", "reason"
        )
        for row in rows.iterator(chunk_size=5000):
            found[row[:5]] = row[5:]
    return found


def _write(
    campaign: Campaign,
    plan: _Plan,
    name: str,
    sha256: str,
    rows: int,
    counts: dict[str, int],
    origin: str,
    actor: Actor,
) -> ImportBatch:
    try:
        with short_write():
            batch = batch_make(
                campaign=campaign, what="judgments", name=name, sha256=sha256, rows=rows,
                counts=counts, actor=actor,
            )  # fmt: skip
            Annotator.objects.bulk_create(
                Annotator(campaign=campaign, code=code, origin=origin) for code in plan.codes
            )
        annotators = dict(Annotator.objects.filter(campaign=campaign).values_list("code", "pk"))
        for part in pieces(plan.new, ROWS_PER_WRITE):
            with short_write():
                _insert(campaign, part, annotators, batch)
    except IntegrityError as error:
        raise Conflict(
            _(
                "The same judgments were written at the same time. Import the file again: what is "
                "there already is passed over."
            )
        ) from error
    return batch


def _insert(
    campaign: Campaign, part: Sequence[_New], annotators: dict[str, int], batch: ImportBatch
) -> None:
    now = timezone.now()
    ids = reserve_ids(Judgment, len(part))
    bulk_insert(
        Judgment,
        (
            "id", "campaign_id", "annotator_id", "substitution_id", "scale_id", "occasion", "kind",
            "value", "reason", "comment", "status", "version", "batch_id", "recorded_at",
            "judged_at",
        ),
        (
            (
                pk, campaign.pk, annotators[new.row.annotator], new.substitution, new.scale,
                new.row.occasion, new.row.kind, new.row.value, new.reason, new.row.comment or "",
                new.row.status, 1, batch.pk, new.row.recorded_at or now, new.row.judged_at,
            )
            for pk, new in zip(ids, part, strict=True)
        ),
    )  # fmt: skip
    bulk_insert(
        JudgmentVersion,
        ("judgment_id", "version", "value", "reason", "comment", "status", "recorded_at"),
        _versions(ids, part, now),
    )


def _versions(ids: Sequence[int], part: Sequence[_New], now: datetime) -> Iterator[tuple[Any, ...]]:
    for pk, new in zip(ids, part, strict=True):
        row = new.row
        yield (
            pk, 1, row.value, new.reason, row.comment or "", row.status, row.recorded_at or now,
        )  # fmt: skip
