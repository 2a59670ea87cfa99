"""Make a backup while the site runs."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _
from filelock import FileLock, Timeout

from annotation.models import Campaign
from annotation.verify import verify
from paraanno import __version__
from paraanno.backups.copies import (
    FILES,
    NAME,
    BackupManifest,
    BackupRefused,
    Copier,
    copy_database,
    copy_file,
    damages,
    in_use_by,
    kept_files,
    measured,
    put_database,
    read_manifest,
    sqlite_file,
    top_names,
    write_manifest,
)
from paraanno.common.on_disk import move, put_in_place
from paraanno.common.places import own_environment, own_program
from paraanno.running.prepare import RESTORING, TOO_OLD, migrate

DATA = "data"  # the folder, within the backup, of the data folder's files


def backup_make(folder: Path) -> BackupManifest:
    """Write a backup into `folder`, which must be new or empty, and return its list.

    The database is copied as it is at one moment. Files are copied before and after it, so that
    each one that the copy names is there. Raises BackupRefused, and OSError from the disk.
    """
    folder = folder.expanduser().absolute()
    data_dir, database = Path(settings.DATA_DIR), sqlite_file()
    _check_target(folder, data_dir)
    _check_room(folder, data_dir, database)
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    copier = Copier(data_dir, folder / DATA, database)
    copier.round()
    name = FILES[connection.vendor]
    copy_database(folder / name)
    copier.round()
    files = {f"{DATA}/{path}": entry for path, entry in copier.copied.items()}
    files[name] = measured(folder / name)
    manifest = BackupManifest(
        version=__version__,
        made_at=made_at,
        database=connection.vendor,
        has_key=_has_key(data_dir),
        migrations=newest_migrations(),
        files=files,
    )
    write_manifest(folder, manifest)
    return manifest


def newest_migrations() -> dict[str, str]:
    """The newest applied migration of every app."""
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    return dict(applied)  # The last of an app stays.


def _has_key(data_dir: Path) -> bool:
    """Whether the key in the data folder is the one in use; a variable goes before it."""
    file = data_dir / "secret_key"
    return file.exists() and file.read_text(encoding="utf-8").strip() == settings.SECRET_KEY


def _check_target(folder: Path, data_dir: Path) -> None:
    inside = folder.resolve().is_relative_to(data_dir)
    if inside and not folder.resolve().is_relative_to(data_dir / "backups"):
        raise BackupRefused(
            f"{folder}: is in the data folder, which is copied. Choose a folder on another disk, "
            f"or one in {data_dir / 'backups'}."
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise BackupRefused(
            f"{folder}: is not empty. Choose a new folder; one with no manifest.json is a backup "
            "that was cut off, and may be deleted."
        )


def _check_room(folder: Path, data_dir: Path, database: Path | None) -> None:
    """A disk that would be full half-way is reported before; PostgreSQL's dump is not foreseen."""
    needed = database.stat().st_size if database else 0
    for name in kept_files(data_dir, database):
        with suppress(FileNotFoundError):
            needed += (data_dir / name).stat().st_size
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BackupRefused(
            f"{folder}: has room for {free // 2**20} MB, and {needed // 2**20} MB are needed."
        )


# A backup every night, started by the timer of a worker, and the age of the newest one.
#
# `PARAANNO_BACKUP_DIR` has a folder for each, named by its time (UTC). Of all hosts that share the
# folder, one process does it.


_NAMED = re.compile(r"paraanno-\d{8}-\d{6}")
_FORM = "paraanno-%Y%m%d-%H%M%S"
FAILED = "last_failure.txt"
# So that a full disk is not filled anew every ten seconds.
TRY_AGAIN = timedelta(minutes=30)
LATE = timedelta(hours=26)


class BackupState(TypedDict):
    """What the overview and `/readyz` report: `last` is when the newest whole one was begun, `late`
    whether that was more than 26 hours ago, `failure` why the newest attempt failed."""

    wanted: bool
    last: datetime | None
    late: bool
    failure: str


_child: list[subprocess.Popen[bytes]] = []


def last_backup() -> datetime | None:
    """When the newest whole nightly backup was begun; None without one."""
    for folder in _folders():
        if (folder / NAME).exists():
            return _time_of(folder)
    return None


