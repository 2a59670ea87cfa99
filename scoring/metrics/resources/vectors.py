"""Word vectors of unit length: read from word2vec, GloVe and fastText files, or memory-mapped.

A *store* is a folder with `vectors.npy` (float32, rows of unit length), `lengths.npy` (what the
lengths of the rows were; not in stores of earlier versions), `words.json` (a list in the order of
the rows), `about.json`, and of a model of fastText the vectors of pieces of words (fasttext.py). It
is memory-mapped, so that processes of one machine share its pages, and holds nothing that Python
would execute (unlike a pickle).
"""

from __future__ import annotations

import json
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.files import FileOption, FileRefused, Problems, byte_lines, sha256
from scoring.metrics.resources import fasttext, stores
from scoring.metrics.resources.fasttext import Subwords
from scoring.metrics.resources.stores import About

# Readers of word vector files: blocks of words with a float32 matrix as in the file.


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
        n=promised,
        found=count,
    )
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
                    n=header[0],
                    found=most,
                )
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


Matrix = NDArray[np.float32]
Lengths = NDArray[np.float64]
VectorsBlock = tuple[list[str], Matrix, Lengths]

VECTORS = FileOption(
    "vectors",
    "",
    say(
        "It names word vectors: a text file of word2vec, GloVe or fastText, a binary one of "
        "word2vec or fastText (.bin), or a store made from one."
    ),
    kind="vectors",
)
_WORDS, _MATRIX, _LENGTHS = fasttext.WORDS, "vectors.npy", "lengths.npy"
_ABOUT = About(frozenset({"words", "size"}), say("is not a store of vectors; create it again."))


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Rows of unit length by word, and the lengths that they had, if known. Words with a zero
    vector are left out: their cosine is undefined. With `subwords` other words have vectors too,
    in rows behind those of the matrix."""

    rows: Mapping[str, int]
    matrix: Matrix
    lengths: Lengths | None = None
    subwords: Subwords | None = None

    def row(self, word: str) -> int | None:
        """The row of a word, for `of`; None for one without a vector."""
        row = self.rows.get(word)
        if row is None and self.subwords is not None:
            made = self.subwords.row(word)
            return None if made is None else len(self.matrix) + made
        return row

    def rows_of(self, words: Sequence[str]) -> list[int]:
        """The rows of the known words, in order; unknown words are left out."""
        get = self.rows.get if self.subwords is None else self.row
        return [row for word in words if (row := get(word)) is not None]

    def of(self, rows: Sequence[int]) -> Matrix:
        """The vectors of rows, copied; twice as fast as fancy indexing."""
        indices, n = np.array(rows, dtype=np.intp), len(self.matrix)
        if self.subwords is None or not (indices >= n).any():
            return self.matrix.take(indices, axis=0)
        vectors = self.matrix.take(np.minimum(indices, n - 1), axis=0)
        for at in np.flatnonzero(indices >= n).tolist():
            vectors[at] = self.subwords.of(int(indices[at]) - n)
        return vectors


def _loaded(place: Path, content: str) -> Vectors:
    return _mapped(place) if place.is_dir() else read_vectors(place)


load_vectors = _ABOUT.cached(_loaded)
vectors_sha256 = _ABOUT.sha256


def read_vectors(path: Path) -> Vectors:
    """Read a file into memory: a model of fastText, else `.bin` as word2vec's binary format and
    anything else as text.

    A repeated word keeps its first vector. Needs about twice the memory of the matrix.
    """
    if fasttext.is_model(path):
        with tempfile.TemporaryDirectory() as folder:
            stores.convert("vectors", path, Path(folder), progress=lambda share: None)
            # What is mapped stays readable when its files are gone.
            return _mapped(Path(folder))
    rows: dict[str, int] = {}
    parts, lengths = [], []
    for words, matrix, long in _unit_blocks(path):
        rows.update(zip(words, range(len(rows), len(rows) + len(words)), strict=True))
        parts.append(matrix)
        lengths.append(long)
    return Vectors(rows, np.concatenate(parts), np.concatenate(lengths))


def convert(
    source: Path, folder: Path, *, progress: Callable[[float], None] = lambda share: None
) -> dict[str, int]:
    """Write the store of a file into a folder, block by block: the matrix is never entirely in
    memory.

    `progress` gets the share of the file that has been read. Returns the number of words and the
    size of a vector. Raises FileRefused like `read_vectors`.
    """
    if fasttext.is_model(source):
        folder.mkdir(parents=True, exist_ok=True)
        fasttext.unpack(source, folder, progress=progress)
        blocks = _unit_blocks(source, lambda share: None, _unpacked(folder))
    else:
        blocks = _unit_blocks(source, progress)
    return _write(blocks, folder, sha256(source))


def _unpacked(folder: Path) -> Iterator[Block]:
    """The words of a model of fastText; their first file is removed at the end."""
    words = json.loads((folder / fasttext.WORDS).read_text(encoding="utf-8"))
    matrix = np.load(folder / fasttext.VECTORS, mmap_mode="r", allow_pickle=False)
    for first in range(0, len(words), _BLOCK):
        part = slice(first, first + _BLOCK)
        yield words[part], np.array(matrix[part]), 1.0
    (folder / fasttext.VECTORS).unlink()


def _unit_blocks(
    path: Path,
    progress: Callable[[float], None] = lambda share: None,
    blocks: Iterator[Block] | None = None,
) -> Iterator[VectorsBlock]:
    """Blocks of new words with their unit vectors and the lengths that these had; zero vectors are
    left out."""
    seen: set[str] = set()
    if blocks is None:
        blocks = (read_binary if path.suffix == ".bin" else read_text)(path)
    for words, matrix, share in blocks:
        lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
        if not np.isfinite(lengths).all():
            raise FileRefused.at(
                path, 0, say("a vector holds a value that is not a finite number.")
            )
        indices = []
        for at, word in enumerate(words):
            if lengths[at] > 0 and word not in seen:
                seen.add(word)
                indices.append(at)
        if indices:
            units = matrix[indices] / lengths[indices, None].astype(np.float32)
            yield [words[at] for at in indices], units, lengths[indices]
        progress(share)
    if not seen:
        raise FileRefused.at(path, 0, say("has no vector other than zero."))


def write_store(vectors: Vectors, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` is written last and marks it
    complete."""
    words = sorted(vectors.rows, key=vectors.rows.__getitem__)
    lengths = np.empty(0) if vectors.lengths is None else vectors.lengths
    _write([(words, vectors.matrix, lengths)], folder, source_sha256)


