"""Imports of large files by a worker: which files are large, and an attempt after a kill, which
continues where the data end.
"""

from __future__ import annotations

import csv
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID, uuid4

from django.conf import settings
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.access import get_in
from annotation.database import Actor, short_write
from annotation.errors import Conflict, NoRoom
from annotation.importers.tables import Inspection
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.large import LargeImport, large_gold, large_items, large_judgments
from annotation.importing.report import ImportReport
from annotation.importing.tables import table_rows
from annotation.jobs import IMPORT, WHOLE
from annotation.models import Campaign, ColumnMapping, ImportBatch, ImportJob
from paraanno import clock
from paraanno.common.progress import listening
from paraanno.common.records import format_of
from paraanno.common.texts import Lines, ProblemLog, say, sentence_json
from paraanno.jobs.engine import FULL, Claim, workers

# Whether a file is large.


AT_ONCE = 10_000  # rows
# Few rows may be long; and what has as many bytes is not read into memory either.
AT_ONCE_BYTES = 50 * 2**20


def is_large(*, stream: BinaryIO, name: str, format: str | None) -> bool:
    """Whether the file has more rows than are imported at once, or more bytes.

    Reads the first rows of a seekable stream only, and rewinds it.
    """
    if stream.seek(0, os.SEEK_END) > AT_ONCE_BYTES:
        stream.seek(0)
        return True
    stream.seek(0)
    chosen = (format or format_of(name)).lower()
    lines = iter(Lines(stream, ProblemLog(name)))
    try:
        if chosen in ("csv", "tsv"):
            least = AT_ONCE + 1  # and the header
            return _more(csv.reader(lines, delimiter="," if chosen == "csv" else "\t"), least)
        return _more(lines, AT_ONCE)
    except csv.Error:
        # Its quotes are broken, and it will be refused; its lines tell how large it is.
        stream.seek(0)
        return _more(iter(Lines(stream, ProblemLog(name))), AT_ONCE + 1)
    finally:
        stream.seek(0)


def _more(rows: Iterator[object], most: int) -> bool:
    return sum(1 for row in islice(rows, most + 1) if row) > most


def lines_of(stream: BinaryIO) -> int:
    """Return the number of line ends, for the progress; rewinds the stream."""
    stream.seek(0)
    count = 0
    while block := stream.read(2**20):
        count += block.count(b"\n")
    stream.seek(0)
    return count


# The work.


LARGE: dict[str, Callable[..., ImportReport]] = {
    "items": large_items,
    "judgments": large_judgments,
    "gold": large_gold,
}
IMPORTERS: dict[str, Callable[..., ImportReport]] = {
    "items": items_import,
    "judgments": judgments_import,
    "gold": gold_import,
}
COMMON = ("format", "raw", "mapping", "provenance")
# Of a file of texts, what is imported of it afterwards: `sure`, the `people`, the options (`order`)
# of the judgments in it, and the `name` of the kept file where somebody looks at them first.
BESIDE = "beside"
FOLDER = Path("files", "imports")  # in the data folder
KEPT_FOR = timedelta(days=1)
REFUSED = say("The file has errors, and nothing was imported: correct them and import it again.")


def goes_to_worker(*, stream: BinaryIO, name: str, format: str | None) -> bool:
    """Whether a file is imported by a worker: if it is large and the site has workers."""
    return workers() is not None and is_large(stream=stream, name=name, format=format)


def has_many(*, rows: int, size: int) -> bool:
    """Whether a worker imports a file of so many rows and bytes, which are known."""
    return workers() is not None and (rows > AT_ONCE or size > AT_ONCE_BYTES)


def table_goes_to_worker(*, stream: BinaryIO, seen: Inspection) -> bool:
    """Whether a table is imported by a worker: if it is large and the site has workers."""
    if workers() is None:
        return False
    rows = table_rows(seen)
    if rows is None:
        # Only a text has rows that nobody counted.
        return is_large(stream=stream, name=seen.book.name, format="csv")
    return rows > AT_ONCE


