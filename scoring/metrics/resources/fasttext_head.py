"""What a model of fastText (`.bin`) declares, held against the file before anything is read.

gensim believes a file: it looks for the end of a word beyond the end of the file, for ever, and
asks for as many values as were declared. Here every declared number is compared with the bytes that
are there: options, words (each a text that ends in NUL, a count, a kind), pruned pieces, and the
two matrices.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

from paraanno.plain.sentence import Sentence, say
from scoring.metrics.files import FileRefused

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
            say("it declares %(words)s words and %(pieces)s pieces of %(n)s values, which take "
                "%(least)s bytes, and has %(size)s", words=entries, pieces=buckets, n=dimension,
                least=least, size=size),
        )  # fmt: skip
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
