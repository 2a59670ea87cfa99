"""Atomic writing of the files that commands write under `-o`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from paraanno.plain.renaming import put_in_place


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open the file for bytes; after an error it is unchanged. Raises OSError.

    A link stays a link. Anything but an ordinary file (/dev/null, /dev/stdout, a pipe) is written
    directly, because it must not be replaced by an ordinary file.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    path = path.resolve()
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as stream:
            yield stream
        put_in_place(draft, path)
    finally:
        draft.unlink(missing_ok=True)
