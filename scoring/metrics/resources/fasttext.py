"""Models of fastText (`.bin`), read by gensim once it is checked what they declare.

Models of strangers are read in the sandbox (sandboxed.py). gensim reads numbers and strings from
such a file and executes nothing of it (unlike its own `load`, which opens a pickle and is never
used).
"""

from __future__ import annotations

import json
import mmap
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import Sentence, say
from scoring.metrics.files import FileRefused

# What a model of fastText (`.bin`) declares, held against the file before anything is read.
#
# gensim believes a file: it looks for the end of a word beyond the end of the file, for ever, and
# asks for as many values as were declared. Here every declared number is compared with the bytes
# that are there: options, words (each a text that ends in NUL, a count, a kind), pruned pieces, and
# the two matrices.


LONGEST_WORD = 10_000  # bytes; fastText itself reads words of at most 1,024
MOST_DIMENSIONS = 10_000
_OPTIONS = struct.Struct("<14id")  # magic, version, then 12 options and the sampling threshold
_DIMENSION, _BUCKETS, _SHORTEST, _LONGEST = 2, 10, 11, 12
_VOCABULARY = struct.Struct("<3i2q")  # entries, words, labels, tokens, pruned pieces
_ENTRY = 9  # a count and a kind, after the word and its NUL
_MATRIX = struct.Struct("<?2q")  # quantised, rows, columns


def check_model(path: Path) -> None:
    """Raise FileRefused unless the file holds all that it declares."""
    with path.open("rb") as stream:
        head = stream.read(_OPTIONS.size + _VOCABULARY.size)
        if len(head) < _OPTIONS.size + _VOCABULARY.size:
            raise _refused(path, _cut(say("its head")))
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            _check(path, content)


def _check(path: Path, content: mmap.mmap) -> None:
    options = _OPTIONS.unpack_from(content)
    entries, words, labels, _, pruned = _VOCABULARY.unpack_from(content, _OPTIONS.size)
    dimension, buckets = options[_DIMENSION], options[_BUCKETS]
    whole = 1 <= dimension <= MOST_DIMENSIONS and entries >= 1 and min(buckets, words, labels) >= 0
    if not (whole and options[_SHORTEST] >= 0 and options[_LONGEST] < LONGEST_WORD):
        raise _refused(path, say("its numbers of words, values or pieces make no sense"))
    if labels:
        raise _refused(path, say("it was trained to classify texts, and holds labels"))
    at, size = _OPTIONS.size + _VOCABULARY.size, len(content)
    rows = entries + buckets
    least = at + (_ENTRY + 1) * entries + 8 * max(0, pruned) + _MATRIX.size + 4 * dimension * rows
    if size < least:
        raise _refused(
            path,
            say(
                "it declares %(words)s words and %(pieces)s pieces of %(n)s values, which take "
                "%(least)s bytes, and has %(size)s",
                words=entries,
                pieces=buckets,
                n=dimension,
                least=least,
                size=size,
            ),
        )
    for _ in range(entries):
        end = content.find(b"\0", at, at + LONGEST_WORD)
        if end < 0:
            raise _refused(path, _cut(say("a word")))
        at = end + 1 + _ENTRY
    at += 8 * max(0, pruned)
    at = _after_matrix(path, content, at, (rows, dimension))
    _after_matrix(path, content, at, (None, dimension))


def _after_matrix(path: Path, content: mmap.mmap, at: int, wanted: tuple[int | None, int]) -> int:
    if at + _MATRIX.size > len(content):
        raise _refused(path, _cut(say("its vectors")))
    quantised, rows, columns = _MATRIX.unpack_from(content, at)
    if quantised:
        raise _refused(path, say("it is quantised; use the one that is not"))
    if columns != wanted[1] or rows < 0 or wanted[0] not in (None, rows):
        raise _refused(path, say("its vectors do not belong to its words"))
    at += _MATRIX.size + 4 * rows * columns
    if at > len(content):
        raise _refused(path, _cut(say("its vectors")))
    return at


def _cut(where: Sentence) -> Sentence:
    return say("it ends inside %(where)s", where=where)


def _refused(path: Path, why: Sentence) -> FileRefused:
    return FileRefused.at(path, 0, unusable(why))


def unusable(why: str) -> Sentence:
    """The refusal of a model, with the reason."""
    return say("cannot be read as a model of fastText (%(why)s); is it complete?", why=why)


