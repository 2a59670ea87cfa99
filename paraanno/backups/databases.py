"""Copies of a database while people save, and a copy in the place of a database, all or nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
from django.db import connection

from paraanno.backups.manifest import BackupRefused

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
        _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}",
              f"--dbname={_address()}"])  # fmt: skip
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
        said = [row[0] for row in copy.execute("PRAGMA quick_check")]
    if said != ["ok"]:
        raise BackupRefused(f"{file}: the database is damaged: {'; '.join(said[:3])}")


def _put_postgres(source: Path, scratch: Path) -> None:
    """The script is whole before it is run: half of one, ended in peace, would be committed."""
    from psycopg import sql

    script, drops = scratch / "database.sql", scratch / "drops.sql"
    _run(["pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(source)])
    tables = connection.introspection.table_names()
    dropped = sql.SQL(", ").join(sql.Identifier(name) for name in tables)
    statement = sql.SQL("DROP TABLE {} CASCADE;\n").format(dropped).as_string() if tables else ""
    drops.write_text(f"SET lock_timeout = '10s';\n{statement}", encoding="utf-8")
    connection.close()
    _run(["psql", "--no-psqlrc", "--quiet", "--single-transaction", "--output=/dev/null",
          "--set=ON_ERROR_STOP=1", f"--file={drops}", f"--file={script}",
          f"--dbname={_address()}"])  # fmt: skip


def _address() -> str:
    """Where the database is, as libpq writes it, without the password: others see arguments."""
    from psycopg.conninfo import make_conninfo

    given = connection.settings_dict
    options = {name: value for name, value in given["OPTIONS"].items() if name not in NOT_OF_LIBPQ}
    parts: dict[str, Any] = {
        "dbname": given["NAME"], "user": given["USER"], "host": given["HOST"],
        "port": given["PORT"],
    }  # fmt: skip
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
