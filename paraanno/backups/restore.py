"""Put a backup in the place of a site."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from annotation.models import Campaign
from annotation.selectors.verify import verify
from paraanno.backups.databases import FILES, in_use_by, put_database, sqlite_file
from paraanno.backups.files import copy_file, top_names
from paraanno.backups.make import DATA
from paraanno.backups.manifest import BackupManifest, BackupRefused, damages, read_manifest
from paraanno.plain.renaming import move, put_in_place
from paraanno.running.prepare import RESTORING, migrate

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
    found = what_stands()
    if found and not replace and not mark.exists():
        raise BackupRefused(f"This site is not empty ({found}): --replace puts the backup there.")
    if others := in_use_by():
        raise BackupRefused(f"This site is in use by {others}: stop web servers and workers first.")
    if wrong := list(damages(folder, manifest)):
        raise BackupRefused("\n".join([*wrong, "Nothing was changed. Take another backup."]))
    if found and not agreed(found):
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
    found = []
    with connection.cursor() as cursor:
        for table in TELLING:
            if table in there:
                cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 (from TELLING)
                if n := cursor.fetchone()[0]:
                    found.append(f"{n} rows of {table}")
    return ", ".join(found)


def _check_kind(folder: Path, manifest: BackupManifest) -> None:
    """Refuse what this site cannot take: the other database, or tables of a newer version."""
    if manifest.database != connection.vendor:
        raise BackupRefused(
            f"{folder}: is of {manifest.database}, and this site's DATABASE_URL is of "
            f"{connection.vendor}. Set it to a database of the same kind."
        )
    if FILES[manifest.database] not in manifest.files:
        raise BackupRefused(f"{folder}: its list names no database.")
    known = MigrationLoader(None).disk_migrations
    newer = [one for one in manifest.migrations.items() if one not in known]
    if newer:
        raise BackupRefused(
            f"{folder}: was made by version {manifest.version} with tables that this version does "
            f"not know ({'.'.join(newer[0])}). Install that version first."
        )


def _copy_data(folder: Path, target: Path, manifest: BackupManifest) -> None:
    """On the disk of the data folder first, so that the exchange itself is renames alone."""
    target.mkdir()
    for name, kept in manifest.files.items():
        if name.startswith(f"{DATA}/"):
            copied = copy_file(folder / name, target / name.removeprefix(f"{DATA}/"))
            if copied != kept:
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
        broken += [f"{campaign.slug}: {found}" for found in verify(campaign=campaign)]
    return Restored(manifest, campaigns, tuple(broken))
