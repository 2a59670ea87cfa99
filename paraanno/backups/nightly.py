"""A backup every night, started by the timer of a worker, and the age of the newest one.

`PARAANNO_BACKUP_DIR` has a folder for each, named by its time (UTC). Of all hosts that share the
folder, one process does it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from filelock import FileLock, Timeout

from paraanno.backups.make import backup_make
from paraanno.backups.manifest import NAME, BackupRefused
from paraanno.plain.places import own_environment, own_program

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
