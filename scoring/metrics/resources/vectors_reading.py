"""Readers of word vector files: blocks of words with a float32 matrix as in the file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.metrics.files import FileRefused, Problems, byte_lines

# Some words, a row for each, and the share of the file read so far.
Block = tuple[list[str], NDArray[np.float32], float]

_MARK = b"\xef\xbb\xbf"  # A byte order mark, which some editors add.
_MOST_DIMENSIONS = 10_000
_LONGEST_WORD = 10_000  # bytes
_BLOCK = 8192
_CHUNK = 2**24


def read_text(path: Path) -> Iterator[Block]:
    """Read text of word2vec or fastText (first line: numbers of words and of values), or GloVe (no
    such line).

    A line is a word and its values, separated by spaces. A GloVe word may contain spaces.
    """
    problems = Problems(path)
    try:
        with path.open("rb") as stream:
            total = max(1, path.stat().st_size)
            lines = byte_lines(stream, path)
            first = next(lines, (1, b""))[1]
            mark = len(_MARK) if first.startswith(_MARK) else 0
            header = _header(first[mark:])
            if header is None:
                stream.seek(mark)
                lines = byte_lines(stream, path)
            reader = _TextReader(problems, header[1] if header else None)
            for number, line in lines:
                reader.take(number, line)
                if reader.full:
                    yield (*reader.block(), min(1.0, stream.tell() / total))
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error
    problems.check()
    if header and header[0] != reader.count:
        raise _broken_promise(path, header[0], reader.count)
    if not reader.count:
        raise FileRefused.at(path, 1, say("has no vectors; use a text file of word2vec."))
    yield (*reader.block(), 1.0)


def _broken_promise(path: Path, promised: int, count: int) -> FileRefused:
    few = say(
        "declares %(n)s words, but %(found)s follow; the file is truncated or has been changed.",
        n=promised, found=count,
    )  # fmt: skip
    return FileRefused.at(path, 1, few)


def _header(line: bytes) -> tuple[int, int] | None:
    parts = line.split()
    if len(parts) == 2 and all(part.isdigit() for part in parts):
        return int(parts[0]), int(parts[1])
    return None


class _TextReader:
    """Collects rows in blocks, so that a false header does not allocate memory."""

    def __init__(self, problems: Problems, size: int | None) -> None:
        self.problems = problems
        self.size = size
        self.count = 0
        self._words: list[str] = []
        self._rows: list[NDArray[np.float32]] = []

    @property
    def full(self) -> bool:
        return len(self._words) == _BLOCK

    def take(self, number: int, line: bytes) -> None:
        parts = line.split()
        if not parts:
            return
        size = self.size or len(parts) - 1
        if not size:
            self.problems.add(number, say("should read word, space, values; is it word2vec text?"))
            return
        if not 1 <= size <= _MOST_DIMENSIONS or len(parts) <= size:
            self.problems.add(
                number,
                say(
                    "has %(n)s values instead of %(wanted)s; is it word2vec text?",
                    n=len(parts) - 1,
                    wanted=size,
                ),
            )
            return
        self.size = size
        try:
            word = unicodedata.normalize("NFC", b" ".join(parts[:-size]).decode())
            values = np.fromstring(b" ".join(parts[-size:]), dtype=np.float32, sep=" ")
        except UnicodeDecodeError:
            self.problems.add(number, say("is not UTF-8; save the file as UTF-8."))
            return
        except ValueError:
            values = np.empty(0, dtype=np.float32)
        if len(values) != size or not np.isfinite(values).all():
            self.problems.add(number, say("has a value that is not a finite number."))
            return
        self.count += 1
        self._words.append(word)
        self._rows.append(values)

    def block(self) -> tuple[list[str], NDArray[np.float32]]:
        """The rows since the last block."""
        words, rows = self._words, self._rows
        self._words, self._rows = [], []
        matrix = np.stack(rows) if rows else np.empty((0, self.size or 0), dtype=np.float32)
        return words, matrix


def read_binary(path: Path) -> Iterator[Block]:
    """Read word2vec's binary format: a first line as in text, then for each word its bytes, a
    space, and its values as little-endian float32; a line end before a word is skipped."""
    try:
        with path.open("rb") as stream:
            total = path.stat().st_size
            header = _header(stream.readline(100))
            if header is None or not 1 <= header[1] <= _MOST_DIMENSIONS:
                raise FileRefused.at(
                    path,
                    0,
                    say(
                        "is not a binary word2vec file: its first line does not give the "
                        "numbers of words "
                        "and values; a text file must not be called .bin."
                    ),
                )
            # Checked before allocation: a header of a few bytes could declare terabytes.
            most = (total - stream.tell()) // (4 * header[1] + 1)
            if header[0] > most:
                few = say(
                    "declares %(n)s words, but at most %(found)s follow; the file is "
                    "truncated or has "
                        "been changed.",
                    n=header[0], found=most,
                )  # fmt: skip
                raise FileRefused.at(path, 0, few)
            yield from _binary_blocks(stream, path, *header, total)
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error


def _binary_blocks(
    stream: BinaryIO, path: Path, count: int, size: int, total: int
) -> Iterator[Block]:
    width = 4 * size
    buffer, at, read = b"", 0, stream.tell()
    words: list[str] = []
    matrix = np.empty((min(_BLOCK, count), size), dtype=np.float32)
    for number in range(1, count + 1):
        end = buffer.find(b" ", at, at + _LONGEST_WORD)
        if end < 0 or end + 1 + width > len(buffer):
            more = stream.read(_CHUNK)
            read += len(more)
            buffer, at = buffer[at:] + more, 0
            end = buffer.find(b" ", 0, _LONGEST_WORD)
            if end < 0 or end + 1 + width > len(buffer):
                raise _broken_promise(path, count, number - 1)
        words.append(_word(buffer[at:end], number, path))
        matrix[len(words) - 1] = np.frombuffer(buffer, "<f4", size, end + 1)
        at = end + 1 + width
        if len(words) == len(matrix) or number == count:
            yield words, matrix[: len(words)].copy(), min(1.0, (read - len(buffer) + at) / total)
            words = []
    if (buffer[at:] + stream.read(_CHUNK)).strip():
        raise FileRefused.at(
            path,
            0,
            say(
                "continues after the %(n)s words declared in its first line; the file has been "
                "changed.",
                n=count,
            ),
        )


def _word(raw: bytes, number: int, path: Path) -> str:
    try:
        return unicodedata.normalize("NFC", raw.lstrip(b"\n").decode())
    except UnicodeDecodeError as error:
        raise FileRefused.at(
            path, 0, say("word %(n)s is not UTF-8; is it a binary file of word2vec?", n=number)
        ) from error
