"""Readers of word vector files: blocks of words with a float32 matrix as in the file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.files import FileRefused, Problems, byte_lines

# Some words, a row for each, and the share of the file that has been read by then.
Block = tuple[list[str], NDArray[np.float32], float]

_MARK = b"\xef\xbb\xbf"  # A byte order mark, which some editors put in front.
_MOST_DIMENSIONS = 10_000
_LONGEST_WORD = 10_000  # bytes
_BLOCK = 8192
_CHUNK = 2**24


def read_text(path: Path) -> Iterator[Block]:
    """word2vec or fastText text (first line: number of words and of values), or GloVe (none).

    A line is a word, a blank, and the values apart by blanks. A GloVe word may hold blanks.
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
        raise FileRefused(f"{path}:0: cannot be read ({error.strerror}).") from error
    problems.check()
    if header and header[0] != reader.count:
        raise FileRefused(_promise(path, header[0], reader.count))
    if not reader.count:
        raise FileRefused(f"{path}:1: has no vectors; give a text file of word2vec.")
    yield (*reader.block(), 1.0)


def _promise(path: Path, promised: int, count: int) -> str:
    return (
        f"{path}:1: promises {promised} words, but {count} follow; "
        "the file is cut or has been changed."
    )


def _header(line: bytes) -> tuple[int, int] | None:
    parts = line.split()
    if len(parts) == 2 and all(part.isdigit() for part in parts):
        return int(parts[0]), int(parts[1])
    return None


class _TextReader:
    """Collects rows in blocks, so that a header that promises too much reserves nothing."""

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
            self.problems.add(number, "should read word, blank, values; is it word2vec text?")
            return
        if not 1 <= size <= _MOST_DIMENSIONS or len(parts) <= size:
            self.problems.add(
                number, f"has {len(parts) - 1} values where {size} go; is it word2vec text?"
            )
            return
        self.size = size
        try:
            word = unicodedata.normalize("NFC", b" ".join(parts[:-size]).decode())
            values = np.fromstring(b" ".join(parts[-size:]), dtype=np.float32, sep=" ")
        except UnicodeDecodeError:
            self.problems.add(number, "is not UTF-8; save the file as UTF-8.")
            return
        except ValueError:
            values = np.empty(0, dtype=np.float32)
        if len(values) != size or not np.isfinite(values).all():
            self.problems.add(number, "has a value that is no finite number.")
            return
        self.count += 1
        self._words.append(word)
        self._rows.append(values)

    def block(self) -> tuple[list[str], NDArray[np.float32]]:
        """What has come since the last block."""
        words, rows = self._words, self._rows
        self._words, self._rows = [], []
        matrix = np.stack(rows) if rows else np.empty((0, self.size or 0), dtype=np.float32)
        return words, matrix


def read_binary(path: Path) -> Iterator[Block]:
    """word2vec's binary form: a first line as in text, then for each word its bytes, a blank, and
    its values as little-endian float32; a line end in front of a word is passed over."""
    try:
        with path.open("rb") as stream:
            total = path.stat().st_size
            header = _header(stream.readline(100))
            if header is None or not 1 <= header[1] <= _MOST_DIMENSIONS:
                raise FileRefused(
                    f"{path}:0: is no binary file of word2vec: its first line does not say how "
                    "many words and values follow; a text file must not be called .bin."
                )
            # Checked before anything is reserved: a header of a few bytes could promise terabytes.
            most = (total - stream.tell()) // (4 * header[1] + 1)
            if header[0] > most:
                raise FileRefused(_promise(path, header[0], most).replace("but", "but at most"))
            yield from _binary_blocks(stream, path, *header, total)
    except OSError as error:
        raise FileRefused(f"{path}:0: cannot be read ({error.strerror}).") from error


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
                raise FileRefused(_promise(path, count, number - 1))
        words.append(_word(buffer[at:end], number, path))
        matrix[len(words) - 1] = np.frombuffer(buffer, "<f4", size, end + 1)
        at = end + 1 + width
        if len(words) == len(matrix) or number == count:
            yield words, matrix[: len(words)].copy(), min(1.0, (read - len(buffer) + at) / total)
            words = []
    if (buffer[at:] + stream.read(_CHUNK)).strip():
        raise FileRefused(
            f"{path}:0: goes on after the {count} words that its first line promises; "
            "the file has been changed."
        )


def _word(raw: bytes, number: int, path: Path) -> str:
    try:
        return unicodedata.normalize("NFC", raw.lstrip(b"\n").decode())
    except UnicodeDecodeError as error:
        raise FileRefused(
            f"{path}:0: word {number} is not UTF-8; is it a binary file of word2vec?"
        ) from error