def _write(blocks: Iterable[VectorsBlock], folder: Path, source_sha256: str) -> dict[str, int]:
    folder.mkdir(parents=True, exist_ok=True)
    words: list[str] = []
    lengths = []
    size = 0
    with (folder / _MATRIX).open("wb") as stream:
        for new, matrix, long in blocks:
            if not words:
                size = matrix.shape[1]
                _write_header(stream, 0, size)
            stream.write(matrix.astype("<f4", order="C", copy=False).data)
            words += new
            lengths.append(long)
        # Its length does not change: numpy leaves room for the number of rows.
        stream.seek(0)
        _write_header(stream, len(words), size)
    all_lengths = np.concatenate(lengths)
    if len(all_lengths) == len(words):
        np.save(folder / _LENGTHS, all_lengths)
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
        lengths = None
        if (folder / _LENGTHS).exists():
            lengths = np.asarray(np.load(folder / _LENGTHS, mmap_mode="r", allow_pickle=False))
        subwords = fasttext.mapped(folder)
    except (OSError, ValueError, KeyError) as error:
        raise FileRefused.at(
            folder, 0, say("is damaged (%(why)s); create the store again.", why=str(error))
        ) from error
    n = about["words"]
    if (
        matrix.shape != (n, about["size"])
        or len(words) != n
        or (lengths is not None and lengths.shape != (n,))
        or (subwords is not None and subwords.matrix.shape[1] != about["size"])
    ):
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    # A plain view: slicing a memmap object costs several times as much.
    return Vectors(
        {word: at for at, word in enumerate(words)}, np.asarray(matrix), lengths, subwords
    )
