"""The list of what a backup holds. It is written last: a backup that was cut off has none.

`manifest.json`: `format` (1), `version` of paraanno, `made_at` (UTC, ISO 8601), `database`
("sqlite" or "postgresql"), `has_key` (false where the site has its secret key from a variable, and
the backup has none), `migrations` (the newest of every app), and `files`: path within the backup ->
`size` in bytes and `sha256`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from paraanno.plain.renaming import put_in_place, sync

NAME = "manifest.json"
FORMAT = 1
BLOCK = 2**20


class BackupRefused(Exception):
    """Why a backup cannot be made or restored, and what to do."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One file of a backup: bytes and SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """What one backup holds; the module says what the fields mean."""

    version: str
    made_at: str
    database: str
    has_key: bool
    migrations: dict[str, str]
    files: dict[str, Kept]
    format: int = FORMAT

    @property
    def made(self) -> datetime:
        return datetime.fromisoformat(self.made_at)

    @property
    def size(self) -> int:
        return sum(one.size for one in self.files.values())


def write_manifest(folder: Path, manifest: BackupManifest) -> None:
    """Write it under its name at once and for good, after all other files are on the disk."""
    sync(folder)
    draft = folder / f"{NAME}.part"
    with draft.open("w", encoding="utf-8") as file:
        json.dump(asdict(manifest), file, indent=1, sort_keys=True)
    put_in_place(draft, folder / NAME)


def read_manifest(folder: Path) -> BackupManifest:
    """Return the list of a backup. Raises BackupRefused for a folder that is no whole backup."""
    path = folder / NAME
    if not folder.is_dir():
        raise BackupRefused(f"{folder}: there is no such folder.")
    if not path.exists():
        raise BackupRefused(
            f"{folder}: has no {NAME}: it is no backup, or one that was cut off. Take another."
        )
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
        if read["format"] != FORMAT:
            raise BackupRefused(
                f"{path}: has format {read['format']!r}, and this version reads {FORMAT}."
            )
        files = {str(name): Kept(**one) for name, one in read.pop("files").items()}
        manifest = BackupManifest(files=files, **read)
        manifest.made  # noqa: B018 (a wrong time shows here)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BackupRefused(f"{path}: cannot be read: {error!r}.") from error
    for name in manifest.files:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise BackupRefused(f"{path}: names a file outside of the backup: {name!r}.")
    return manifest


def damages(folder: Path, manifest: BackupManifest) -> Iterator[str]:
    """Yield a sentence for each file that is missing or is not as it was written."""
    for name, kept in sorted(manifest.files.items()):
        path = folder / name
        if not path.is_file():
            yield f"{path}: is missing."
        elif path.stat().st_size != kept.size:
            yield f"{path}: has {path.stat().st_size} bytes, not {kept.size}."
        elif measured(path).sha256 != kept.sha256:
            yield f"{path}: its content has changed (SHA-256)."


def measured(path: Path) -> Kept:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Kept(file.tell(), digest)
