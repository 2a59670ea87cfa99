"""Many texts that are found by hash and never loaded: arrays that files are mapped into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.files import FileRefused

Ids = NDArray[np.int32]
Hashes = NDArray[np.uint64]
Number = TypeVar("Number", bound=np.number[Any])


@dataclass(frozen=True, slots=True, eq=False)
class TextIndex:
    """Distinct texts in the order of their hashes; the id of a text is its place.

    `hashes` (uint64), `starts` (int64, one more than texts) into `text` (the bytes in UTF-8).
    """

    hashes: Hashes
    starts: NDArray[np.int64]
    text: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.hashes)

    def __getitem__(self, at: int) -> str:
        return self._bytes(at).decode("utf-8", "surrogatepass")

    def _bytes(self, at: int) -> bytes:
        return self.text[self.starts[at] : self.starts[at + 1]].tobytes()

    def find(self, texts: Sequence[str]) -> list[int]:
        """The id of each text, -1 for one that is not here."""
        raws = [raw_bytes(text) for text in texts]
        hashes = as_hashes(b"".join(map(raw_hash, raws)))
        left = np.searchsorted(self.hashes, hashes)
        right = np.searchsorted(self.hashes, hashes, side="right")
        found = [-1] * len(raws)
        for at in np.flatnonzero(left < right).tolist():
            # Two texts may share a hash: the bytes decide.
            for place in range(int(left[at]), int(right[at])):
                if self._bytes(place) == raws[at]:
                    found[at] = place
        return found

    def save(self, folder: Path, name: str) -> None:
        for part in ("hashes", "starts", "text"):
            np.save(folder / f"{name}-{part}.npy", getattr(self, part), allow_pickle=False)


def index_of(texts: Sequence[str]) -> tuple[TextIndex, Ids]:
    """An index of distinct texts (at least one), and the id of each in the order given."""
    raws = [raw_bytes(text) for text in texts]
    hashes = as_hashes(b"".join(map(raw_hash, raws)))
    order = np.argsort(hashes, kind="stable")
    ids = np.empty(len(raws), dtype=np.int32)
    ids[order] = np.arange(len(raws), dtype=np.int32)
    starts, text = packed(raws[at] for at in order.tolist())
    return TextIndex(hashes[order], starts, text), ids


def packed(raws: Iterable[bytes]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Where each begins, and all of them in one array."""
    lengths = [0]
    whole = bytearray()
    for raw in raws:
        whole += raw
        lengths.append(len(whole))
    return np.array(lengths, dtype=np.int64), np.frombuffer(bytes(whole), dtype=np.uint8)


def mapped_index(folder: Path, name: str) -> TextIndex:
    """An index that `save` wrote; FileRefused where its files are not whole."""
    hashes = mapped(folder / f"{name}-hashes.npy", np.uint64)
    starts = mapped(folder / f"{name}-starts.npy", np.int64)
    text = mapped(folder / f"{name}-text.npy", np.uint8)
    if len(starts) != len(hashes) + 1 or starts[-1] != len(text):
        raise FileRefused(f"{folder}:0: its files do not belong together; make the store anew.")
    return TextIndex(hashes, starts, text)


def mapped(path: Path, kind: type[Number]) -> NDArray[Number]:
    """An array of a file, shared by all processes that map it, not to be written to."""
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise FileRefused(f"{path}:0: is damaged ({error}); make the store anew.") from error
    if found.dtype != kind or found.ndim != 1:
        raise FileRefused(f"{path}:0: is no array of the kind expected; make the store anew.")
    # A plain view: slicing a memmap object costs several times as much.
    return np.asarray(found)


def raw_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def raw_hash(raw: bytes) -> bytes:
    """Eight bytes that are the same on every machine, as those of Python's `hash` are not."""
    return blake2b(raw, digest_size=8).digest()


def as_hashes(raw: bytes | bytearray) -> Hashes:
    """Hashes one after the other as numbers."""
    return np.frombuffer(raw, dtype="<u8").astype(np.uint64, copy=False)
