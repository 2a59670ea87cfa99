"""Word vectors of unit length: read from word2vec, GloVe and fastText files, or mapped from disk.

A *store* is a folder with `vectors.npy` (float32, rows of unit length), `words.json` (a list
in the order of the rows) and `about.json`. It is mapped into memory, so that processes of
one machine share its pages, and holds nothing that Python would execute (a pickle would).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.files import FileOption, FileRefused, sha256
from scoring.metrics.stores import About
from scoring.metrics.vectors_reading import read_binary, read_text

Matrix = NDArray[np.float32]

VECTORS = FileOption(
    "vectors",
    "",
    "It names word vectors: a text file of word2vec, GloVe or fastText, a binary one of word2vec "
    "(.bin), or a store made from one.",
    kind="vectors",
)
_WORDS, _MATRIX = "words.json", "vectors.npy"
_ABOUT = About(frozenset({"words", "size"}), "is no store of vectors; make it anew.")


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Rows of unit length by word. Words whose vector is zero are not in it: they have no
    direction, so no cosine."""

    rows: Mapping[str, int]
    matrix: Matrix

    def known(self, words: Sequence[str]) -> list[int]:
        """The row of each word that has one, in order; the others are left out."""
        get = self.rows.get
        return [row for word in words if (row := get(word)) is not None]

    def of(self, rows: Sequence[int]) -> Matrix:
        """The vectors of rows, copied; twice as fast as an index."""
        return self.matrix.take(np.array(rows, dtype=np.intp), axis=0)


def load_vectors(path: str) -> Vectors:
    """The vectors of a file or a store; kept in memory while the file stays the same.

    Raises FileRefused where it is neither, or is damaged.
    """
    place = Path(path)
    return _loaded(place, vectors_sha256(path))


def vectors_sha256(path: str) -> str:
    """The SHA-256 of the file that the vectors came from, also for a store made from it."""
    return _ABOUT.sha256(path)


@lru_cache(maxsize=2)
def _loaded(place: Path, content: str) -> Vectors:
    return _mapped(place) if place.is_dir() else read_vectors(place)


def read_vectors(path: Path) -> Vectors:
    """Read a file into memory: `.bin` as word2vec's binary form, all else as text.

    Of a word that comes twice the first is taken. Takes about twice the matrix in memory.
    """
    rows: dict[str, int] = {}
    parts = []
    for words, matrix in _unit_blocks(path):
        rows.update(zip(words, range(len(rows), len(rows) + len(words)), strict=True))
        parts.append(matrix)
    return Vectors(rows, np.concatenate(parts))


def convert(
    source: Path, folder: Path, *, progress: Callable[[float], None] = lambda share: None
) -> dict[str, int]:
    """Write the store of a file into a folder, block by block: the matrix is never in memory.

    `progress` is told the share of the file that has been read. Returns the number of words and
    the size of a vector. Raises FileRefused as `read_vectors` does.
    """
    return _write(_unit_blocks(source, progress), folder, sha256(source))


def _unit_blocks(
    path: Path, progress: Callable[[float], None] = lambda share: None
) -> Iterator[tuple[list[str], Matrix]]:
    """Words that have not come before, with their unit vectors; none is zero."""
    seen: set[str] = set()
    for words, matrix, share in (read_binary if path.suffix == ".bin" else read_text)(path):
        lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
        if not np.isfinite(lengths).all():
            raise FileRefused(f"{path}:0: a vector holds a value that is no finite number.")
        kept = []
        for at, word in enumerate(words):
            if lengths[at] > 0 and word not in seen:
                seen.add(word)
                kept.append(at)
        if kept:
            units = matrix[kept] / lengths[kept, None].astype(np.float32)
            yield [words[at] for at in kept], units
        progress(share)
    if not seen:
        raise FileRefused(f"{path}:0: has no vector other than zero.")


def write_store(vectors: Vectors, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` comes last and makes it whole."""
    words = sorted(vectors.rows, key=vectors.rows.__getitem__)
    _write([(words, vectors.matrix)], folder, source_sha256)


def _write(
    blocks: Iterable[tuple[list[str], Matrix]], folder: Path, source_sha256: str
) -> dict[str, int]:
    folder.mkdir(parents=True, exist_ok=True)
    words: list[str] = []
    size = 0
    with (folder / _MATRIX).open("wb") as stream:
        for new, matrix in blocks:
            if not words:
                size = matrix.shape[1]
                _write_header(stream, 0, size)
            stream.write(matrix.astype("<f4", order="C", copy=False).data)
            words += new
        # Its length stays: numpy leaves room for the number of rows to grow.
        stream.seek(0)
        _write_header(stream, len(words), size)
    (folder / _WORDS).write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
    meta = {"words": len(words), "size": size}
    _ABOUT.write(folder, {"sha256": source_sha256, **meta})
    return meta


def _write_header(stream: BinaryIO, rows: int, size: int) -> None:
    about = {"descr": "<f4", "fortran_order": False, "shape": (rows, size)}
    np.lib.format.write_array_header_1_0(stream, about)


def _mapped(folder: Path) -> Vectors:
    about = _ABOUT.read(folder)
    try:
        matrix = np.load(folder / _MATRIX, mmap_mode="r", allow_pickle=False)
        words = json.loads((folder / _WORDS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileRefused(f"{folder}:0: is damaged ({error}); make the store anew.") from error
    if matrix.shape != (about["words"], about["size"]) or len(words) != about["words"]:
        raise FileRefused(f"{folder}:0: its files do not belong together; make the store anew.")
    # A plain view: slicing a memmap object costs several times as much.
    return Vectors({word: at for at, word in enumerate(words)}, np.asarray(matrix))
