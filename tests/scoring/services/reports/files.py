"""Exports, written, and reports as they are asked for."""

import io

from scoring.exports.services import export_write
from scoring.reports.compute import report_get
from tests.scoring.archives.zips import files_of


def written(campaign, what, **options):
    stream = io.BytesIO()
    export_write(campaign=campaign, what=what, stream=stream, **options)
    return stream.getvalue()


def paper_of(campaign):
    """The files of the zip for a paper."""
    return files_of(written(campaign, "paper"))


def report_of(campaign, kind="agreement", **options):
    return report_get(campaign=campaign, kind=kind, actor=None, **options)
