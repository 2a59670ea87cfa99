"""A dictionary and a pile of rows on disk, so that memory does not grow with a file.

Both are temporary databases of SQLite without a name: the file is removed from its folder as soon
as it is opened, so that a killed process leaves nothing behind, and grows only if the data exceeds
the cache. They belong to one thread. What they hold is pickled by this process for this process.
`Disk` makes them, and closes all that it made.
"""

from __future__ import annotations

import errno
import os
import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, TypeVar

T = TypeVar("T")
V = TypeVar("V")
CACHE = 8 * 1024  # KiB of each


class DiskDict(Generic[V]):
    """A dictionary that only grows. Keys are texts, numbers, None, and tuples of them.

    Keys are told apart by a hash of their `repr` (128 bits): 1 and 1.0 differ, unlike in a dict.
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def get(self, key: object, default: Any = None) -> Any:
        row = self._base.execute("SELECT value FROM kept WHERE key = ?", (_hash(key),)).fetchone()
        return default if row is None else pickle.loads(row[0])  # noqa: S301 our own

    def __setitem__(self, key: object, value: V) -> None:
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        self._base.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (_hash(key), data))

    def setdefault(self, key: object, value: V) -> V:
        """Return the value of the key; store and return `value` if it has none."""
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        new = self._base.execute("INSERT OR IGNORE INTO kept VALUES (?, ?)", (_hash(key), data))
        if new.rowcount:
            return value
        stored: V = self.get(key)
        return stored


class DiskPile(Generic[T]):
    """Values in the order of their places; those of one place in the order of their adding."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base
        self._n = 0

    def __len__(self) -> int:
        return self._n

    def add(self, place: int, value: T) -> None:
        self._n += 1
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        self._base.execute("INSERT INTO kept VALUES (?, ?, ?)", (place, self._n, data))

    def pieces(self, size: int) -> Iterator[list[T]]:
        """Yield lists of `size` values or more: a place is never cut."""
        piece: list[T] = []
        last: int | None = None
        for place, data in self._base.execute("SELECT place, value FROM kept ORDER BY 1, number"):
            if len(piece) >= size and place != last:
                yield piece
                piece = []
            last = place
            piece.append(pickle.loads(data))  # noqa: S301 our own
        if piece:
            yield piece


class Disk:
    """Makes dictionaries and piles on disk, which are gone when its `with` statement ends."""

    def __init__(self) -> None:
        self._open = ExitStack()

    def __enter__(self) -> Disk:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def dict(self) -> DiskDict[Any]:
        return DiskDict(self._made("key BLOB PRIMARY KEY, value BLOB NOT NULL"))

    def pile(self) -> DiskPile[Any]:
        table = "place INT, number INT, value BLOB NOT NULL, PRIMARY KEY(place, number)"
        return DiskPile(self._made(table))

    def _made(self, table: str) -> sqlite3.Connection:
        return self._open.enter_context(closing(_open(table)))


def _open(table: str) -> sqlite3.Connection:
    base = sqlite3.connect("", isolation_level=None)
    for setting in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{CACHE}"):
        base.execute(f"PRAGMA {setting}")
    base.execute(f"CREATE TABLE kept ({table}) WITHOUT ROWID")
    base.execute("BEGIN")  # and never the end: pages are written when the cache is full
    return base


def _hash(key: object) -> bytes:
    return blake2b(repr(key).encode("utf-8", "surrogatepass"), digest_size=16).digest()


# Renames that survive a loss of power: what is renamed is synced first, and its folder after.


def put_in_place(draft: Path, path: Path) -> Path:
    """Give a complete file or folder the name under which it counts; return that path.

    Its contents are on the disk before the name is, and the name when this returns.
    Raises OSError.
    """
    sync(draft)
    return move(draft, path)


def put_where_none_is(draft: Path, path: Path) -> Path:
    """Like `put_in_place`, but a file that has the name keeps it. Raises FileExistsError then."""
    sync(draft)
    os.link(draft, path)
    _sync_one(path.parent)
    draft.unlink()
    return path


def move(source: Path, path: Path) -> Path:
    """Rename what is on the disk already; return the new path. Raises OSError."""
    source.replace(path)
    for folder in {path.parent, source.parent}:
        _sync_one(folder)
    return path


def sync(path: Path) -> None:
    """Have the disk write a file, or a folder with all that is in it. Links are not followed."""
    if path.is_dir():
        for folder, _, names in os.walk(path):
            for name in names:
                file = Path(folder, name)
                if file.is_file() and not file.is_symlink():
                    _sync_one(file)
            _sync_one(Path(folder))
    else:
        _sync_one(path)


def _sync_one(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        # Some network file systems sync no folders; they keep names in their own way.
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(handle)
