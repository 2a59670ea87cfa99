"""Which errors say that a file cannot be decoded, so that they are refusals and no faults.

Readers word what people get wrong. What a decoder below them (of zip, XML, JSON, an encoding)
raises at bytes that nobody thought of is worded here, once: pages, API and workers ask `unreadable`
about each error that nothing else explains. It is one if a reader was at work, and if only decoders
raise such an error, or a decoder raised it. An error of our own code stays a fault.
"""

from __future__ import annotations

import binascii
import csv
import json
import struct
import types
import zipfile
import zlib
from collections.abc import Iterator
from lzma import LZMAError
from xml.parsers.expat import ExpatError

from paraanno.common.texts import Sentence, say

# Rooms whose modules read what strangers send.
READERS = (
    "annotation.importers",
    "paraanno.common",
    "scoring.archives.file_format",
    "scoring.building.alignment",
    "scoring.building.corpora",
    "scoring.building.labels",
    "scoring.building.paraphrases",
    "scoring.building.vectors",
    "scoring.metrics.scored",
    "scoring.metrics.phrases",
    "scoring.metrics.resources",
    "scoring.stats.shared_tasks",
    "scoring.stats.terminal",
)
# What only decoders raise ...
DECODING = (
    UnicodeError,
    json.JSONDecodeError,
    RecursionError,
    EOFError,
    csv.Error,
    struct.error,
    zlib.error,
    LZMAError,
    binascii.Error,
    ExpatError,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
)
# ... and what says so if a decoder raised it: a place or a name that the file gives wrongly.
MISLED = (ValueError, LookupError, ArithmeticError, NotImplementedError, OSError)
DECODERS = (
    "bz2",
    "codecs",
    "csv",
    "encodings",
    "gzip",
    "json",
    "lzma",
    "python_calamine",
    "struct",
    "xml",
    "yaml",
    "zipfile",
)


def unreadable(error: BaseException) -> Sentence | None:
    """Return why a file cannot be read, for the error of a decoder below a reader; else None."""
    modules = list(_modules(error.__traceback__))
    if not any(_is_of(module, READERS) for module in modules):
        return None
    misled = isinstance(error, MISLED) and _is_of(modules[-1], DECODERS)
    if not (misled or isinstance(error, DECODING)):
        return None
    return say(
        "the file cannot be read (%(why)s): it is truncated or damaged; save it again",
        why=_why(error),
    )


def _modules(trace: types.TracebackType | None) -> Iterator[str]:
    while trace is not None:
        yield str(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next


def _is_of(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def _why(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return say("it is nested too deep")
    # Without the bytes and places of the server that some errors show.
    text = (
        error.reason if isinstance(error, UnicodeError) and hasattr(error, "reason") else str(error)
    )
    return " ".join(str(text).split())[:100] or type(error).__name__
