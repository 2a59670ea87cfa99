"""Archives and packages that workers made, and the archives somebody has restored."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign
from annotation.selectors.access import User, known
from scoring.models import ExportFile, RestoreJob

# Files about everybody and everything: not for all who read a campaign.
WHOLE = ("archive", "package")


def whole_files(*, campaign: Campaign, what: str = "") -> QuerySet[ExportFile]:
    """The archives and packages of a campaign, newest first; one query."""
    kinds = [what] if what else list(WHOLE)
    return ExportFile.objects.filter(campaign=campaign, what__in=kinds).order_by("-pk")


def whole_get(*, campaign: Campaign, key: UUID) -> ExportFile:
    """One of them. Raises NotFound."""
    file = whole_files(campaign=campaign).filter(key=key).first()
    if file is None:
        raise NotFound(_("There is no such file."))
    return file


def restore_jobs(*, user: User) -> QuerySet[RestoreJob]:
    """The user's own, newest first."""
    rows = RestoreJob.objects.select_related("campaign").order_by("-pk")
    return rows.filter(created_by=known(user))


def restore_job_get(*, user: User, key: UUID) -> RestoreJob:
    """One of these. Raises NotFound."""
    job = restore_jobs(user=user).filter(key=key).first()
    if job is None:
        raise NotFound(_("There is no such restore."))
    return job
