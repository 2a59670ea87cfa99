"""Physical lines of a file of unknown quality."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from annotation.importers.problems import ProblemLog
from annotation.importers.told import Told, told

Source = BinaryIO | str | Path
MAX_LINE = 4_000_000
_BAD = re.compile("[\0\ud800-\udfff]")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")


class Lines:
    """Iterates over the lines of a byte stream, each with its line end as it stands.

    LF, CR LF and CR all end a line. `number` is the number of the newest line. A line that is not
    UTF-8 or holds a NUL is handed out all the same, because the lines after it depend on its
    quotes, and `flaw` then says what is wrong until `clear()`. A line beyond `MAX_LINE`
    characters and a file in UTF-16 end the reading (`stopped`): what follows has no sure meaning.
    """

    def __init__(self, stream: BinaryIO, log: ProblemLog) -> None:
        self._text = io.TextIOWrapper(
            stream, encoding="utf-8-sig", errors="surrogateescape", newline=""
        )
        self._log = log
        self.number = 0
        self.flaw: Told | None = None
        self.stopped = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = "" if self.stopped else self._text.readline(MAX_LINE + 1)
        if not line:
            raise StopIteration
        self.number += 1
        if self.number == 1:
            self._check_kind(line)
        if len(line) > MAX_LINE:
            self._stop(
                told(
                    "the line is longer than %(most)s characters and reading stopped here: check "
                    "the line ends, or split the text",
                    most=MAX_LINE,
                )
            )
        if self.stopped:
            raise StopIteration
        if not line.isascii() or "\0" in line:
            self._look(line)
        return line

    def clear(self) -> None:
        """Forget the flaw: a new record begins."""
        self.flaw = None

    def release(self) -> None:
        """Let go of the stream without closing it."""
        self._text.detach()

    def _stop(self, message: Told) -> None:
        self._log.error(self.number, message)
        self.stopped = True

    def _check_kind(self, line: str) -> None:
        if line.startswith(_UTF16):
            self._stop(told("the file is in UTF-16: save the file as UTF-8"))
        elif line.startswith("PK\x03\x04"):
            self._stop(told("this is a zip or spreadsheet file: save the sheet as CSV (UTF-8)"))

    def _look(self, line: str) -> None:
        bad = _BAD.search(line)
        if bad is None or self.flaw is not None:
            return
        at = bad.start() + 1
        if bad.group() == "\0":
            self.flaw = told(
                "there is a NUL character (line %(line)s, character %(at)s): remove it, or save "
                "the file as UTF-8",
                line=self.number,
                at=at,
            )
        else:
            self.flaw = told(
                "the byte %(byte)s (line %(line)s, character %(at)s) is not UTF-8: save the file "
                "as UTF-8",
                byte=f"0x{ord(bad.group()) - 0xDC00:02X}",
                line=self.number,
                at=at,
            )


def has_bad_character(text: str) -> bool:
    """True for a text with a NUL or with a byte that is not UTF-8."""
    return _BAD.search(text) is not None


@contextmanager
def open_lines(source: Source, log: ProblemLog) -> Iterator[Lines]:
    """The lines of a byte stream (left open) or of the file at a path (closed again).

    Raises OSError where the file cannot be opened or read.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as stream, _lines(stream, log) as lines:
            yield lines
    else:
        with _lines(source, log) as lines:
            yield lines


@contextmanager
def _lines(stream: BinaryIO, log: ProblemLog) -> Iterator[Lines]:
    lines = Lines(stream, log)
    try:
        yield lines
    finally:
        lines.release()
