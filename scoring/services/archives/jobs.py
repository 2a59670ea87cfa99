"""Archives and packages made by a worker, and archives restored by one.

A file is an ExportFile, made as exports are; a restore is a RestoreJob. Both are safe to kill: the
sweep takes back what a dead process held, and a campaign is there whole or not at all.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import DomainError, Invalid, NoRoom
from annotation.models import Campaign
from annotation.services.audit import Actor, audit
from annotation.services.importing.jobs import FULL
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.plain.sentence import say
from paraanno.plain.sentence_columns import columns, told
from scoring.archives import ArchiveRefused
from scoring.models import ExportFile, RestoreJob
from scoring.selectors.archives.files import WHOLE
from scoring.services.archives.restore import SLUG, archive_restore
from scoring.services.reports.exports import TASK as EXPORT_MAKE
from scoring.services.reports.package import package_check
from scoring.services.workers.heartbeats import process_name
from scoring.services.workers.notify import notify_workers

logger = logging.getLogger(__name__)
TASK = "scoring.tasks.restore_make"
FOLDER = Path("files", "restores")  # in the data folder
TELL_SECONDS = 0.5
STRAY_AFTER = timedelta(days=1)


class _RestoreLost(Exception):
    """Another process has claimed the job."""


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
        notify_workers(EXPORT_MAKE, file.pk)
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
        notify_workers(TASK, job.pk)
    return job


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def restore_make(*, job_pk: int) -> None:
    """Do a queued job; a no-op if another process has claimed it."""
    process = process_name()
    with short_write():
        claimed = RestoreJob.objects.filter(pk=job_pk, status=RestoreJob.Status.QUEUED).update(
            status=RestoreJob.Status.RUNNING, started_at=Now(), worker=process,
            attempts=F("attempts") + 1,
        )  # fmt: skip
    if not claimed:
        return
    job = RestoreJob.objects.select_related("created_by").get(pk=job_pk)
    mine = RestoreJob.objects.filter(
        pk=job_pk, status=RestoreJob.Status.RUNNING, worker=process, attempts=job.attempts
    )
    last = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < TELL_SECONDS:
            return
        with short_write():
            if not mine.update(done=done, total=total):
                raise _RestoreLost
        last = time.monotonic()

    def within(campaign: Campaign) -> None:
        """The job is done in the transaction that makes the campaign: never twice."""
        ended = mine.update(
            status=RestoreJob.Status.DONE, finished_at=Now(), campaign=campaign, path="",
            done=F("total"),
        )  # fmt: skip
        if not ended:
            raise _RestoreLost

    try:
        with job.stored.open("rb") as stream:
            archive_restore(
                stream=stream, actor=job.created_by, slug=job.slug, tell=tell, within=within
            )
    except _RestoreLost:
        return
    except DatabaseError:
        raise  # The sweep requeues it: the file is not to blame.
    except Exception as error:  # stored in the row; the log has the traceback
        logger.exception("The restore %s failed", job)
        with short_write():
            mine.update(
                status=RestoreJob.Status.FAILED, finished_at=Now(), path="",
                **columns("error", _why(error)),
            )  # fmt: skip
    job.stored.unlink(missing_ok=True)


def _why(error: Exception) -> str:
    if isinstance(error, ArchiveRefused):
        return say("The file was refused, and nothing was restored: %(why)s", why=error.message)
    if isinstance(error, DomainError):
        return error.message
    if isinstance(error, FileNotFoundError):
        return say(
            "The worker does not find the file: if it runs on another host, both need the same "
            "data folder. Send the file again."
        )
    if isinstance(error, OSError) and error.errno in FULL:
        return say("The server’s disk is full: free some space, then send the file again.")
    return told(error)


def restores_expire() -> int:
    """Remove files that no job needs; return how many. Called on the timer of each worker."""
    before = (clock.now() - STRAY_AFTER).timestamp()
    removed = 0
    for path in _folder().glob("*.zip"):
        name = str(path.relative_to(settings.DATA_DIR))
        with suppress(FileNotFoundError):  # Another worker has removed it.
            if path.stat().st_mtime < before and not _waits(name):
                path.unlink()
                removed += 1
    return removed


def _waits(name: str) -> bool:
    active = [RestoreJob.Status.QUEUED, RestoreJob.Status.RUNNING]
    return RestoreJob.objects.filter(path=name, status__in=active).exists()
