"""Word vectors of unit length: read from word2vec, GloVe and fastText files, or mapped from disk.

A *store* is a folder with `vectors.npy` (float32, rows of unit length), `words.json` (a list
in the order of the rows) and `about.json`. It is mapped into memory, so that processes of
one machine share its pages, and holds nothing that Python would execute (a pickle would).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.files import FileOption, FileRefused, sha256
from scoring.metrics.vectors_reading import read_binary, read_text

Matrix = NDArray[np.float32]

VECTORS = FileOption(
    "vectors",
    "",
    "It names word vectors: a text file of word2vec, GloVe or fastText, a binary one of word2vec "
    "(.bin), or a store made from one.",
    kind="vectors",
)
_ABOUT, _WORDS, _MATRIX = "about.json", "words.json", "vectors.npy"


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


def load_vectors(path: str) -> Vectors:
    """The vectors of a file or a store; kept in memory while the file stays the same.

    Raises FileRefused where it is neither, or is damaged.
    """
    place = Path(path)
    return _loaded(place, vectors_sha256(path))


def vectors_sha256(path: str) -> str:
    """The SHA-256 of the file that the vectors came from, also for a store made from it."""
    place = Path(path)
    return str(_about(place)["sha256"]) if place.is_dir() else sha256(place)


@lru_cache(maxsize=2)
def _loaded(place: Path, content: str) -> Vectors:
    return _mapped(place) if place.is_dir() else read_vectors(place)


def read_vectors(path: Path) -> Vectors:
    """Read a file into memory: `.bin` as word2vec's binary form, all else as text.

    Of a word that comes twice the first is taken. Takes about twice the matrix in memory.
    """
    words, matrix = read_binary(path) if path.suffix == ".bin" else read_text(path)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    if not np.isfinite(lengths).all():
        raise FileRefused(f"{path}:0: a vector holds a value that is no finite number.")
    rows: dict[str, int] = {}
    kept: list[int] = []
    for at, word in enumerate(words):
        if lengths[at] > 0 and word not in rows:
            rows[word] = len(kept)
            kept.append(at)
    if not kept:
        raise FileRefused(f"{path}:0: has no vector other than zero.")
    if len(kept) < len(words):
        matrix, lengths = matrix[kept], lengths[kept]
    matrix /= lengths[:, None].astype(np.float32)
    return Vectors(rows, matrix)


def write_store(vectors: Vectors, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` comes last and makes it whole."""
    folder.mkdir(parents=True, exist_ok=True)
    words = sorted(vectors.rows, key=vectors.rows.__getitem__)
    np.save(folder / _MATRIX, vectors.matrix, allow_pickle=False)
    (folder / _WORDS).write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
    about = {"sha256": source_sha256, "words": len(words), "size": vectors.matrix.shape[1]}
    (folder / _ABOUT).write_text(json.dumps(about), encoding="utf-8")


def _about(folder: Path) -> dict[str, object]:
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileRefused(f"{folder}:0: is no store of vectors; make it anew.") from error
    if not (isinstance(about, dict) and {"sha256", "words", "size"} <= about.keys()):
        raise FileRefused(f"{folder / _ABOUT}:0: is incomplete; make the store anew.")
    return about


def _mapped(folder: Path) -> Vectors:
    about = _about(folder)
    try:
        matrix = np.load(folder / _MATRIX, mmap_mode="r", allow_pickle=False)
        words = json.loads((folder / _WORDS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileRefused(f"{folder}:0: is damaged ({error}); make the store anew.") from error
    if matrix.shape != (about["words"], about["size"]) or len(words) != about["words"]:
        raise FileRefused(f"{folder}:0: its files do not belong together; make the store anew.")
    return Vectors({word: at for at, word in enumerate(words)}, matrix)