MAGIC = b"\xba\x16\x4f\x2f"
WORDS, VECTORS, PIECES, SUBWORDS = "words.json", "all.npy", "pieces.npy", "subwords.json"
_POLL_SECONDS = 0.2
_SECONDS_PER_GB = 20.0  # What reading takes, about: gensim tells no progress.
_MOST_SAID = 300  # Characters of what gensim says of a file.
_BOW, _EOW = "<", ">"
_PRIME, _START, _MASK = 16_777_619, 2_166_136_261, 0xFFFFFFFF


@dataclass(frozen=True, slots=True, eq=False)
class Subwords:
    """Vectors of pieces of words, from which fastText makes those of unknown words. `matrix`
    (buckets, size) float32; a piece has `shortest` to `longest` characters."""

    matrix: NDArray[np.float32]
    shortest: int
    longest: int
    _made: list[NDArray[np.float32]] = field(default_factory=list)
    _rows: dict[str, int | None] = field(default_factory=dict)

    def row(self, word: str) -> int | None:
        """A number for a word, for `of`; None for one without pieces, or whose pieces cancel out.
        It holds in this process alone."""
        if word not in self._rows:
            self._rows[word] = None
            pieces = [number % len(self.matrix) for number in hashes(word, self)]
            vector = self.matrix[pieces].mean(axis=0) if pieces else np.zeros(1, np.float32)
            length = float(np.sqrt(vector @ vector))
            if length > 0:
                self._rows[word] = len(self._made)
                self._made.append(np.asarray(vector / np.float32(length), dtype=np.float32))
        return self._rows[word]

    def of(self, row: int) -> NDArray[np.float32]:
        """The vector of that number, of unit length."""
        return self._made[row]


def hashes(word: str, cut: Subwords) -> list[int]:
    """The hash of each piece of a word with its marks of beginning and end, as fastText (FNV-1a
    over signed bytes)."""
    marked = f"{_BOW}{word}{_EOW}"
    numbers = []
    for first in range(len(marked)):
        last = min(len(marked), first + cut.longest)
        for end in range(first + cut.shortest, last + 1):
            number = _START
            for byte in marked[first:end].encode():
                signed = byte | 0xFFFFFF00 if byte > 127 else byte
                number = ((number ^ signed) * _PRIME) & _MASK
            numbers.append(number)
    return numbers


def is_model(path: Path) -> bool:
    """Whether a file begins as a model of fastText does."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def unpack(
    source: Path, folder: Path, *, progress: Callable[[float], None] = lambda share: None
) -> None:
    """Write the words of a model (WORDS), their vectors (VECTORS), those of pieces (PIECES) and how
    words are cut (SUBWORDS) into a folder; `progress` gets an estimate. Raises FileRefused."""
    check_model(source)
    from gensim.models.fasttext import load_facebook_vectors

    with _estimated(source.stat().st_size, progress):
        try:
            model: Any = load_facebook_vectors(str(source))
        except (ValueError, AssertionError, NotImplementedError, EOFError, struct.error) as error:
            raise FileRefused.at(source, 0, unusable(str(error)[:_MOST_SAID])) from error
    for name, matrix in ((VECTORS, model.vectors), (PIECES, model.vectors_ngrams)):
        if not np.isfinite(matrix).all():
            raise FileRefused.at(
                source, 0, say("a vector holds a value that is not a finite number.")
            )
        np.save(folder / name, matrix.astype("<f4", copy=False))
    words = [str(word) for word in model.index_to_key]
    (folder / WORDS).write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
    cut = {"shortest": int(model.min_n), "longest": int(model.max_n)}
    (folder / SUBWORDS).write_text(json.dumps(cut), encoding="utf-8")


@contextmanager
def _estimated(size: int, progress: Callable[[float], None]) -> Iterator[None]:
    """Tell by the clock how far a step is that tells nothing itself."""
    expected = 2 + _SECONDS_PER_GB * size / 2**30
    over = threading.Event()

    def tell() -> None:
        began = time.monotonic()
        while not over.wait(_POLL_SECONDS):
            progress(min(0.95, (time.monotonic() - began) / expected))

    teller = threading.Thread(target=tell, name="estimate", daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def mapped(folder: Path) -> Subwords | None:
    """The subwords of a store; None if it has none. Raises OSError and ValueError."""
    if not (folder / SUBWORDS).exists():
        return None
    about = json.loads((folder / SUBWORDS).read_text(encoding="utf-8"))
    matrix = np.load(folder / PIECES, mmap_mode="r", allow_pickle=False)
    if matrix.ndim != 2 or not len(matrix):
        raise ValueError(PIECES)
    return Subwords(np.asarray(matrix), int(about["shortest"]), int(about["longest"]))
