"""Files that metrics need: options that name them, reading them line by line, their SHA-256."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from scoring.metrics.base import Option

NONE = "none"
# Reading goes on after a problem, so that several are named at once, but not for ever.
MOST_PROBLEMS = 20
LONGEST_LINE = 1_000_000


class FileRefused(ValueError):
    """A file is not as it should be; `lines` has one text `FILE:LINE: what is wrong` for each
    problem, where line 0 is the file as a whole."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class Problems:
    """What is wrong with one file, collected."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: list[str] = []

    def add(self, line: int, message: str) -> None:
        """Note a problem; raises FileRefused with all of them once there are many."""
        self._lines.append(f"{self.path}:{line}: {message}")
        if len(self._lines) == MOST_PROBLEMS:
            raise FileRefused(*self._lines)

    def check(self) -> None:
        """Raise FileRefused if there are any."""
        if self._lines:
            raise FileRefused(*self._lines)


@dataclass(frozen=True, slots=True)
class FileOption(Option):
    """An option that names a file. `kind` is what the file holds (vectors, table, synonyms,
    counts); with the default `none` the metric works without it."""

    kind: str = ""

    def read(self, metric: str, given: object) -> str:
        """The path as given. Raises ValueError where a needed one is missing, FileRefused where
        there is no such file."""
        text = str(given).strip()
        if text == NONE and self.default == NONE:
            return NONE
        if not text:
            raise ValueError(
                f"{metric}: the option {self.name}=FILE is missing; {_lower(self.summary)}"
            )
        path = Path(text)
        if not path.exists():
            raise FileRefused(f"{text}:0: there is no such file; check {metric}'s {self.name}=.")
        return text


def data_folder() -> Path:
    """The folder that PARAANNO_DATA_DIR names, else `var` in the project."""
    named = os.environ.get("PARAANNO_DATA_DIR", "").strip()
    return Path(named).expanduser() if named else Path(__file__).resolve().parents[2] / "var"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def sha256(path: Path) -> str:
    """The SHA-256 of a file, read again only after it has changed."""
    try:
        about = path.stat()
        return _sha256(path, about.st_size, about.st_mtime_ns)
    except OSError as error:
        raise FileRefused(f"{path}:0: cannot be read ({error.strerror}).") from error


@lru_cache(maxsize=64)
def _sha256(path: Path, size: int, changed: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def text_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, in NFC, without line end; blank ones are passed over.

    UTF-8, with or without a byte order mark. A line that is not, or that holds a NUL, is noted.
    Raises FileRefused where the file cannot be read at all or a line has no end.
    """
    try:
        with path.open("rb") as stream:
            for number, raw in byte_lines(stream, path):
                text = _text(raw, number, problems)
                if text.strip():
                    yield number, text
    except OSError as error:
        raise FileRefused(f"{path}:0: cannot be read ({error.strerror}).") from error


def byte_lines(stream: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, without line end; FileRefused for one of over a megabyte."""
    number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            raise FileRefused(f"{path}:{number}: is over {LONGEST_LINE} bytes; break the line.")
        yield number, raw.removesuffix(b"\n").removesuffix(b"\r")


def _text(raw: bytes, number: int, problems: Problems) -> str:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        problems.add(number, "is not UTF-8; save the file as UTF-8.")
        return ""
    if "\0" in text:
        problems.add(number, "holds a NUL character; take it out.")
        return ""
    return unicodedata.normalize("NFC", text)


def table_rows(
    path: Path, problems: Problems, *, least: int, most: int
) -> Iterator[tuple[int, list[str]]]:
    """Rows of a tab-separated file without quotes; each cell without white space at its ends.

    A row with too few or too many cells, or an empty one, is noted and passed over.
    """
    wanted = f"{least}" if least == most else f"{least} to {most}"
    for number, line in text_lines(path, problems):
        cells = [cell.strip() for cell in line.split("\t")]
        if not least <= len(cells) <= most:
            problems.add(number, f"has {len(cells)} cells where {wanted} go; part them with tabs.")
        elif not all(cells):
            problems.add(number, "has an empty cell; fill it in or take the line out.")
        else:
            yield number, cells
