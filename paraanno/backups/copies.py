"""Copies of a database while people save, and a copy in the place of a database, all or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

import psutil
from django.db import connection

from paraanno.common.on_disk import put_in_place, sync

# The list of what a backup holds. It is written last: a backup that was cut off has none.
#
# `manifest.json`: `format` (1), `version` of paraanno, `made_at` (UTC, ISO 8601), `database`
# ("sqlite" or "postgresql"), `has_key` (false where the site has its secret key from a variable,
# and the backup has none), `migrations` (the newest of every app), and `files`: path within the
# backup -> `size` in bytes and `sha256`.


NAME = "manifest.json"
FORMAT = 1
BLOCK = 2**20


class BackupRefused(Exception):
    """Why a backup cannot be made or restored, and what to do."""


@dataclass(frozen=True, slots=True)
class BackupFile:
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
    files: dict[str, BackupFile]
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
        files = {str(name): BackupFile(**one) for name, one in read.pop("files").items()}
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
    for name, entry in sorted(manifest.files.items()):
        path = folder / name
        if not path.is_file():
            yield f"{path}: is missing."
        elif path.stat().st_size != entry.size:
            yield f"{path}: has {path.stat().st_size} bytes, not {entry.size}."
        elif measured(path).sha256 != entry.sha256:
            yield f"{path}: its content has changed (SHA-256)."


def measured(path: Path) -> BackupFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return BackupFile(file.tell(), digest)


FILES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
PAGES = 1024  # of one step: 4 MB
# Of Django or of this site, and nothing that PostgreSQL's programs know.
NOT_OF_LIBPQ = {"server_side_binding", "prepare_threshold", "pool", "isolation_level"}


def sqlite_file() -> Path | None:
    """The file of SQLite; None on PostgreSQL."""
    return Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None


def copy_database(target: Path) -> None:
    """Write the database as it is now to the new file `target`; nobody waits for it.

    Raises BackupRefused if that cannot be done.
    """
    file = sqlite_file()
    if file is None:
        _run(
            [
                "pg_dump",
                "--format=custom",
                "--no-owner",
                "--no-privileges",
                f"--file={target}",
                f"--dbname={_address()}",
            ]
        )
        target.chmod(0o600)
    else:
        try:
            _copy_sqlite(file, target)
        except sqlite3.Error as error:
            raise BackupRefused(f"{file}: cannot be copied: {error}.") from error


def put_database(source: Path, *, scratch: Path) -> None:
    """Put a copy in the place of the whole database, in one transaction. `scratch`: a folder."""
    connection.close()
    file = sqlite_file()
    if file is None:
        _put_postgres(source, scratch)
        return
    address = f"file:{quote(str(source))}?mode=ro&immutable=1"
    try:
        with (
            closing(sqlite3.connect(address, uri=True)) as copy,
            closing(sqlite3.connect(file, timeout=10)) as live,
        ):
            copy.backup(live)
    except sqlite3.Error as error:
        raise BackupRefused(f"{file}: the backup cannot be written there: {error}.") from error


def in_use_by() -> str:
    """What else has the database open, in words; empty if nothing has."""
    file = sqlite_file()
    if file is None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            others = cursor.fetchone()[0]
        return f"{others} other connections to the database" if others else ""
    for process in psutil.process_iter():
        try:
            opened = process.pid != os.getpid() and process.open_files()
        except (psutil.Error, OSError):
            continue  # Of another user, who may not read this file either, or ended just now.
        if opened and any(one.path == str(file.resolve()) for one in opened):
            return f"process {process.pid} ({process.name()})"
    return ""


def _copy_sqlite(file: Path, target: Path) -> None:
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with (
        closing(sqlite3.connect(file, isolation_level=None, timeout=20)) as live,
        closing(sqlite3.connect(target, isolation_level=None)) as copy,
    ):
        # What is read stays as it is from here on. Without it, each save by another process would
        # make the copy begin again, and on a busy site it would never end.
        live.execute("BEGIN")
        live.execute("SELECT count(*) FROM sqlite_master").fetchone()
        live.backup(copy, pages=PAGES)
        live.execute("ROLLBACK")
        messages = [row[0] for row in copy.execute("PRAGMA quick_check")]
    if messages != ["ok"]:
        raise BackupRefused(f"{file}: the database is damaged: {'; '.join(messages[:3])}")


def _put_postgres(source: Path, scratch: Path) -> None:
    """The script is whole before it is run: half of one, ended in peace, would be committed."""
    from psycopg import sql

    script, drops = scratch / "database.sql", scratch / "drops.sql"
    _run(["pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(source)])
    tables = connection.introspection.table_names()
    dropped = sql.SQL(", ").join(sql.Identifier(name) for name in tables)
    statement = sql.SQL("DROP TABLE {} CASCADE;\n").format(dropped).as_string() if tables else ""
    for name in _own_functions():
        statement += f"DROP FUNCTION {name} CASCADE;\n"
    drops.write_text(f"SET lock_timeout = '10s';\n{statement}", encoding="utf-8")
    connection.close()
    _run(
        [
            "psql",
            "--no-psqlrc",
            "--quiet",
            "--single-transaction",
            "--output=/dev/null",
            "--set=ON_ERROR_STOP=1",
            f"--file={drops}",
            f"--file={script}",
            f"--dbname={_address()}",
        ]
    )


def _own_functions() -> list[str]:
    """The functions that triggers call, with their arguments; not those of extensions."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid::regprocedure::text FROM pg_proc"
            " WHERE pronamespace = current_schema()::regnamespace AND NOT EXISTS (SELECT 1 FROM"
            " pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid"
            " AND deptype = 'e')"
        )
        return [name for (name,) in cursor.fetchall()]


