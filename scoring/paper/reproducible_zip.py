"""A zip file that is reproducible: equal contents give identical bytes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

EPOCH = (
    1980,
    1,
    1,
    0,
    0,
    0,
)  # The earliest time a zip can store; the current time would differ on each run.


class Bundle:
    """Files by name, and a manifest with their SHA-256 digests."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def add(self, name: str, content: str | bytes) -> None:
        """Add a file. Raises ValueError if the name is taken."""
        if name in self.files:
            raise ValueError(f"two files would be called {name}")
        self.files[name] = content.encode() if isinstance(content, str) else content

    def add_json(self, name: str, content: object) -> None:
        self.add(name, json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n")

    def add_table(self, name: str, header: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> int:
        """Add a CSV file, None as an empty cell, and return the number of rows."""
        stream = io.StringIO(newline="")
        writer = csv.DictWriter(stream, header, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        many = 0
        for row in rows:
            writer.writerow(row)
            many += 1
        self.add(name, stream.getvalue())
        return many

    def write(self, stream: BinaryIO, about: Mapping[str, Any]) -> None:
        """Write the zip with `manifest.json`: `about`, and the size and SHA-256 of every file."""
        listed = {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in sorted(self.files.items())
        }
        self.add_json("manifest.json", {**about, "files": listed})
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(self.files.items()):
                entry = zipfile.ZipInfo(name, EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