def last_failure() -> str:
    """Why the newest attempt failed; empty if it did not."""
    if settings.BACKUP_DIR is None:
        return ""
    with suppress(FileNotFoundError):
        return (settings.BACKUP_DIR / FAILED).read_text(encoding="utf-8").strip()
    newest = next(iter(_folders()), None)
    if newest is None or (newest / NAME).exists() or _is_at_work(settings.BACKUP_DIR):
        return ""
    return _(
        "The backup begun at %(at)s was cut off: its process was killed, or the machine stopped. "
        "Another is tried half an hour after it began."
    ) % {"at": timezone.localtime(_time_of(newest)).strftime("%Y-%m-%d %H:%M")}


def _is_at_work(base: Path) -> bool:
    """Whether a process makes one now."""
    try:
        with _lock(base).acquire(blocking=False):
            return False
    except Timeout:
        return True


def backup_state() -> BackupState:
    return {
        "wanted": settings.BACKUP_DIR is not None,
        "last": last_backup(),
        "late": is_late(timezone.now()),
        "failure": last_failure(),
    }


def is_late(now: datetime) -> bool:
    """Whether nightly backups are wanted and there is none of the last 26 hours."""
    if settings.BACKUP_DIR is None:
        return False
    last = last_backup()
    return last is None or now - last > LATE


def is_due(now: datetime) -> bool:
    """Whether none has been made since the hour was last struck, and none was just tried."""
    if settings.BACKUP_DIR is None:
        return False
    local = timezone.localtime(now)
    struck = local.replace(hour=settings.BACKUP_HOUR, minute=0, second=0, microsecond=0)
    if struck > local:
        struck -= timedelta(days=1)
    last = last_backup()
    tried = _time_of(folders[0]) if (folders := _folders()) else None
    failed = settings.BACKUP_DIR / FAILED
    if failed.exists():
        when = datetime.fromtimestamp(failed.stat().st_mtime, UTC)
        tried = max(tried, when) if tried else when
    waits = tried is not None and tried != last and now - tried < TRY_AGAIN
    return (last is None or last < struck) and not waits


def nightly_begin() -> None:
    """Start a process that makes one, if one is due; the caller does not wait for it."""
    if _child and _child[0].poll() is None:
        return
    _child.clear()
    if not is_due(timezone.now()):
        return
    process = subprocess.Popen(  # noqa: S603 our own program
        own_program("django", "backup", "--nightly"), cwd=settings.DATA_DIR, env=own_environment()
    )
    _child.append(process)
    # Waited for, so that an ended one does not look as if it were running.
    threading.Thread(target=process.wait, name="wait-for-backup", daemon=True).start()


def nightly_make() -> Path | None:
    """Make one, if one is due and nobody is doing it, and delete those beyond
    PARAANNO_BACKUPS_KEPT.

    Returns its folder or None. Raises BackupRefused or OSError, which is also written down.
    """
    if settings.BACKUP_DIR is None:
        raise BackupRefused("PARAANNO_BACKUP_DIR is not set: name a folder for backups there.")
    base: Path = settings.BACKUP_DIR
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with _lock(base).acquire(blocking=False):
            now = datetime.now(UTC)
            if not is_due(now):
                return None
            # First, so that what was cut off does not keep the disk full.
            _forget_cut_off()
            folder = base / now.strftime(_FORM)
            try:
                backup_make(folder)
            except (BackupRefused, OSError) as error:
                (base / FAILED).write_text(f"{error}\n", encoding="utf-8")
                raise
            (base / FAILED).unlink(missing_ok=True)
            _forget_old()
            return folder
    except Timeout:
        return None


def _lock(base: Path) -> FileLock:
    return FileLock(base / "nightly.lock")


def _folders() -> list[Path]:
    """The folders of nightly backups, also of those cut off, newest first."""
    base = settings.BACKUP_DIR
    if base is None or not base.is_dir():
        return []
    named = (one for one in base.iterdir() if _NAMED.fullmatch(one.name) and one.is_dir())
    return sorted(named, reverse=True)


def _time_of(folder: Path) -> datetime:
    return datetime.strptime(folder.name, _FORM).replace(tzinfo=UTC)


def _forget_cut_off() -> None:
    for folder in _folders():
        if not (folder / NAME).exists():
            shutil.rmtree(folder)


def _forget_old() -> None:
    whole = [folder for folder in _folders() if (folder / NAME).exists()]
    for folder in whole[settings.BACKUPS_KEPT :]:
        # Without its list first: a deletion that is cut off leaves no backup that looks whole.
        (folder / NAME).unlink()
        shutil.rmtree(folder)


# Put a backup in the place of a site.


