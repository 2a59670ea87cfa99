"""Reading an archive that may come from a stranger.

Nothing is unpacked to disk, no path of the file is used, and nothing in it is ever run. Sizes,
ratios, names and numbers of rows are checked from the directory of the zip before a byte is
unpacked; while reading, no more is unpacked than was said.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from paraanno.plain.sentence import say
from scoring.archives.form import (
    DIGEST,
    MANIFEST,
    MANIFEST_MOST,
    ArchiveRefused,
    Limits,
    Manifest,
    TableFile,
)

Row = list[Any]
ENCRYPTED = 0x1


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)  # NaN is no number that can be kept.


@dataclass(frozen=True, slots=True)
class Archive:
    """An open archive whose manifest is valid; the stream stays the caller's."""

    manifest: Manifest
    limits: Limits
    _zip: zipfile.ZipFile

    def rows(self, name: str) -> Iterator[Row]:
        """The rows of a table; none if there is no such table.

        Raises ArchiveRefused, with the table and line, for a row that is no list of as many cells
        as columns, and at the end for a file that is not as the manifest says.
        """
        table = self.manifest.tables.get(name)
        if table is not None:
            yield from self._read(table)

    def check(self) -> None:
        """Read everything once. Raises ArchiveRefused unless all of it is as it was written."""
        for name in self.manifest.tables:
            for _row in self.rows(name):
                pass

    def _read(self, table: TableFile) -> Iterator[Row]:
        digest, count, wide = hashlib.sha256(), 0, len(table.columns)
        try:
            with self._zip.open(table.member) as member:
                while line := member.readline(self.limits.line + 1):
                    digest.update(line)
                    count += 1
                    if count > table.rows:
                        break
                    yield _row(line, table, count, wide, self.limits.line)
        except ArchiveRefused:  # A ValueError too, and told already.
            raise
        except (
            zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError,
        ) as error:  # fmt: skip
            raise _damaged(table) from error
        if count != table.rows or digest.hexdigest() != table.sha256:
            raise _damaged(table)


def _damaged(table: TableFile) -> ArchiveRefused:
    return ArchiveRefused(
        say("it was truncated or changed: %(file)s is not as it was written", file=table.member)
    )


def _row(line: bytes, table: TableFile, number: int, wide: int, most: int) -> Row:
    where = {"file": table.member, "line": number}
    if len(line) > most:
        raise ArchiveRefused(say("%(file)s, line %(line)s: the line is too long", **where))
    try:
        row = _DECODER.decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise ArchiveRefused(say("%(file)s, line %(line)s is no JSON", **where)) from error
    if not isinstance(row, list) or len(row) != wide:
        raise ArchiveRefused(
            say("%(file)s, line %(line)s is no list of %(n)s cells", **where, n=wide)
        )
    return row


def open_archive(stream: BinaryIO, limits: Limits = Limits()) -> Archive:  # noqa: B008 frozen
    """Open an archive from a seekable stream. Raises ArchiveRefused."""
    try:
        opened = zipfile.ZipFile(stream)
        entries = opened.infolist()
        _check_entries(entries, limits)
        manifest = Manifest.from_json(json.loads(_manifest(opened)))
    except (
        zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RecursionError,
        ValueError,
    ) as error:  # fmt: skip
        if isinstance(error, ArchiveRefused):
            raise
        raise ArchiveRefused(say("this is no zip file, or it was truncated")) from error
    _check_listed(entries, manifest, limits)
    return Archive(manifest, limits, opened)


def _check_entries(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Before anything is unpacked: names, sizes and ratios as the directory of the zip has them."""
    names = [entry.filename for entry in entries]
    if len(set(names)) != len(names):
        raise ArchiveRefused(say("it holds a file twice"))
    if MANIFEST not in names or DIGEST not in names:
        raise ArchiveRefused(say("this is no archive of a campaign"))
    if sum(entry.file_size for entry in entries) > limits.unpacked:
        raise ArchiveRefused(
            say(
                "unpacked it would take more than %(most)s MB, the most this site takes",
                most=limits.unpacked // 2**20,
            )
        )
    for entry in entries:
        bomb = entry.file_size > limits.ratio * max(entry.compress_size, 1)
        if entry.file_size > limits.small and bomb:
            raise ArchiveRefused(
                say("%(file)s unpacks to a suspicious amount of data", file=entry.filename[:60])
            )
        if entry.flag_bits & ENCRYPTED or entry.compress_type not in (
            zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED,
        ):  # fmt: skip
            raise ArchiveRefused(say("it is packed in a way that no archive is"))


def _manifest(opened: zipfile.ZipFile) -> bytes:
    if opened.getinfo(MANIFEST).file_size > MANIFEST_MOST or opened.getinfo(DIGEST).file_size > 100:
        raise ArchiveRefused(say("its manifest is too long"))
    text = opened.read(MANIFEST)
    if hashlib.sha256(text).hexdigest().encode() != opened.read(DIGEST).strip():
        raise ArchiveRefused(
            say("it was truncated or changed: its manifest is not as it was written")
        )
    return text


def _check_listed(entries: list[zipfile.ZipInfo], manifest: Manifest, limits: Limits) -> None:
    sizes = {entry.filename: entry.file_size for entry in entries}
    listed = {table.member: table.size for table in manifest.tables.values()}
    del sizes[MANIFEST], sizes[DIGEST]
    if strange := sorted(set(sizes) - set(listed)):
        raise ArchiveRefused(
            say("it holds a file that no archive has: %(file)s", file=repr(strange[0][:60]))
        )
    if sizes != listed:
        raise ArchiveRefused(say("it was truncated or changed: its tables are not those it lists"))
    if sum(table.rows for table in manifest.tables.values()) > limits.rows:
        raise ArchiveRefused(
            say("it has more than %(most)s rows, the most this site takes", most=limits.rows)
        )
