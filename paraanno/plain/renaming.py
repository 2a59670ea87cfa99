"""Renames that survive a loss of power: the name is in the folder, so the folder is synced too."""

from __future__ import annotations

import os
from pathlib import Path


def put_in_place(draft: Path, path: Path) -> Path:
    """Give a complete file or folder the name under which it counts; return that path."""
    draft.replace(path)
    handle = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return path
