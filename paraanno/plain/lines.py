"""Physical lines of a file, with checks of its encoding."""

from __future__ import annotations

import codecs
import io
import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from paraanno.plain.problems import ProblemLog
from paraanno.plain.sentence import Sentence, say

Source = BinaryIO | str | Path
MAX_LINE = 4_000_000
_BLOCK = 1 << 18
_BAD = re.compile("[\0\ud800-\udfff]")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")


class Lines:
    """Iterate once over the lines of a byte stream, each with its own line end.

    LF, CR LF and CR all end a line. A line that is not UTF-8 or contains a NUL is yielded too,
    because the following lines depend on its quotes; it is in `bad`, and `flaw` returns the reason.
    A line beyond `MAX_LINE` characters and a file in UTF-16 end the reading (`stopped`): the rest
    would be unreliable. The stream is read in blocks, because a call for each line would take
    longer than everything else. `number` counts the lines of the blocks read so far, and after the
    end those of the file.
    """

    def __init__(self, stream: BinaryIO, log: ProblemLog) -> None:
        self._stream = stream
        self._log = log
        self.bad: deque[tuple[int, int, str]] = deque()
        self.number = 0
        self.stopped = False

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._blocks())

    def flaw(self, first: int, last: int) -> Sentence | None:
        """Return the error of the lines from `first` to `last`; to be called in file order."""
        found: Sentence | None = None
        while self.bad and self.bad[0][0] <= last:
            line, at, character = self.bad.popleft()
            if found is None and line >= first:
                found = _flaw(line, at, character)
        return found

    def _blocks(self) -> Iterator[list[str]]:
        rest = ""
        for block in self._decoded():
            text = rest + block
            if self.number == 0 and self._is_no_text(text):
                return
            lines = io.StringIO(text, newline="").readlines()
            if len(lines[0]) > MAX_LINE:  # Later lines are not longer than a block.
                self._stop(
                    self.number + 1,
                    say(
                        "the line is longer than %(most)s characters and reading stopped here: "
                        "check the line ends, or split the text",
                        most=MAX_LINE,
                    ),
                )
                return
            # Its end may come with the next block, or the second half of a CR LF.
            rest = "" if lines[-1].endswith("\n") else lines.pop()
            self._look(text, lines)
            yield lines
        if rest:
            self._look(rest, [rest])
            yield [rest]

    def _decoded(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
        while data := self._stream.read(_BLOCK):
            if text := decoder.decode(data):
                yield text
        if text := decoder.decode(b"", final=True):
            yield text

    def _look(self, text: str, lines: list[str]) -> None:
        """Count the lines, which make up the text, and note the bad ones."""
        if (not text.isascii() or "\0" in text) and has_bad_character(text):
            for number, line in enumerate(lines, start=self.number + 1):
                bad = _BAD.search(line)
                if bad is not None:
                    self.bad.append((number, bad.start() + 1, bad.group()))
        self.number += len(lines)

    def _is_no_text(self, start: str) -> bool:
        if start.startswith(_UTF16):
            self._stop(1, say("the file is in UTF-16: save the file as UTF-8"))
        elif start.startswith("PK\x03\x04"):
            self._stop(1, say("this is a zip or spreadsheet file: save the sheet as CSV (UTF-8)"))
        return self.stopped

    def _stop(self, line: int, message: Sentence) -> None:
        self._log.error(line, message)
        self.stopped = True


def _flaw(line: int, at: int, character: str) -> Sentence:
    if character == "\0":
        return say(
            "there is a NUL character (line %(line)s, character %(at)s): remove it, or save "
            "the file as UTF-8",
            line=line,
            at=at,
        )
    return say(
        "the byte %(byte)s (line %(line)s, character %(at)s) is not UTF-8: save the file as UTF-8",
        byte=f"0x{ord(character) - 0xDC00:02X}",
        line=line,
        at=at,
    )


def has_bad_character(text: str) -> bool:
    """Return True for a text with a NUL or with a byte that is not UTF-8."""
    return _BAD.search(text) is not None


def cannot_be_read(error: OSError) -> Sentence:
    """Return the error for a file that cannot be opened or read."""
    return say(
        "the file cannot be read (%(why)s): check its name and who may read it",
        why=error.strerror or error,
    )


@contextmanager
def open_lines(source: Source, log: ProblemLog) -> Iterator[Lines]:
    """Yield the lines of a byte stream (left open) or of the file at a path (closed afterwards).

    Raises OSError if the file cannot be opened or read.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as stream:
            yield Lines(stream, log)
    else:
        yield Lines(source, log)
