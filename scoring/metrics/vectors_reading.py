"""Readers of word vector files: words and a float32 matrix as they stand in the file."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.files import FileRefused, Problems, byte_lines

Raw = tuple[list[str], NDArray[np.float32]]

_MARK = b"\xef\xbb\xbf"  # A byte order mark, which some editors put in front.
_MOST_DIMENSIONS = 10_000
_BLOCK = 65_536


def read_text(path: Path) -> Raw:
    """word2vec or fastText text (first line: number of words and of values), or GloVe (none).

    A line is a word, a blank, and the values apart by blanks. A GloVe word may hold blanks.
    """
    problems = Problems(path)
    try:
        with path.open("rb") as stream:
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
    except OSError as error:
        raise FileRefused(f"{path}:0: cannot be read ({error.strerror}).") from error
    problems.check()
    words, matrix = reader.result()
    if header and header[0] != len(words):
        raise FileRefused(
            f"{path}:1: promises {header[0]} words, but {len(words)} follow; "
            "the file is cut or has been changed."
        )
    if not words:
        raise FileRefused(f"{path}:1: has no vectors; give a text file of word2vec.")
    return words, matrix


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
        self.words: list[str] = []
        self.blocks: list[NDArray[np.float32]] = []

    def take(self, number: int, line: bytes) -> None:
        parts = line.split()
        if not parts:
            return
        size = self.size or len(parts) - 1
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
        at = len(self.words) % _BLOCK
        if at == 0:
            self.blocks.append(np.empty((_BLOCK, size), dtype=np.float32))
        self.blocks[-1][at] = values
        self.words.append(word)

    def result(self) -> Raw:
        if not self.words:
            return [], np.empty((0, 0), dtype=np.float32)
        last = len(self.words) - _BLOCK * (len(self.blocks) - 1)
        self.blocks[-1] = self.blocks[-1][:last]
        return self.words, np.concatenate(self.blocks)


def read_binary(path: Path) -> Raw:
    """word2vec's binary form, by gensim."""
    from gensim.models import KeyedVectors

    try:
        found = KeyedVectors.load_word2vec_format(str(path), binary=True)
    except (OSError, ValueError, EOFError, MemoryError, UnicodeDecodeError) as error:
        raise FileRefused(f"{path}:0: is no binary file of word2vec ({error}).") from error
    words = [unicodedata.normalize("NFC", word) for word in found.index_to_key]
    return words, np.array(found.vectors, dtype=np.float32)
