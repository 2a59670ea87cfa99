"""What workers have to do, are doing, and did in the last week: all of it for administrators, for
researchers that of their campaigns and their own. And what people do with jobs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Count, Q, QuerySet, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import User, logged_in, researches
from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, NotFound
from annotation.models import Campaign, Membership, PausedWork
from paraanno import clock
from paraanno.jobs.engine import KINDS, Kind, again, cancel
from paraanno.jobs.row import ACTIVE, JobStatus
from scoring.exports.services import removable_exports
from scoring.models import ExportFile, Resource

WEEK = timedelta(days=7)
MOST = 100  # Of each kind, the newest.
# Shown by these names; what is part of another job is in no list.
NAMES: dict[str, Promise] = {
    "import": gettext_lazy("Import"),
    "export": gettext_lazy("Export"),
    "archive": gettext_lazy("Archive"),
    "package": gettext_lazy("Package"),
    "restore": gettext_lazy("Restore"),
    "run": gettext_lazy("Metric run"),
    "report": gettext_lazy("Report"),
    "build": gettext_lazy("Build"),
    "resource": gettext_lazy("Resource"),
    "submission": gettext_lazy("Submission"),
    "board": gettext_lazy("Board of a task"),
}


@dataclass(frozen=True, slots=True)
class JobLine:
    """A job: `share` of it that is done, and `seconds_left` at the speed so far, where known."""

    of: Kind
    row: Any
    kind: str
    key: str
    name: str
    status: JobStatus
    campaign: Campaign | None
    who: str
    share: float | None
    seconds_left: int | None

    @property
    def label(self) -> Promise:
        return NAMES[self.kind]

    @property
    def active(self) -> bool:
        return self.status in ACTIVE

    @property
    def percent(self) -> int:
        return round(100 * (self.share or 0))

    @property
    def since(self) -> datetime:
        """When it ended, was begun or, before that, asked for."""
        at: datetime = self.row.finished_at or self.row.started_at or self.row.created_at
        return at

    @property
    def can_cancel(self) -> bool:
        return self.active and self.of.stoppable

    @property
    def can_repeat(self) -> bool:
        over = self.status in (JobStatus.FAILED, JobStatus.CANCELLED)
        return over and not self.row.worker and self.of.repeatable(self.row)


@dataclass(frozen=True, slots=True)
class Storage:
    """Files of a campaign or a person: exports and archives that are kept, and resources."""

    name: str
    files: int
    size: int


def check_jobs(*, user: User) -> None:
    """Raise NotFound for users who research no campaign: there is no such page for them."""
    if not researches(user=user):
        raise NotFound(_("There is no such page."))


def job_lines(*, user: User, done: bool = True) -> list[JobLine]:
    """What waits and runs, the oldest first, then what ended in the last week, the newest first;
    without `done` only what failed of that. One query for each kind."""
    check_jobs(user=user)
    return _lines({kind.name: _seen(kind, user) for kind in _listed()}, done=done)


def all_job_lines() -> list[JobLine]:
    """The same of everybody, for commands."""
    return _lines({kind.name: _rows(kind) for kind in _listed()}, done=True)


def _lines(rows: Mapping[str, QuerySet[Any]], *, done: bool) -> list[JobLine]:
    now = clock.now()
    lines = [
        line
        for name, of_kind in rows.items()
        for line in _recent(of_kind, KINDS[name], since=now - WEEK, done=done)
    ]
    return sorted(
        lines,
        key=lambda one: (
            not one.active,
            one.row.created_at if one.active else now - (one.row.finished_at or now),
        ),
    )


def job_get(*, user: User, kind: str, key: str) -> JobLine:
    """One job. Raises NotFound where this user sees none with the key."""
    check_jobs(user=user)
    for of in _listed():
        if of.name == kind or (of.name == "export" and kind in ("archive", "package")):
            name = "key" if hasattr(of.model, "key") else "pk"
            try:
                row = _seen(of, user).filter(**{name: key}).first()
            except (ValueError, ValidationError):
                row = None
            if row is not None:
                return _line(of, row)
    raise NotFound(_("There is no such job."))


def kinds_listed() -> list[tuple[str, Promise]]:
    """The kinds of jobs, each by its name and what pages call it."""
    return [(kind.name, NAMES[kind.name]) for kind in _listed()]


def storage_by_campaign() -> list[Storage]:
    """What exported files of each campaign take, most first; one query."""
    return _storage(_exports(), "campaign__name")


def storage_by_person() -> list[Storage]:
    """The same of each person, with the files that they added for metrics; two queries."""
    added: dict[str, Storage] = {}
    resources = Resource.objects.exclude(path="")
    for rows in (_exports(), resources):
        for one in _storage(rows, "created_by__username"):
            before = added.get(one.name, Storage(one.name, 0, 0))
            size = before.size + one.size
            added[one.name] = Storage(one.name, before.files + one.files, size)
    return sorted(added.values(), key=lambda one: -one.size)


def _exports() -> QuerySet[ExportFile]:
    return ExportFile.objects.filter(status=JobStatus.DONE, removed_at=None)


def _storage(rows: QuerySet[Any], by: str) -> list[Storage]:
    sums = rows.order_by().values_list(by).annotate(n=Count("*"), bytes=Sum("size"))
    return [Storage(name or "", n, size or 0) for name, n, size in sums.order_by("-bytes")]


def _listed() -> Iterator[Kind]:
    return (kind for kind in KINDS.values() if kind.name in NAMES)


def _seen(kind: Kind, user: User) -> QuerySet[Any]:
    """The rows that a user sees."""
    rows = _rows(kind)
    if user.is_superuser:
        return rows
    condition = Q(**{kind.who: user.pk}) if kind.who else Q(pk=None)
    if kind.campaign and not kind.personal:
        roles = (Membership.Role.OWNER, Membership.Role.RESEARCHER)
        members = Membership.objects.filter(user_id=logged_in(user).pk, role__in=roles)
        condition |= Q(**{f"{kind.campaign}__in": members.values("campaign")})
    return rows.filter(condition)


def _rows(kind: Kind) -> QuerySet[Any]:
    """All rows, with what a line needs."""
    rows = kind.rows.select_related(*filter(None, (kind.campaign, kind.who)))
    return rows.prefetch_related(*kind.related).defer(*kind.large)


def _recent(rows: QuerySet[Any], kind: Kind, *, since: datetime, done: bool) -> Iterator[JobLine]:
    recent = Q(finished_at__gte=since)
    if not done:
        recent &= Q(status=kind.failed)
    for row in rows.filter(Q(finished_at=None) | recent).order_by("-pk")[:MOST]:
        line = _line(kind, row)
        if line.active or row.finished_at is not None:
            yield line


def _line(kind: Kind, row: Any) -> JobLine:
    status = kind.status_of(row)
    at_work = status == JobStatus.RUNNING
    who = _follow(row, kind.who)
    called = kind.called(row) if kind.called else kind.name
    return JobLine(
        kind,
        row,
        called,
        str(getattr(row, "key", row.pk)),
        kind.title(row),
        status,
        _follow(row, kind.campaign),
        who.get_username() if who else "",
        row.completed if at_work else None,
        row.seconds_left if at_work else None,
    )


def _follow(row: Any, path: str) -> Any:
    for name in path.split("__") if path else ():
        row = getattr(row, name, None)
    return row if path else None


# What takes room on the site's disks, for administrators.


@dataclass(frozen=True, slots=True)
class DiskPart:
    """One kind of data: bytes, where, and what an administrator can do about it."""

    name: str
    label: Promise
    size: int
    advice: Promise


@dataclass(frozen=True, slots=True)
class DiskUse:
    """`free` and `total` bytes of the data folder's disk; `low`: less than is wanted is free.
    `removable` is the number of exported files that can be removed now."""

    free: int
    total: int
    low: bool
    parts: list[DiskPart]
    removable: int

    @property
    def used(self) -> int:
        return self.total - self.free


LABELS = {
    "files": (
        gettext_lazy("Exports and imports"),
        gettext_lazy("Exported files can be made again: remove them below."),
    ),
    "resources": (
        gettext_lazy("Resources"),
        gettext_lazy("The page Resources shows which are used, and can remove them."),
    ),
    "models": (
        gettext_lazy("Neural models"),
        gettext_lazy("Delete folders of models that no run needs on the server."),
    ),
    "builds": (
        gettext_lazy("Builds"),
        gettext_lazy("They are deleted automatically when the resource is made."),
    ),
    "backups": (
        gettext_lazy("Backups"),
        gettext_lazy("PARAANNO_BACKUPS_KEPT says how many are kept."),
    ),
    "logs": (
        gettext_lazy("Logs"),
        gettext_lazy("They are rotated automatically when they are full."),
    ),
    "other": (
        gettext_lazy("Other files"),
        gettext_lazy("Static files, drafts, messages: nothing to remove."),
    ),
}


def disk_use() -> DiskUse:
    """Sizes of the database and of the folders in the data folder; a few queries.

    Every file is looked at, so that a page shows what is there now.
    """
    data = Path(settings.DATA_DIR)
    usage = shutil.disk_usage(data)
    sizes = dict.fromkeys(LABELS, 0)
    for entry in data.iterdir():
        if entry.is_symlink() or entry.name.startswith("paraanno.sqlite3"):
            continue
        sizes[entry.name if entry.name in sizes else "other"] += size_of(entry)
    outside = settings.BACKUP_DIR
    if outside is not None and outside.is_dir() and not outside.is_relative_to(data):
        sizes["backups"] += size_of(outside)
    database = DiskPart(
        "database",
        gettext_lazy("Database"),
        _database_size(),
        gettext_lazy("Judgments with their history: delete campaigns that are archived elsewhere."),
    )
    parts = [DiskPart(name, label, sizes[name], advice) for name, (label, advice) in LABELS.items()]
    low = usage.free // 2**20 < settings.DISK_FREE_MB
    return DiskUse(usage.free, usage.total, low, [database, *parts], removable_exports().count())


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder; what goes meanwhile counts as nothing."""
    try:
        if path.is_file():
            return path.stat().st_size
        return sum(
            os.stat(os.path.join(folder, name), follow_symlinks=False).st_size
            for folder, _folders, names in os.walk(path)
            for name in names
        )
    except FileNotFoundError:
        return 0


