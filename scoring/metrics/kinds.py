"""Kinds of files that metrics need. The module of a kind is imported when it is first asked for.

A kind is a function that checks a file and writes what metrics use of it:

    convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]

It writes into an empty folder, tells `progress` the share that is done (0 to 1), returns numbers
about the content (how many words there are), and raises FileRefused for a file that is not as it
should be. A metric takes the folder where its option of that kind takes the file. Whatever a user
gives is read as plain data: nothing in it is ever executed, so no pickle is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Protocol

from scoring.metrics.files import FileRefused

_TARGETS = {
    "vectors": "scoring.metrics.vectors:convert",
    "table": "scoring.metrics.table:convert",
    "synonyms": "scoring.metrics.synonyms:convert",
    "counts": "scoring.metrics.page_counts:convert",
    "nbest": "scoring.metrics.nbest:convert",
}
# How files begin that look like something useful and are not; said before anything is parsed.
_BEGINNINGS = {
    b"\x1f\x8b": "is compressed (gzip); unpack it first.",
    b"PK\x03\x04": "is compressed (zip); unpack it first.",
    b"BZh": "is compressed (bzip2); unpack it first.",
    b"\xfd7zXZ\x00": "is compressed (xz); unpack it first.",
    b"\x28\xb5\x2f\xfd": "is compressed (zstd); unpack it first.",
    b"\x80\x02": "is a Python pickle, which could run programs; save it as text.",
    b"\x80\x03": "is a Python pickle, which could run programs; save it as text.",
    b"\x80\x04": "is a Python pickle, which could run programs; save it as text.",
    b"\x80\x05": "is a Python pickle, which could run programs; save it as text.",
    b"\xba\x16\x4f\x2f": "is a model of fastText; give its text file (.vec).",
    b"\xff\xfe": "is UTF-16; save it as UTF-8.",
    b"\xfe\xff": "is UTF-16; save it as UTF-8.",
}


class Convert(Protocol):
    """What a kind is."""

    def __call__(
        self, source: Path, folder: Path, *, progress: Callable[[float], None]
    ) -> dict[str, int]: ...


def kinds() -> tuple[str, ...]:
    """All kinds, in the order in which people look for them."""
    return tuple(_TARGETS)


def convert(
    kind: str, source: Path, folder: Path, *, progress: Callable[[float], None]
) -> dict[str, int]:
    """Check a file and write what metrics use of it into an empty folder.

    Raises ValueError for an unknown kind, and FileRefused where the file is not of it.
    """
    if kind not in _TARGETS:
        raise ValueError(f"There is no kind {kind}: use one of {', '.join(kinds())}.")
    module, _, name = _TARGETS[kind].partition(":")
    found: Convert = getattr(import_module(module), name)
    _check_beginning(source)
    return found(source, folder, progress=progress)


def _check_beginning(path: Path) -> None:
    try:
        with path.open("rb") as stream:
            head = stream.read(8)
    except OSError as error:
        raise FileRefused(f"{path}:0: cannot be read ({error.strerror}).") from error
    if not head:
        raise FileRefused(f"{path}:0: is empty; give a file that holds something.")
    for beginning, said in _BEGINNINGS.items():
        if head.startswith(beginning):
            raise FileRefused(f"{path}:0: {said}")
