"""Stores of converted resources: every store has `about.json`, written last to mark it complete,
with the SHA-256 of the source file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraanno.plain.sentence import Sentence, say
from scoring.metrics.files import FileRefused, sha256

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
