"""What every store of a file for metrics has: `about.json`, which is written last and makes it
whole, with the SHA-256 of the file that the store was made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.metrics.files import FileRefused, sha256

ABOUT = "about.json"


@dataclass(frozen=True, slots=True)
class About:
    """The `about.json` of one kind of store: the keys it must have, and what is said of a folder
    that is no such store, or of one that lacks a key."""

    keys: frozenset[str]
    none: str
    incomplete: str = "is incomplete; make the store anew."

    def write(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Write it: call this after everything else of the store."""
        (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")

    def read(self, folder: Path) -> dict[str, Any]:
        """What it says. Raises FileRefused."""
        try:
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise FileRefused(f"{folder}:0: {self.none}") from error
        if not (isinstance(about, dict) and self.keys | {"sha256"} <= about.keys()):
            raise FileRefused(f"{folder / ABOUT}:0: {self.incomplete}")
        return about

    def sha256(self, path: str) -> str:
        """The SHA-256 of a plain file, or of the one that a store was made from."""
        place = Path(path)
        return str(self.read(place)["sha256"]) if place.is_dir() else sha256(place)
