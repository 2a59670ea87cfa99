"""Files that metrics need: options that name them, reading them line by line, their SHA-256."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from paraanno.common.texts import Sentence, changed, joined, say
from scoring.metrics.values import Option

NONE = "none"
# Reading continues after a problem, so that several are reported at once, up to a limit.
MOST_PROBLEMS = 20
LONGEST_LINE = 1_000_000


class FileRefused(ValueError):
    """A file is invalid; `lines` has one sentence `FILE:LINE: problem` for each problem, where line
    0 means the entire file."""

    def __init__(self, *lines: Sentence) -> None:
        super().__init__(joined("\n", lines))
        self.lines = lines

    @classmethod
    def at(cls, place: Path | str, line: int, message: Sentence) -> FileRefused:
        """A refusal for one problem."""
        return cls(_line(place, line, message))

    def named(self, place: str, name: str) -> FileRefused:
        """The same refusal with another name of the file."""
        return FileRefused(
            *(changed(one, lambda text: text.replace(place, name)) for one in self.lines)
        )


def _line(place: Path | str, line: int, message: Sentence) -> Sentence:
    return joined(": ", (f"{place}:{line}", message))


class Problems:
    """Collector of the problems of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: list[Sentence] = []

    def add(self, line: int, message: Sentence) -> None:
        """Add a problem; raises FileRefused with all of them once the limit is reached."""
        self._lines.append(_line(self.path, line, message))
        if len(self._lines) == MOST_PROBLEMS:
            raise FileRefused(*self._lines)

    def check(self) -> None:
        """Raise FileRefused if there are any."""
        if self._lines:
            raise FileRefused(*self._lines)


@dataclass(frozen=True, slots=True)
class FileOption(Option):
    """An option that names a file. `kind` is what the file holds (vectors, table, ...); with the
    default `none` the metric works without it."""

    kind: str = ""

    def read(self, metric: str, given: object) -> str:
        """The path as given. Raises ValueError if a required one is missing, FileRefused if the
        file does not exist."""
        text = str(given).strip()
        if text == NONE and self.default == NONE:
            return NONE
        if not text:
            raise ValueError(
                say(
                    "%(metric)s: the option %(option)s=FILE is missing. %(what)s",
                    metric=metric,
                    option=self.name,
                    what=self.summary,
                )
            )
        path = Path(text)
        if not path.exists():
            raise FileRefused.at(
                text,
                0,
                say(
                    "there is no such file; check %(metric)s's %(option)s=.",
                    metric=metric,
                    option=self.name,
                ),
            )
        return text


def sha256(path: Path) -> str:
    """The SHA-256 of a file, read again only after it has changed."""
    try:
        about = path.stat()
        return _sha256(path, about.st_size, about.st_mtime_ns)
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error


def size_of(path: Path) -> int:
    """The bytes of a file, at least 1; FileRefused if it cannot be read."""
    try:
        return max(1, path.stat().st_size)
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error


@lru_cache(maxsize=64)
def _sha256(path: Path, size: int, changed: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def text_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, in NFC, without line end; blank lines are skipped.

    UTF-8, with or without a byte order mark. A line that is not, or that holds a NUL, is a problem.
    Raises FileRefused if the file cannot be read or a line is too long.
    """
    return ((number, text) for number, text in all_lines(path, problems) if text.strip())


def all_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """The same with the blank lines, for files in which the number of a line counts."""
    try:
        with path.open("rb") as stream:
            for number, raw in byte_lines(stream, path):
                yield number, _text(raw, number, problems)
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error


def byte_lines(stream: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, without line end; FileRefused for one of over a megabyte."""
    number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            raise FileRefused.at(
                path, number, say("is over %(n)s bytes; break the line.", n=LONGEST_LINE)
            )
        yield number, raw.removesuffix(b"\n").removesuffix(b"\r")


def _text(raw: bytes, number: int, problems: Problems) -> str:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        problems.add(number, say("is not UTF-8; save the file as UTF-8."))
        return ""
    if "\0" in text:
        problems.add(number, say("holds a NUL character; take it out."))
        return ""
    return unicodedata.normalize("NFC", text)


def table_rows(
    path: Path, problems: Problems, *, least: int, most: int
) -> Iterator[tuple[int, list[str]]]:
    """Rows of a tab-separated file without quoting; cells are stripped.

    A row with too few or too many cells, or with an empty cell, is a problem and skipped.
    """
    for number, line in text_lines(path, problems):
        cells = [cell.strip() for cell in line.split("\t")]
        if not least <= len(cells) <= most:
            problems.add(number, _not_so_many(len(cells), least, most))
        elif not all(cells):
            problems.add(number, say("has an empty cell; fill it in or delete the line."))
        else:
            yield number, cells


def _not_so_many(n: int, least: int, most: int) -> Sentence:
    if least == most:
        return say(
            "has %(n)s cells instead of %(wanted)s; separate them with tabs.", n=n, wanted=most
        )
    return say(
        "has %(n)s cells instead of %(least)s to %(most)s; separate them with tabs.",
        n=n,
        least=least,
        most=most,
    )
