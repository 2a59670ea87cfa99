"""Exports, written, and reports as they are asked for."""

from __future__ import annotations

import io
from typing import Any

from annotation.models import Campaign
from scoring.services.reports.compute import ReportView, report_get
from scoring.services.reports.exports import export_write
from tests.scoring.archives.zips import files_of


def written(campaign: Campaign, what: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    export_write(campaign=campaign, what=what, stream=stream, **options)
    return stream.getvalue()


def paper_of(campaign: Campaign) -> dict[str, bytes]:
    """The files of the zip for a paper."""
    return files_of(written(campaign, "paper"))


def report_of(campaign: Campaign, kind: str = "agreement", **options: Any) -> ReportView:
    return report_get(campaign=campaign, kind=kind, actor=None, **options)
