"""Stores of converted resources: every store has `about.json`, written last to mark it complete,
with the SHA-256 of the source file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraanno.common.sandbox.parent import Allowance, ReadingStopped, Unread, sandboxed
from paraanno.common.texts import Sentence, changed, say
from scoring.metrics.files import FileRefused, sha256, size_of
from scoring.metrics.resources import kinds

ABOUT = "about.json"


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
