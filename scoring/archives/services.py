"""Write the archive of a campaign, delete a campaign, and order archives and their restoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, models, router, transaction
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _

import paraanno
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Invalid, NoRoom
from annotation.models import AuditEntry, Campaign, SavedTemplate, Scoped, Tally, Visibility
from annotation.panels.participation import part_records_update
from paraanno import clock
from paraanno.common.progress import counted, relayed
from paraanno.common.texts import say
from paraanno.jobs.engine import FULL, Claim
from scoring.archives.file_format import ArchiveRefused, ArchiveWriter
from scoring.archives.restore import SLUG, archive_restore
from scoring.archives.rows import ArchivedRows
from scoring.archives.tables import TABLES
from scoring.exports.design import data_digest
from scoring.exports.package import package_check
from scoring.jobs import EXPORT, RESTORE
from scoring.models import Build, ExportFile, Resource, RestoreJob
from scoring.models.files import RESTORES
from scoring.ratings.tables import ratings_get

# One state of the database while it is read for longer, without keeping writers out.


@contextmanager
def snapshot() -> Iterator[None]:
    """Read one state of the database; write nothing inside.

    A transaction of Django takes the write lock on SQLite (IMMEDIATE), and annotators could not
    save meanwhile; a deferred one that only reads takes none. Within a transaction of the caller
    this is that one. What listens to progress is told in a thread, which has a connection of its
    own: it may write.
    """
    if connection.in_atomic_block:
        yield
        return
    with relayed(_apart):
        yield from _one_state()


def _one_state() -> Iterator[None]:
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")


def _apart(tell: Callable[[], object]) -> None:
    """Call it in a thread, and raise what it raises."""

    def call() -> None:
        try:
            tell()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(call).result()


def archive_write(*, campaign: Campaign, stream: BinaryIO) -> int:
    """Write the archive to a byte stream; return the number of rows.

    Everything is of one moment. Memory grows with the judgments as that of their statistics does,
    by some tens of bytes a row: the manifest has the digest of the data that papers name.
    """
    part_records_update(campaign=campaign)
    writer = ArchiveWriter(stream)
    with snapshot():
        campaign = Campaign.objects.get(pk=campaign.pk)
        reader = ArchivedRows(campaign)
        total, rows = reader.total(), 0
        for table in TABLES:
            cells = counted(reader.rows(table), before=rows, total=total)
            rows += writer.add(table.name, table.columns, cells)
        data = data_digest(ratings=ratings_get(campaign=campaign))
    writer.close(
        {
            "data": data,
            "campaign": {"slug": campaign.slug, "name": campaign.name},
            "made_at": clock.now().isoformat(),
            "made_with": f"paraanno {paraanno.__version__}",
            "origin": campaign.origin,
            "resources": reader.resources,
        }
    )
    return rows


# Deleting a campaign with everything in it.


# The log outlives what it is about.
REMAINING = {AuditEntry, Campaign}
# What people gave to a campaign, with what stands once in a place.
GIVEN: dict[type[Scoped], tuple[str, ...]] = {
    Resource: ("kind", "sha256"),
    SavedTemplate: ("name",),
    Build: ("key",),
}


def campaign_delete(*, campaign: Campaign, actor: Actor, typed: str) -> None:
    """Delete the campaign. `typed` is its short name, as somebody who means it has typed it.

    What was made of its texts goes too; files that somebody gave to it are theirs again. Rows go
    table by table in one transaction; Django would first load every judgment. Entries of
    the log stay, without a campaign. Files of exports go with the next sweep of a worker. Raises
    Invalid for another text, and for a campaign that a shared task is made of.
    """
    if typed.strip() != campaign.slug:
        raise Invalid(
            _("Type the short name %(slug)s to delete the campaign.") % {"slug": campaign.slug}
        )
    with short_write():
        campaign = lock_row(Campaign, campaign.pk, key=True)
        _check_free(campaign)
        counts = {
            "items": campaign.items.count(),
            "judgments": campaign.judgments.count(),
            "annotators": campaign.annotators.count(),
        }
        audit(
            actor=actor,
            verb="delete",
            about=campaign,
            campaign=None,
            slug=campaign.slug,
            name=campaign.name,
            **counts,
        )
        using = router.db_for_write(Campaign)
        for table in reversed(TABLES):
            if table.model not in REMAINING:
                rows = table.model._default_manager.filter(**{table.owner: campaign})
                rows.order_by()._raw_delete(using)
        _give_back(campaign)
        number = campaign.pk
        campaign.delete()
        Tally.objects.filter(campaign_id=number).delete()


def _give_back(campaign: Campaign) -> None:
    """Make files, builds and templates that are not bound their owners' own, unless those have the
    same; the rest goes with the campaign."""
    for model, content in GIVEN.items():
        own_rows = model._default_manager.filter(
            scope=Visibility.MINE,
            created_by=OuterRef("created_by"),
            **{name: OuterRef(name) for name in content},
        )
        given = model._default_manager.filter(campaign=campaign, bound=False)
        owned = given.filter(~Exists(own_rows), created_by__isnull=False)
        owned.update(scope=Visibility.MINE, campaign=None)


def _check_free(campaign: Campaign) -> None:
    """Raise Invalid if a shared task needs the campaign. Django would tell after everything else is
    deleted; and the app of the tasks, which alone protects campaigns, is not known here."""
    for one in Campaign._meta.related_objects:
        if one.on_delete is models.PROTECT:
            rows = one.related_model._default_manager.filter(**{one.field.name: campaign})
            if (user := rows.first()) is not None:
                raise Invalid(
                    _("The shared task “%(name)s” is made from this campaign, so both stay.")
                    % {"name": user}
                )


# Archives and packages made by a worker, and archives restored by one.
#
# A file is an ExportFile, made as exports are; a restore is a RestoreJob: a campaign is there whole
# or not at all.


def whole_order(
    *, campaign: Campaign, actor: Actor, what: str, licence: str = "", creators: Sequence[str] = ()
) -> ExportFile:
    """Queue an archive or a package for a worker; licence and creators are those of a package."""
    if what not in ExportFile.WHOLE:
        raise Invalid(_("Choose an archive or a package."))
    options: dict[str, object] = {}
    if what == "package":
        package_check(licence)
        options = {"licence": licence, "creators": list(creators)}
    with short_write():
        file = ExportFile.objects.create(
            campaign=campaign,
            what=what,
            format="zip",
            options=options,
            created_by_id=actor.pk if actor is not None else None,
        )
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
            key=key,
            slug=slug,
            file_name=name[:255],
            created_by=actor,
            path=str(path.relative_to(settings.DATA_DIR)),
        )
        audit(actor=actor, verb="order restore", about=job, campaign=None, file=name[:255])
        RESTORE.notify(job.pk)
    return job


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / RESTORES
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def restore_work(claim: Claim) -> None:
    """Restore the archive of a job. The job is done in the transaction that makes the campaign:
    never twice."""
    job: RestoreJob = claim.row
    try:
        with job.stored.open("rb") as stream:
            archive_restore(
                stream=stream,
                actor=job.created_by,
                slug=job.slug,
                tell=lambda done, total: claim.tell(done=done, total=total),
                within=lambda campaign: claim.close(campaign=campaign, done=F("total")),
            )
    except ArchiveRefused as refusal:
        why = say("The file was refused, and nothing was restored: %(why)s", why=refusal.message)
        claim.fail(why, path="")
        job.stored.unlink(missing_ok=True)


def restore_forget(job: RestoreJob) -> None:
    """Delete the file of a job that is done; of others it is kept a day, to be tried again."""
    if job.path and not RestoreJob.objects.filter(pk=job.pk).exclude(status="done").exists():
        job.stored.unlink(missing_ok=True)
        RestoreJob.objects.filter(pk=job.pk).update(path="")