def _address() -> str:
    """Where the database is, as libpq writes it, without the password: others see arguments."""
    from psycopg.conninfo import make_conninfo

    given = connection.settings_dict
    options = {name: value for name, value in given["OPTIONS"].items() if name not in NOT_OF_LIBPQ}
    parts: dict[str, Any] = {
        "dbname": given["NAME"],
        "user": given["USER"],
        "host": given["HOST"],
        "port": given["PORT"],
    }
    return make_conninfo(**options, **{name: value for name, value in parts.items() if value})


def _run(command: Sequence[str]) -> None:
    """Run a program of PostgreSQL. Raises BackupRefused where it is missing or fails."""
    if shutil.which(command[0]) is None:
        raise BackupRefused(
            f"{command[0]} is missing: install PostgreSQL's client programs (Debian: "
            "postgresql-client), of the server's version or a newer one."
        )
    password = connection.settings_dict["PASSWORD"]
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    done = subprocess.run(  # noqa: S603 (the programs named above)
        command, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise BackupRefused(f"{command[0]} failed: {done.stderr.strip()[-2000:]}")


# The files of the data folder that a backup keeps, and copies of them.


# Made anew by a start, of the running processes alone, or (models) installed from elsewhere.
NOT_KEPT = {
    "backups",
    "broker",
    "heavy.wanted",
    "logs",
    "metrics",
    "models",
    "restoring",
    "static",
    "static.sha256",
    "supervisor.conf",
    "supervisor.pid",
    "tmp",
}
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
        self.copied: dict[str, BackupFile] = {}
        self._seen: dict[str, tuple[int, int]] = {}

    def round(self) -> None:
        for name in kept_files(self.data_dir, self.database):
            source = self.data_dir / name
            try:
                status = source.stat()
                seen = (status.st_size, status.st_mtime_ns)
                if self._seen.get(name) == seen:
                    continue
                self.copied[name] = copy_file(source, self.target / name)
            except FileNotFoundError:
                continue  # It was removed just now: an export at the end of its days.
            self._seen[name] = seen


def copy_file(source: Path, target: Path) -> BackupFile:
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
    return BackupFile(size, digest.hexdigest())
