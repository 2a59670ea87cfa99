"""Renames that survive a loss of power: what is renamed is synced first, and its folder after."""

from __future__ import annotations

import errno
import os
from pathlib import Path


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
