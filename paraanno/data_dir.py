"""The data folder: everything that an instance without external services stores."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from paraanno.common.on_disk import put_where_none_is

PARTS = ("broker/queue", "broker/control", "broker/processed", "files", "static", "tmp", "logs")


def prepare_data_dir(path: Path) -> Path:
    """Make the folder and its subfolders, readable by their owner only; return its full path."""
    path = path.expanduser().resolve()
    try:
        for part in (path, path / "broker", *(path / name for name in PARTS)):
            part.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {path} cannot be made: {error}. "
            "Set PARAANNO_DATA_DIR to a folder that this user may write."
        ) from error
    return path


def kept_secret(path: Path) -> str:
    """Return the secret in `path`, which is made at the first call."""
    if not path.exists():
        _make_once(path, lambda draft: _write(draft, secrets.token_urlsafe(64)))
    return path.read_text(encoding="utf-8").strip()


def storage_id() -> str:
    """Return the text that tells this data folder from others; hosts that share it agree."""
    from django.conf import settings

    return kept_secret(Path(settings.DATA_DIR) / "storage_id")


def kept_database(path: Path) -> Path:
    """Return the SQLite file `path`, made in write-ahead mode if it does not exist.

    Changing a file to that mode does not wait for locks: if several processes connect to a new file
    at once, some fail with "database is locked". A file created in that mode needs no change.
    """
    if not path.exists():
        _make_once(path, _write_empty_database)
    return path


def _make_once(path: Path, write: Callable[[Path], None]) -> None:
    """Let exactly one of several processes that start together make the file `path`.

    The file appears under its name only when it is complete, so the others never read half of it.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        write(draft)
        put_where_none_is(draft, path)
    except FileExistsError:
        pass  # Another process was first, and its file is used.
    finally:
        draft.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _write_empty_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
