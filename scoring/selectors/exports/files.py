"""The export files of a campaign."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign
from scoring.models import ExportFile
from scoring.selectors.archives.files import WHOLE


def export_files(*, campaign: Campaign) -> QuerySet[ExportFile]:
    """The export files of a campaign, newest first; one query. Archives and packages are not for
    all who read it: see selectors/archives/files.py."""
    return ExportFile.objects.filter(campaign=campaign).exclude(what__in=WHOLE).order_by("-pk")


def export_get(*, campaign: Campaign, key: UUID, finished: bool = False) -> ExportFile:
    """One export file. Raises NotFound if the campaign has no such file, or if it is not
    finished."""
    rows = export_files(campaign=campaign).filter(key=key)
    if finished:
        rows = rows.filter(status=ExportFile.Status.DONE)
    file = rows.first()
    if file is None:
        raise NotFound(_("There is no such file."))
    return file
