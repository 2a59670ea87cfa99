"""Archives and packages made by a worker, and archives restored by one.

A file is an ExportFile, made as exports are; a restore is a RestoreJob: a campaign is there whole
or not at all.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NoRoom
from annotation.models import Campaign
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.jobs.engine import Claim
from paraanno.jobs.reasons import FULL
from paraanno.plain.sentence import say
from scoring.archives import ArchiveRefused
from scoring.jobs import EXPORT, RESTORE
from scoring.models import ExportFile, RestoreJob
from scoring.selectors.archives.files import WHOLE
from scoring.services.archives.restore import SLUG, archive_restore
from scoring.services.reports.package import package_check

FOLDER = Path("files", "restores")  # in the data folder
STRAY_AFTER = timedelta(days=1)


def whole_order(
    *, campaign: Campaign, actor: Actor, what: str, licence: str = "", creators: Sequence[str] = ()
) -> ExportFile:
    """Queue an archive or a package for a worker; licence and creators are those of a package."""
    if what not in WHOLE:
        raise Invalid(_("Choose an archive or a package."))
    options: dict[str, object] = {}
    if what == "package":
        package_check(licence)
        options = {"licence": licence, "creators": list(creators)}
    with short_write():
        file = ExportFile.objects.create(
            campaign=campaign, what=what, format="zip", options=options,
            created_by_id=actor.pk if actor is not None else None,
        )  # fmt: skip
        audit(actor=actor, verb=what, about=file, campaign=campaign)
        EXPORT.notify(file.pk)
    return file


def restore_order(*, stream: BinaryIO, name: str, actor: User, slug: str = "") -> RestoreJob:
    """Queue an archive for a worker; the file is copied to where workers find it.

    Callers check that the actor may create campaigns. Raises Invalid for a slug that cannot be
    used, NoRoom if the disk is full.
    """
    if slug and not SLUG.fullmatch(slug):
        raise Invalid(_("A short name has letters, digits, - and _, at most 60: choose one."))
    if slug and Campaign.objects.filter(slug=slug).exists():
        raise Invalid(
            _("A campaign %(slug)s exists already: choose another short name.")
            % {"slug": f"{slug!r}"}
        )
    key = uuid4()
    path = _folder() / f"{key}.zip"
    try:
        with path.open("wb") as out:
            shutil.copyfileobj(stream, out, 2**20)
    except OSError as error:
        path.unlink(missing_ok=True)
        if error.errno in FULL:
            raise NoRoom() from error
        raise
    with short_write():
        job = RestoreJob.objects.create(
            key=key, slug=slug, file_name=name[:255], created_by=actor,
            path=str(path.relative_to(settings.DATA_DIR)),
        )  # fmt: skip
        audit(actor=actor, verb="order restore", about=job, campaign=None, file=name[:255])
        RESTORE.notify(job.pk)
    return job


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def restore_work(claim: Claim) -> None:
    """Restore the archive of a job. The job is done in the transaction that makes the campaign:
    never twice."""
    job: RestoreJob = claim.row
    try:
        with job.stored.open("rb") as stream:
            archive_restore(
                stream=stream, actor=job.created_by, slug=job.slug,
                tell=lambda done, total: claim.tell(done=done, total=total),
                within=lambda campaign: claim.close(campaign=campaign, done=F("total")),
            )  # fmt: skip
    except ArchiveRefused as refusal:
        why = say("The file was refused, and nothing was restored: %(why)s", why=refusal.message)
        claim.fail(why, path="")
        job.stored.unlink(missing_ok=True)


def restore_forget(job: RestoreJob) -> None:
    """Delete the file of a job that is done; of others it is kept a day, to be tried again."""
    if job.path and not RestoreJob.objects.filter(pk=job.pk).exclude(status="done").exists():
        job.stored.unlink(missing_ok=True)
        RestoreJob.objects.filter(pk=job.pk).update(path="")


def restores_expire() -> int:
    """Remove files that no job needs; return how many. Called on the timer of each worker."""
    RestoreJob.objects.filter(finished_at__lt=Now() - STRAY_AFTER).exclude(path="").update(path="")
    before = (clock.now() - STRAY_AFTER).timestamp()
    removed = 0
    for path in _folder().glob("*.zip"):
        name = str(path.relative_to(settings.DATA_DIR))
        with suppress(FileNotFoundError):  # Another worker has removed it.
            if path.stat().st_mtime < before and not RestoreJob.objects.filter(path=name).exists():
                path.unlink()
                removed += 1
    return removed
