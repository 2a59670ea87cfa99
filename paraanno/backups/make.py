"""Make a backup while the site runs."""

from __future__ import annotations

import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from paraanno import __version__
from paraanno.backups.databases import FILES, copy_database, sqlite_file
from paraanno.backups.files import Copier, kept_files
from paraanno.backups.manifest import BackupManifest, BackupRefused, measured, write_manifest

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
    files = {f"{DATA}/{path}": kept for path, kept in copier.copied.items()}
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
