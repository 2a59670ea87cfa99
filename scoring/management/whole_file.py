"""Files that commands write under `-o`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """The file opened for bytes; after an error it is as it was before. Raises OSError.

    A link stays a link. What is no ordinary file (/dev/null, /dev/stdout, a pipe) must never be
    replaced by one, so it is written to directly.
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
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
