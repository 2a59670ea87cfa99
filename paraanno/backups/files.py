"""The files of the data folder that a backup keeps, and copies of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from paraanno.backups.manifest import BLOCK, Kept

# Made anew by a start, of the running processes alone, or (models) installed from elsewhere.
NOT_KEPT = {
    "backups", "broker", "heavy.wanted", "logs", "metrics", "models", "restoring", "static",
    "static.sha256", "supervisor.conf", "supervisor.pid", "tmp",
}  # fmt: skip
NOT_KEPT_ENDINGS = (".lock", ".part")


def top_names(data_dir: Path, database: Path | None) -> list[str]:
    """The names in the data folder that are kept, sorted; `database` is the file of SQLite."""
    own = {f"{database}{more}" for more in ("", "-wal", "-shm", "-journal")} if database else set()
    return sorted(
        entry.name
        for entry in os.scandir(data_dir)
        if entry.name not in NOT_KEPT
        and not entry.name.endswith(NOT_KEPT_ENDINGS)
        and str(data_dir / entry.name) not in own
    )


def kept_files(data_dir: Path, database: Path | None) -> Iterator[str]:
    """Yield the paths, within the data folder, of all files that are kept."""
    for name in top_names(data_dir, database):
        whole = data_dir / name
        if whole.is_file():
            yield name
        for folder, _, files in os.walk(whole):
            for file in sorted(files):
                path = Path(folder, file)
                if path.is_file():
                    yield path.relative_to(data_dir).as_posix()


class Copier:
    """Copies the kept files; a second round takes what is new or has changed since the first.

    What a row of the database names is there in one of both, if the rows are copied in between.
    """

    def __init__(self, data_dir: Path, target: Path, database: Path | None) -> None:
        self.data_dir, self.target, self.database = data_dir, target, database
        self.copied: dict[str, Kept] = {}
        self._seen: dict[str, tuple[int, int]] = {}

    def round(self) -> None:
        for name in kept_files(self.data_dir, self.database):
            source = self.data_dir / name
            try:
                found = source.stat()
                seen = (found.st_size, found.st_mtime_ns)
                if self._seen.get(name) == seen:
                    continue
                self.copied[name] = copy_file(source, self.target / name)
            except FileNotFoundError:
                continue  # It was removed just now: an export at the end of its days.
            self._seen[name] = seen


def copy_file(source: Path, target: Path) -> Kept:
    """Copy a file to where only its owner reads it."""
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as reading:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(handle, "wb") as writing:
            while block := reading.read(BLOCK):
                writing.write(block)
                digest.update(block)
                size += len(block)
    return Kept(size, digest.hexdigest())
