"""Atomic writing of the folders that commands write under `-o`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paraanno.plain.renaming import put_in_place
from paraanno.plain.sentence import say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import ABOUT


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """An empty folder that takes this place when all is written; after an error nothing changes.

    A store that is there is replaced. Raises FileRefused where anything else is, OSError where
    nothing can be written.
    """
    path = path.resolve()
    if path.exists() and not _may_be_replaced(path):
        raise FileRefused.at(
            path, 0, say("is there already and is no store; give the name of a new folder.")
        )
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    try:
        yield draft
        if path.exists():
            shutil.rmtree(path)
        put_in_place(draft, path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _may_be_replaced(path: Path) -> bool:
    return path.is_dir() and ((path / ABOUT).is_file() or not any(path.iterdir()))
