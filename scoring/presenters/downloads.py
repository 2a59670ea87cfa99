"""Exports as HTTP responses, for the pages and the API."""

from __future__ import annotations

from base64 import b64encode

from django.http import FileResponse
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign
from scoring.models import ExportFile
from scoring.services.reports.exports import export_now

TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "jsonl": "application/jsonl",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


def small_file(
    *,
    campaign: Campaign,
    what: str,
    format: str,
    scale: str | None,
    annotator: str | None,
    method: str | None = None,
) -> FileResponse:
    """A small export, made now; the arguments must have been checked (see `export_check`)."""
    by = "" if method in (None, "mean") else f"-{method}"
    return FileResponse(
        export_now(
            campaign=campaign,
            what=what,
            format=format,
            scale=scale,
            annotator=annotator,
            method=method,
        ),
        as_attachment=True,
        filename=f"{campaign.slug}-{what}{by}.{format}",
        content_type=TYPES[format] + ("" if format in ("zip", "xlsx") else "; charset=utf-8"),
    )


def finished_file(*, campaign: Campaign, file: ExportFile) -> FileResponse:
    """A file made by a worker, with its SHA-256. Raises NotFound if it was removed."""
    try:
        if file.removed_at is not None:
            raise FileNotFoundError
        stream = file.stored.open("rb")
    except FileNotFoundError as error:
        raise NotFound(_("The file is no longer in the data folder: export it again.")) from error
    return FileResponse(
        stream,
        as_attachment=True,
        filename=f"{campaign.slug}-{file.what}.{file.format}",
        headers={"Repr-Digest": f"sha-256=:{b64encode(bytes.fromhex(file.sha256)).decode()}:"},
    )
