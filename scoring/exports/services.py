"""Exports: small ones are streamed, large ones are files made by a worker."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, TypedDict, Unpack

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid
from annotation.exporters.texts import write_ccb
from annotation.exporters.writers import ExcelError, write_rows
from annotation.models import Campaign, JudgmentVersion, Output
from paraanno.common.lazy_import import late
from paraanno.common.on_disk import put_in_place
from paraanno.jobs.engine import Claim
from scoring.exports import rows as exports_rows
from scoring.jobs import EXPORT, WRITERS
from scoring.models import ExportFile, Report

WHAT = ("items", "judgments", "gold", "table", "matrix", "ccb", "history", "annotators", "paper")
FORMATS = ("csv", "tsv", "jsonl", "parquet", "xlsx")
SOURCES = {
    "items": exports_rows.items,
    "judgments": exports_rows.judgments,
    "history": exports_rows.history,
    "annotators": exports_rows.annotators,
    "table": late("scoring.exports.gold:table"),
}
# Judgments are exported without what gold and papers need, which takes longer to load.
golds, matrix = late("scoring.exports.gold:golds"), late("scoring.exports.gold:matrix")
ccb_rows = late("scoring.exports.gold:ccb_rows")
paper_write = late("scoring.exports.paper:paper_write")
choice_read = late("scoring.ratings.choice:Choice.from_json")
method_parse = late("scoring.stats.gold.compare:GoldMethod.parse")


class ExportOptions(TypedDict, total=False):
    """What some exports are asked beside their format: the scale of a matrix, the annotator of a
    judged evaluation file (a code), the method of gold (see `GoldMethod.parse`)."""

    scale: str | None
    annotator: str | None
    method: str | None


def export_check(
    *, campaign: Campaign, what: str, format: str, **options: Unpack[ExportOptions]
) -> tuple[str, str | None]:
    """Return the format and scale to use. Raises Invalid if something is unknown or missing."""
    method, code, scale = options.get("method"), options.get("annotator"), options.get("scale")
    if method is not None:
        if what != "gold":
            raise Invalid(_("Only the export of gold takes a method."))
        choice_read({"method": method})
    if what not in WHAT:
        raise Invalid(
            _("There is no export %(what)s: use one of %(all)s.")
            % {"what": f"{what!r}", "all": ", ".join(WHAT)}
        )
    if what == "ccb":
        if code is not None and not campaign.annotators.filter(code=code).exists():
            raise Invalid(
                _("There is no annotator %(code)s in the campaign.") % {"code": f"{code!r}"}
            )
        return "txt", None
    if what == "paper":
        return "zip", None
    if format not in FORMATS:
        raise Invalid(
            _("There is no format %(format)s: use one of %(formats)s.")
            % {"format": f"{format!r}", "formats": ", ".join(FORMATS)}
        )
    if what != "matrix":
        return format, None
    names = {name.casefold(): name for name in campaign.scales.values_list("name", flat=True)}
    if scale is None or scale.casefold() not in names:
        raise Invalid(
            _("A matrix needs a scale: use one of %(values)s.")
            % {"values": ", ".join(names.values())}
        )
    return format, names[scale.casefold()]


def export_write(
    *,
    campaign: Campaign,
    what: str,
    stream: BinaryIO,
    format: str = "csv",
    raw: bool = False,
    **options: Unpack[ExportOptions],
) -> int:
    """Write an export to a byte stream; return the number of rows (of files, for a zip)."""
    format, scale = export_check(campaign=campaign, what=what, format=format, **options)
    if what == "paper":
        return paper_write(campaign=campaign, stream=stream)
    if what == "ccb":
        try:
            return write_ccb(
                ccb_rows(campaign=campaign, annotator=options.get("annotator")), stream
            )
        except ValueError as error:
            raise Invalid(
                _("The evaluation format cannot hold this campaign: %(error)s.") % {"error": error}
            ) from error
    export = _source(campaign, what, scale, options.get("method"))
    try:
        return write_rows(export.rows, stream, export.columns, format=format, raw=raw)
    except ExcelError as error:
        raise Invalid(_("This cannot be exported: %(error)s.") % {"error": error}) from error


def export_now(
    *, campaign: Campaign, what: str, format: str, **options: Unpack[ExportOptions]
) -> BinaryIO:
    """Return a small export as an anonymous temporary file, ready to be read.

    It is complete before the first byte is sent: an error gives an error page, never a truncated
    file, and no query waits for a slow client.
    """
    stream = TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115 the caller closes it
    try:
        export_write(campaign=campaign, what=what, stream=stream, format=format, **options)
    except BaseException:
        stream.close()
        raise
    stream.seek(0)
    return stream


def _source(
    campaign: Campaign, what: str, scale: str | None, method: str | None
) -> exports_rows.Export:
    try:
        if what == "gold":
            return golds(campaign=campaign, method=method or "mean")
        if what == "matrix":
            return matrix(campaign=campaign, scale=scale or "")
        return SOURCES[what](campaign=campaign)
    except ValueError as error:  # Two scales would have the same column name.
        raise Invalid(_("This cannot be exported: %(error)s.") % {"error": error}) from error


def is_large(*, campaign: Campaign, what: str, format: str, method: str | None = None) -> bool:
    """Whether a worker should make the file; always for Parquet, whose metadata is at the end."""
    dear = method is not None and method_parse(method).needs_all
    if what == "paper" or dear:
        many_judgments = campaign.judgments.count() > settings.REPORT_ON_THE_SPOT
        if many_judgments or what == "paper":
            return many_judgments
    rows = campaign.judgments if what in ("judgments", "history") else campaign.substitutions
    many = rows.count()
    if what == "history":
        many = JudgmentVersion.objects.filter(judgment__campaign=campaign).count()
    if what == "annotators":
        many = campaign.annotators.count()
    if what == "items":
        many = max(many, Output.objects.filter(system__campaign=campaign).count())
    return format == "parquet" or many > settings.EXPORT_STREAM_ROWS


def export_order(
    *,
    campaign: Campaign,
    actor: Actor,
    what: str,
    format: str,
    **options: Unpack[ExportOptions],
) -> ExportFile:
    """Queue an export for a worker."""
    format, scale = export_check(campaign=campaign, what=what, format=format, **options)
    with short_write():
        file = ExportFile.objects.create(
            campaign=campaign,
            what=what,
            format=format,
            options={
                "scale": scale,
                "annotator": options.get("annotator"),
                "method": options.get("method"),
            },
            created_by_id=actor.pk if actor else None,
        )
        audit(actor=actor, verb="export", about=file, campaign=campaign, what=what, format=format)
        EXPORT.notify(file.pk)
    return file


def export_work(claim: Claim) -> dict[str, Any]:
    """Write a file under a name of this attempt: it counts once the row has that."""
    file: ExportFile = claim.row
    folder = Path(settings.MEDIA_ROOT) / "exports"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{file.key}-{claim.token[:8]}.{file.format}"
    draft = path.with_suffix(".part")
    try:
        with draft.open("wb") as stream:
            if file.what in WRITERS:
                rows = WRITERS[file.what](campaign=file.campaign, stream=stream, **file.options)
            else:
                rows = export_write(
                    campaign=file.campaign,
                    what=file.what,
                    stream=stream,
                    format=file.format,
                    **file.options,
                )
        with draft.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        put_in_place(draft, path)
        claim.close(
            rows=rows,
            sha256=sha256,
            size=path.stat().st_size,
            path=str(path.relative_to(settings.DATA_DIR)),
        )
    except BaseException:
        draft.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        raise
    return {}


def export_forget(file: ExportFile) -> None:
    """Remove what killed attempts have left."""
    folder = Path(settings.MEDIA_ROOT) / "exports"
    stored = ExportFile.objects.filter(pk=file.pk).values_list("path", flat=True).first()
    for path in folder.glob(f"{file.key}-*"):
        if str(path.relative_to(settings.DATA_DIR)) != stored:
            path.unlink(missing_ok=True)


def exports_clear(*, actor: Actor) -> int:
    """Remove every exported file now, for an administrator who needs room; return how many.

    The rows stay, so that each can be made again. Callers check permission first.
    """
    removed = list(removable_exports())
    with short_write():
        removable_exports().filter(pk__in=[one.pk for one in removed]).update(removed_at=Now())
        for one in removed[:1]:
            audit(actor=actor, verb="clear exports", about=one, campaign=None, files=len(removed))
        # Not before the rows say so: what is rolled back keeps its files.
        transaction.on_commit(lambda: _unlink(removed))
    return len(removed)


def derived_erase(campaigns: Sequence[Campaign], removed: Sequence[Campaign]) -> None:
    """What is made of judgments, when a person is erased: delete all files of exports of the
    campaigns, and the reports with codes where judgments went. Called in the transaction; a worker
    that is writing such a file finds its row gone."""
    rows = ExportFile.objects.filter(campaign__in=campaigns)
    files = [file for file in rows if file.path and file.removed_at is None]
    rows.delete()
    Report.objects.filter(campaign__in=removed).delete()
    transaction.on_commit(lambda: _unlink(files))


def _unlink(files: list[ExportFile]) -> None:
    for one in files:
        one.stored.unlink(missing_ok=True)


def removable_exports() -> QuerySet[ExportFile]:
    """Exported files that are there and done."""
    return ExportFile.objects.filter(status=ExportFile.Status.DONE, removed_at=None)
