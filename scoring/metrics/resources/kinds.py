"""Kinds of resources (files that metrics need). The module of a kind is imported when first
requested.

A kind is a function that checks a file and writes what metrics use of it:

    convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]

It writes into an empty folder, reports progress (0 to 1) to `progress`, returns counts of the
content (such as the number of words), and raises FileRefused for an invalid file. An option of that
kind takes the folder in place of the file. User files are read as plain data: nothing in them is
executed, so no pickle is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from pkgutil import resolve_name
from typing import Protocol

from paraanno.common.texts import Sentence, say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.fasttext import MAGIC as MODEL

_TARGETS = {
    "vectors": "scoring.metrics.resources.vectors:convert",
    "table": "scoring.building.paraphrases.features:convert",
    "translations": "scoring.metrics.resources.translations:convert",
    "synonyms": "scoring.metrics.resources.synonyms:convert",
    "counts": "scoring.metrics.phrases.google_distance:convert",
    "nbest": "scoring.metrics.combination.model_scores:convert",
    "corpus": "scoring.building.corpora:convert",
    "lm": "scoring.metrics.resources.arpa:convert",
    "parses": "scoring.building.labels:convert",
    "links": "scoring.building.alignment:convert",
    "aligned_pairs": "scoring.building.paraphrases.parametric:convert",
    "texts": "scoring.building.vectors:convert",
}


def _packed(how: str) -> Sentence:
    return say("is compressed (%(how)s); unpack it first.", how=how)


# First bytes of formats that are refused before parsing.
_BEGINNINGS = {
    b"\x1f\x8b": _packed("gzip"),
    b"PK\x03\x04": _packed("zip"),
    b"BZh": _packed("bzip2"),
    b"\xfd7zXZ\x00": _packed("xz"),
    b"\x28\xb5\x2f\xfd": _packed("zstd"),
    b"\x80\x02": say("is a Python pickle, which could run programs; save it as text."),
    b"\x80\x03": say("is a Python pickle, which could run programs; save it as text."),
    b"\x80\x04": say("is a Python pickle, which could run programs; save it as text."),
    b"\x80\x05": say("is a Python pickle, which could run programs; save it as text."),
    b"mmap lm ": say("is a binary file of KenLM; use the model in the ARPA format."),
    MODEL: say("is a fastText model, which holds word vectors and not what is needed here."),
    b"\xff\xfe": say("is UTF-16; save it as UTF-8."),
    b"\xfe\xff": say("is UTF-16; save it as UTF-8."),
}


class Convert(Protocol):
    """The function of a kind."""

    def __call__(
        self, source: Path, folder: Path, *, progress: Callable[[float], None]
    ) -> dict[str, int]: ...


def kinds() -> tuple[str, ...]:
    """All kinds, in display order."""
    return tuple(_TARGETS)


def convert(
    kind: str, source: Path, folder: Path, *, progress: Callable[[float], None]
) -> dict[str, int]:
    """Check a file and write its store into an empty folder.

    Raises ValueError for an unknown kind, and FileRefused if the file is not of that kind.
    """
    if kind not in _TARGETS:
        raise ValueError(f"There is no kind {kind}: use one of {', '.join(kinds())}.")
    converter: Convert = resolve_name(_TARGETS[kind])
    check_beginning(source, allowed=(MODEL,) if kind == "vectors" else ())
    return converter(source, folder, progress=progress)


def check_beginning(path: Path, *, allowed: Collection[bytes] = ()) -> None:
    """Raise FileRefused for an empty file, and for one that is packed or not plain text, unless it
    begins as is `allowed`."""
    try:
        with path.open("rb") as stream:
            head = stream.read(8)
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error
    if not head:
        raise FileRefused.at(path, 0, say("is empty; use a file with content."))
    for beginning, message in _BEGINNINGS.items():
        if head.startswith(beginning) and beginning not in allowed:
            raise FileRefused.at(path, 0, message)