def _database_size() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    file = Path(str(connection.settings_dict["NAME"]))
    return sum(size_of(one) for one in file.parent.glob(f"{file.name}*"))


def job_cancel(*, job: JobLine, actor: Actor) -> None:
    """End a job that waits or is at work. Raises Conflict if it is over, or cannot be cancelled.
    Callers have looked it up for the actor."""
    if not job.can_cancel:
        raise Conflict(_("This job cannot be cancelled: it is over, or others wait for it."))
    _change(job, actor, "cancel", job.of.cancel, cancel, _("This job is over."))


def job_again(*, job: JobLine, actor: Actor) -> None:
    """Let a job that failed or was cancelled wait once more. Raises Conflict if it cannot."""
    if not job.can_repeat:
        raise Conflict(
            _(
                "This job cannot be done again: it is active, still stopping, or its file is gone. "
                "Ask for it anew where you did."
            )
        )
    refusal = _("This job is active, or still stopping: wait a moment.")
    _change(job, actor, "do again", job.of.again, again, refusal)


def _change(
    job: JobLine,
    actor: Actor,
    verb: str,
    own: Callable[..., object] | None,
    change: Callable[[Kind, Any], bool],
    refusal: str,
) -> None:
    """Change a job as its kind does (`own`), or its row alone. Raises Conflict with the refusal if
    that is not possible any more."""
    if own is not None:
        own(**{job.of.name: job.row}, actor=actor)
        return
    with short_write():
        if not change(job.of, job.row):
            raise Conflict(refusal)
        audit(
            actor=actor,
            verb=verb,
            about=job.row,
            campaign=job.campaign,
            kind=job.kind,
            name=job.name,
        )


def work_pause(*, kind: str, pause: bool, actor: Actor) -> None:
    """Have workers leave a kind of jobs alone, or take it up again; what is at work goes on.
    Callers check that the actor administers the site."""
    with short_write():
        if pause:
            row, _made = PausedWork.objects.get_or_create(
                name=kind, defaults={"paused_by_id": actor.pk if actor else None}
            )
            audit(actor=actor, verb="pause work", about=row, campaign=None, kind=kind)
            return
        for row in PausedWork.objects.filter(name=kind):
            audit(actor=actor, verb="resume work", about=row, campaign=None, kind=kind)
            row.delete()
        for pk in KINDS[kind].waiting.values_list("pk", flat=True):
            KINDS[kind].notify(pk)