def import_order(
    *,
    campaign: Campaign,
    what: str,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    dry_run: bool = False,
    to_confirm: bool = False,
    total: int | None = None,
    **options: Any,
) -> ImportJob:
    """Queue a large file for a worker. Raises NoRoom if the disk is full.

    `total` is the number of its rows, by default that of its lines. The file is copied to
    where workers find it.
    """
    key = uuid4()
    path = _folder() / f"{key}.data"
    total = lines_of(stream) if total is None else total
    stream.seek(0)
    try:
        _keep(stream, path)
    except OSError as error:
        path.unlink(missing_ok=True)
        if error.errno in FULL:
            raise NoRoom() from error
        raise
    return _queue(
        key=key,
        campaign=campaign,
        what=what,
        file_name=name[:255],
        dry_run=dry_run,
        to_confirm=to_confirm,
        options=options,
        total=total,
        path=str(path.relative_to(settings.DATA_DIR)),
        created_by_id=actor.pk if actor else None,
    )


def import_confirm(*, job: ImportJob, actor: Actor, judged: bool = False) -> ImportJob:
    """Queue the import of a file that was checked. `judged`: the judgments beside the texts are
    wanted too. Raises Conflict if the file is gone."""
    options = dict(job.options)
    if not judged and options.get(BESIDE, {}).get("sure"):
        del options[BESIDE]
    with short_write():
        confirmable = ImportJob.objects.filter(
            pk=job.pk, status=ImportJob.Status.DONE, to_confirm=True
        ).exclude(path="")
        if not confirmable.update(path="", to_confirm=False):
            raise Conflict(_("The checked file is no longer there: choose it again."))
        return _queue(
            key=uuid4(),
            campaign=job.campaign,
            what=job.what,
            file_name=job.file_name,
            options=options,
            total=job.total,
            path=job.path,
            created_by_id=actor.pk if actor else None,
        )


def _queue(**values: Any) -> ImportJob:
    with short_write():
        job = ImportJob.objects.create(**values)
        IMPORT.notify(job.pk)
    return job


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _keep(stream: BinaryIO, path: Path) -> None:
    with path.open("wb") as out:
        shutil.copyfileobj(stream, out, 2**20)
    stream.seek(0)


def import_work(claim: Claim) -> dict[str, Any] | None:
    """Import the file of a job, from where an interrupted attempt has come to."""
    job: ImportJob = claim.row
    with job.stored.open("rb") as stream:
        report = _import(job, stream, _RowProgress(claim))
        after = _judgments_after(job, stream) if report.ok and not job.dry_run else {}
    more = WHOLE[job.what][1](report) if job.what in WHOLE else {}
    result = {**report_json(report), **more, **after}
    if report.ok:
        return {"report": result, "done": F("total")}
    claim.fail(REFUSED, report=result)
    return None


def _judgments_after(job: ImportJob, stream: BinaryIO) -> dict[str, str]:
    """Queue the import of the judgments beside texts that were imported, if it was wanted."""
    beside = job.options.get(BESIDE, {})
    if not beside.get("sure"):
        return {}
    after = import_order(
        campaign=job.campaign,
        what="judgments",
        stream=stream,
        name=job.file_name,
        actor=job.created_by,
        total=job.total,
        **beside["order"],
    )
    return {"after": str(after.key)}


def import_forget(job: ImportJob) -> None:
    """Delete the file of a job that is over, unless somebody may confirm it or do it again."""
    row = ImportJob.objects.filter(pk=job.pk).first() or job
    over, done = not row.active, row.status == ImportJob.Status.DONE
    if row.path and over and not (row.to_confirm if done else row.report is None):
        row.stored.unlink(missing_ok=True)
        ImportJob.objects.filter(pk=row.pk).update(path="")


def _import(job: ImportJob, stream: BinaryIO, progress: _RowProgress) -> ImportReport:
    shared = {name: job.options[name] for name in COMMON if name in job.options}
    own = {name: value for name, value in job.options.items() if name not in (*COMMON, BESIDE)}
    about: Mapping[str, Any] = {
        "campaign": job.campaign,
        "stream": stream,
        "name": job.file_name,
        "actor": job.created_by,
        "dry_run": job.dry_run,
        **shared,
    }
    if job.what in WHOLE:
        with listening(progress.share):
            return WHOLE[job.what][0](**about, **own)
    if (job.options.get("format") or "").lower() == "ccb" and not job.options.get("mapping"):
        # Its lines depend on each other: it is read as a whole.
        return IMPORTERS[job.what](**about, **own)
    one = LargeImport(
        **about,
        checked=progress.checked,
        written=progress.written,
        batch=job.batch,
        made=lambda batch: _made(job, batch),
    )
    return LARGE[job.what](one, **own)


