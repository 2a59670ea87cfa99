"""Stores of converted resources: every store has `about.json`, written last to mark it complete,
with the SHA-256 of the source file; many texts in it are looked up by hash in memory-mapped arrays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from paraanno.common.sandbox.parent import Allowance, ReadingStopped, Unread, sandboxed
from paraanno.common.texts import Sentence, changed, say
from scoring.metrics.files import FileRefused, sha256, size_of
from scoring.metrics.resources import kinds

ABOUT = "about.json"
Loaded = TypeVar("Loaded")


@dataclass(frozen=True, slots=True)
class About:
    """The `about.json` of one kind of store: its required keys, and the errors for a folder that is
    not such a store, or that lacks a key."""

    keys: frozenset[str]
    none: Sentence
    incomplete: Sentence = say("is incomplete; create the store again.")

    def write(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Write `about.json`; call this after writing everything else."""
        (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")

    def read(self, folder: Path) -> dict[str, Any]:
        """Read `about.json`. Raises FileRefused."""
        try:
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise FileRefused.at(folder, 0, self.none) from error
        if not (isinstance(about, dict) and self.keys | {"sha256"} <= about.keys()):
            raise FileRefused.at(folder / ABOUT, 0, self.incomplete)
        return about

    def sha256(self, path: str) -> str:
        """The SHA-256 of a plain file, or of the source file of a store."""
        place = Path(path)
        return str(self.read(place)["sha256"]) if place.is_dir() else sha256(place)

    def cached(
        self, read: Callable[[Path, str], Loaded], *, size: int = 2
    ) -> Callable[[str], Loaded]:
        """Return a function that reads the file or store at a path, and reads it again only after
        it has changed; the last `size` are remembered.

        `read` gets the path and its `sha256`. Raises FileRefused for a path that is neither.
        """
        remembered = lru_cache(maxsize=size)(read)
        return lambda path: remembered(Path(path), self.sha256(path))


# Conversion of a file in the sandbox, whatever its kind.


# How many times the size of a file the largest file of its store may have, and its reader's memory.
# Measured over all kinds, the greediest took 1.5 and 36 (sentences linked by hand).
FILE, MEMORY = 16, 100
PULSE_SECONDS = 1.0


def convert(
    kind: str, source: Path, folder: Path, *, progress: Callable[[float], None]
) -> dict[str, int]:
    """The same as `kinds.convert`, in a process that has nothing else to lose.

    `progress` is called each second, whether or not it moves on. Raises FileRefused too for a file
    that takes more than one of its size may, and what `progress` raises, which ends the process.
    """
    place = str(source.absolute())
    allowed = Allowance.of(size_of(source), memory=MEMORY, file=FILE)
    counts: dict[str, int] = {}
    share = 0.0
    try:
        for update in sandboxed(
            f"{__name__}:converting",
            kind,
            place,
            str(folder.absolute()),
            allowed=allowed,
            pulse=PULSE_SECONDS,
        ):
            if isinstance(update, dict):
                counts = update
                continue
            share = share if update is None else float(update)
            progress(share)
    except ReadingStopped as stopped:
        raise FileRefused.at(source, 0, stopped.message) from stopped
    except Unread as refusal:
        message = changed(refusal.message, lambda text: text.replace(place, str(source)))
        raise FileRefused(message) from refusal
    return counts


def converting(tell: Callable[[object], None], kind: str, source: str, folder: str) -> None:
    """What the process does."""
    tell(kinds.convert(kind, Path(source), Path(folder), progress=tell))


# An index of many texts.


Ids = NDArray[np.int32]
Hashes = NDArray[np.uint64]
Number = TypeVar("Number", bound=np.number[Any])


@dataclass(frozen=True, slots=True, eq=False)
class TextIndex:
    """Distinct texts in the order of their hashes; the id of a text is its index.

    `hashes` (uint64); `starts` (int64, one more than texts) are offsets into `text` (UTF-8 bytes).
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
        """The id of each text, -1 if missing."""
        raws = [raw_bytes(text) for text in texts]
        hashes = as_hashes(b"".join(map(raw_hash, raws)))
        left = np.searchsorted(self.hashes, hashes)
        right = np.searchsorted(self.hashes, hashes, side="right")
        ids = [-1] * len(raws)
        for at in np.flatnonzero(left < right).tolist():
            # Two texts may share a hash: compare the bytes.
            for place in range(int(left[at]), int(right[at])):
                if self._bytes(place) == raws[at]:
                    ids[at] = place
        return ids

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
    """The start of each, and all of them in one array."""
    lengths = [0]
    whole = bytearray()
    for raw in raws:
        whole += raw
        lengths.append(len(whole))
    return np.array(lengths, dtype=np.int64), np.frombuffer(bytes(whole), dtype=np.uint8)


def mapped_index(folder: Path, name: str) -> TextIndex:
    """An index written by `save`; FileRefused if its files are incomplete."""
    hashes = mapped(folder / f"{name}-hashes.npy", np.uint64)
    starts = mapped(folder / f"{name}-starts.npy", np.int64)
    text = mapped(folder / f"{name}-text.npy", np.uint8)
    if len(starts) != len(hashes) + 1 or starts[-1] != len(text):
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return TextIndex(hashes, starts, text)


def mapped(path: Path, kind: type[Number]) -> NDArray[Number]:
    """A read-only memory-mapped array, shared by all processes."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise FileRefused.at(
            path, 0, say("is damaged (%(why)s); create the store again.", why=str(error))
        ) from error
    if array.dtype != kind or array.ndim != 1:
        raise FileRefused.at(
            path, 0, say("is not an array of the expected kind; create the store again.")
        )
    # A plain view: slicing a memmap object costs several times as much.
    return np.asarray(array)


def raw_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def raw_hash(raw: bytes) -> bytes:
    """A hash of eight bytes that is the same on every machine, unlike Python's `hash`."""
    return blake2b(raw, digest_size=8).digest()


def as_hashes(raw: bytes | bytearray) -> Hashes:
    """Concatenated hashes as numbers."""
    return np.frombuffer(raw, dtype="<u8").astype(np.uint64, copy=False)