# A site with none of these rows has nothing to lose.
TELLING = ("auth_user", "annotation_campaign")


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back: the list, the campaigns, and the rules that one of them breaks."""

    manifest: BackupManifest
    campaigns: int
    broken: tuple[str, ...]


def backup_restore(
    folder: Path, *, replace: bool = False, agreed: Callable[[str], bool] = lambda _: True
) -> Restored:
    """Check a backup, put its database and files in the place of this site's, and verify all.

    Nothing changes before the whole backup was read and its hashes hold. `agreed` is asked, with
    what is there, before a site is replaced. Raises BackupRefused. Cut off half-way, the site
    does not start until the command has run again.
    """
    manifest = read_manifest(folder)
    _check_kind(folder, manifest)
    data_dir = Path(settings.DATA_DIR)
    mark = data_dir / RESTORING
    content = what_stands()
    if content and not replace and not mark.exists():
        raise BackupRefused(f"This site is not empty ({content}): --replace puts the backup there.")
    if others := in_use_by():
        raise BackupRefused(f"This site is in use by {others}: stop web servers and workers first.")
    if wrong := list(damages(folder, manifest)):
        raise BackupRefused("\n".join([*wrong, "Nothing was changed. Take another backup."]))
    if content and not agreed(content):
        raise BackupRefused("Nothing was changed.")
    cut_off_before = mark.exists()
    scratch = data_dir / "tmp" / f"restore-{secrets.token_hex(4)}"
    scratch.mkdir(mode=0o700, parents=True)
    try:
        _copy_data(folder, scratch / DATA, manifest)
        draft = scratch / RESTORING
        draft.write_text(f"{folder}\n", encoding="utf-8")
        put_in_place(draft, mark)
        try:
            put_database(folder / FILES[manifest.database], scratch=scratch)
        except BackupRefused:
            if not cut_off_before:
                mark.unlink()  # All or nothing, and it was nothing.
            raise
        _put_files(scratch, data_dir)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    migrate()
    mark.unlink()
    return _verified(manifest)


def what_stands() -> str:
    """What would be lost: numbers of rows, in words; empty for an empty site."""
    there = set(connection.introspection.table_names())
    parts = []
    with connection.cursor() as cursor:
        for table in TELLING:
            if table in there:
                cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 (from TELLING)
                if n := cursor.fetchone()[0]:
                    parts.append(f"{n} rows of {table}")
    return ", ".join(parts)


def _check_kind(folder: Path, manifest: BackupManifest) -> None:
    """Refuse what this site cannot take: the other database, or tables of a newer version."""
    if manifest.database != connection.vendor:
        raise BackupRefused(
            f"{folder}: is of {manifest.database}, and this site's DATABASE_URL is of "
            f"{connection.vendor}. Set it to a database of the same kind."
        )
    if FILES[manifest.database] not in manifest.files:
        raise BackupRefused(f"{folder}: its list names no database.")
    loader = MigrationLoader(None)
    squashed = {name: one for one in loader.replacements.values() for name in one.replaces}
    newest = list(manifest.migrations.items())
    newer = [one for one in newest if one not in loader.disk_migrations and one not in squashed]
    if newer:
        raise BackupRefused(
            f"{folder}: was made by version {manifest.version} with tables that this version does "
            f"not know ({'.'.join(newer[0])}). Install that version first."
        )
    for app, name in (one for one in newest if one in squashed):
        last = squashed[app, name].replaces[-1]
        if last[1] > name:
            raise BackupRefused(f"{folder}: {TOO_OLD.format(app=app, name=last[1])}")


def _copy_data(folder: Path, target: Path, manifest: BackupManifest) -> None:
    """On the disk of the data folder first, so that the exchange itself is renames alone."""
    target.mkdir()
    for name, entry in manifest.files.items():
        if name.startswith(f"{DATA}/"):
            copied = copy_file(folder / name, target / name.removeprefix(f"{DATA}/"))
            if copied != entry:
                raise BackupRefused(f"{folder / name}: changed while it was read. Try once more.")


def _put_files(scratch: Path, data_dir: Path) -> None:
    away = scratch / "replaced"
    away.mkdir()
    for name in top_names(data_dir, sqlite_file()):
        move(data_dir / name, away / name)
    for name in sorted(os.listdir(scratch / DATA)):
        put_in_place(scratch / DATA / name, data_dir / name)


def _verified(manifest: BackupManifest) -> Restored:
    broken, campaigns = [], 0
    for campaign in Campaign.objects.order_by("pk"):
        campaigns += 1
        broken += [f"{campaign.slug}: {violation}" for violation in verify(campaign=campaign)]
    return Restored(manifest, campaigns, tuple(broken))