def _made(job: ImportJob, batch: ImportBatch) -> None:
    ImportJob.objects.filter(pk=job.pk).update(batch=batch)


class _RowProgress:
    """How far the job is."""

    def __init__(self, claim: Claim) -> None:
        self._claim, self._total = claim, claim.row.total
        self._halves = 1 if claim.row.dry_run else 2
        self._written = 0

    def share(self, share: float) -> None:
        """This much of the file is done, from 0 to 1."""
        self._claim.tell(done=int(share * self._total))

    def checked(self, rows: int) -> None:
        """`rows` of the file are checked."""
        self._claim.tell(done=min(rows // self._halves, self._total))

    def written(self, rows: int) -> None:
        """`rows` more are written."""
        self._written += rows
        self._claim.tell(done=min((self._total + self._written) // 2, self._total))


def report_json(report: ImportReport) -> dict[str, Any]:
    """Return a report as JSON; its sentences stay translatable."""
    data: dict[str, Any] = sentence_json(
        {
            "ok": report.ok,
            "dry_run": report.dry_run,
            "rows": report.rows,
            "counts": report.counts,
            "changes": [one.to_json() for one in report.changes],
            "batch": None if report.batch is None else str(report.batch.key),
            "problems": [
                {
                    "file": one.file,
                    "line": one.line,
                    "column": one.column,
                    "severity": one.severity,
                    "message": one.message,
                }
                for one in report.problems
            ],
        }
    )
    return data


def imports_expire() -> int:
    """Remove files that no job needs (any more); return how many.

    Called on the timer of each worker: files of campaigns that were deleted, of checks that nobody
    confirmed for a day, and of jobs that failed or were cancelled and not done again for as long.
    """
    before = clock.now() - KEPT_FOR
    with short_write():
        ImportJob.objects.filter(finished_at__lt=Now() - KEPT_FOR).exclude(path="").update(
            path="", to_confirm=False
        )
    removed = 0
    for path in _folder().glob("*.data"):
        with suppress(FileNotFoundError):  # Another worker has removed it.
            name = str(path.relative_to(settings.DATA_DIR))
            old = path.stat().st_mtime < before.timestamp()
            if old and not ImportJob.objects.filter(path=name).exists():
                path.unlink()
                removed += 1
    return removed


# Large files that workers import.


SHOWN = 10


def import_job_get(*, campaign: Campaign, key: UUID) -> ImportJob:
    """Return a job of the campaign; NotFound if it has none with this key."""
    return get_in(campaign, ImportJob, key)


def import_batch_get(*, campaign: Campaign, key: UUID) -> ImportBatch:
    """Return an import of the campaign; NotFound if it has none with this key."""
    return get_in(campaign, ImportBatch, key)


def mapping_get(*, campaign: Campaign, key: UUID) -> ColumnMapping:
    """Return a mapping kept with the campaign; NotFound if it has none with this key."""
    return get_in(campaign, ColumnMapping, key)


def mappings(*, campaign: Campaign, what: str | None = None) -> QuerySet[ColumnMapping]:
    """Return the mappings kept with the campaign, newest first."""
    rows = campaign.column_mappings.select_related("created_by")
    return rows.filter(what=what) if what else rows


def scales_of(campaign: Campaign) -> list[str]:
    """Return the names of the campaign's scales."""
    return list(campaign.scales.values_list("name", flat=True))


def import_jobs(*, campaign: Campaign) -> QuerySet[ImportJob]:
    """Return the newest jobs of the campaign."""
    return campaign.import_jobs.select_related("created_by")[:SHOWN]


def ended_report(job: ImportJob) -> dict[str, Any] | None:
    """Return the report of a job that has ended, with sentences; None before that.

    A job that failed without one gets a report whose one problem is the error.
    """
    if job.active:
        return None
    if job.report is not None:
        return job.full_report
    problem = {
        "file": job.file_name,
        "line": 1,
        "column": None,
        "severity": "error",
        "message": job.sentence,
    }
    return {
        "ok": False,
        "dry_run": job.dry_run,
        "rows": 0,
        "counts": {},
        "problems": [problem],
        "batch": None,
    }
