"""Writing an archive, row by row."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

from scoring.archives.form import DIGEST, MANIFEST, Manifest, TableFile

EPOCH = (1980, 1, 1, 0, 0, 0)  # Equal tables give equal bytes: no file has a time of its own.
CHUNK = 2**18
# PostgreSQL keeps no order of keys; sorted, they are the same whatever the database.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
)


class ArchiveWriter:
    """Writes tables one after another; `close` adds the manifest, without which no file counts.

    The stream need not be seekable. Memory: a quarter of a megabyte, and the longest row.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED)
        self._tables: dict[str, TableFile] = {}

    def add(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Write a table, one JSON array per line; return the number of rows."""
        digest, size, count = hashlib.sha256(), 0, 0
        lines: list[str] = []
        waiting = 0
        path = TableFile(name, (), 0, 0, "").member
        with self._zip.open(_entry(path), "w", force_zip64=True) as member:

            def flush() -> int:
                data = "".join(lines).encode()
                lines.clear()
                digest.update(data)
                member.write(data)
                return len(data)

            for row in rows:
                line = _ENCODER.encode(row) + "\n"
                lines.append(line)
                waiting += len(line)
                count += 1
                if waiting > CHUNK:
                    size += flush()
                    waiting = 0
            size += flush()
        self._tables[name] = TableFile(name, tuple(columns), count, size, digest.hexdigest())
        return count

    def close(self, about: Mapping[str, Any]) -> Manifest:
        """Write the manifest and its digest, and end the zip."""
        manifest = Manifest(about, self._tables)
        text = json.dumps(manifest.as_json(), ensure_ascii=False, indent=1) + "\n"
        self._zip.writestr(_entry(MANIFEST), text)
        self._zip.writestr(_entry(DIGEST), hashlib.sha256(text.encode()).hexdigest() + "\n")
        self._zip.close()
        return manifest


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
