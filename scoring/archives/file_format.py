"""The file of an archived campaign: tables in a zip, read and written without Django; also as
pandas frames.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from paraanno.common.texts import Sentence, SentenceError, say

if TYPE_CHECKING:
    import pandas

# What an archive contains: its names, its manifest, and how large it may be.


FORMAT = "paraanno archive"
# Increase it when a reader of older versions would misread the file. A table or a column more needs
# no new number: the columns of each table are named, and a reader fills in defaults.
SCHEMA = 1
MANIFEST, DIGEST = "manifest.json", "manifest.sha256"
MANIFEST_MOST = 8 * 2**20  # bytes
TABLE_NAME = re.compile(r"[a-z]{1,40}")
COLUMN_NAME = re.compile(r"[a-z0-9_]{1,60}")
HASH = re.compile(r"[0-9a-f]{64}")


class ArchiveRefused(SentenceError):
    """The file is no archive, not whole, or not as it was written."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is unpacked at most; checked before anything is.

    ratio   unpacked bytes for each packed one, of files above `small` bytes
    line    bytes of one row, the widest of which is a report
    """

    unpacked: int = 8 * 2**30
    ratio: int = 200
    small: int = 2**20
    rows: int = 50_000_000
    line: int = 64 * 2**20


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table: its columns, and the rows, bytes and SHA-256 of its file."""

    name: str
    columns: tuple[str, ...]
    rows: int
    size: int
    sha256: str

    @property
    def member(self) -> str:
        """The name of its file in the zip."""
        return f"tables/{self.name}.jsonl"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive says about itself.

    about  free facts: campaign (slug and name), made_at, made_with, origin, resources
    """

    about: Mapping[str, Any]
    tables: Mapping[str, TableFile]
    schema: int = SCHEMA

    def as_json(self) -> dict[str, Any]:
        """The content of the manifest's file."""
        return {
            "format": FORMAT,
            "schema": self.schema,
            **self.about,
            "tables": [asdict(table) for table in self.tables.values()],
        }

    @classmethod
    def from_json(cls, data: object) -> Manifest:
        """The inverse. Raises ArchiveRefused for anything else, and for a later schema."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ArchiveRefused(say("this is no archive of a campaign"))
        schema = data.get("schema")
        if type(schema) is not int or schema < 1:
            raise ArchiveRefused(_bad(say("its schema has no number")))
        if schema > SCHEMA:
            raise ArchiveRefused(
                say(
                    "it was made by a later version (schema %(theirs)s; this version reads up to "
                    "%(ours)s): update this site first",
                    theirs=schema,
                    ours=SCHEMA,
                )
            )
        listed = data.get("tables")
        if not isinstance(listed, list):
            raise ArchiveRefused(_bad(say("it lists no tables")))
        tables = [_table(one) for one in listed]
        by_name = {table.name: table for table in tables}
        if len(by_name) != len(tables):
            raise ArchiveRefused(_bad(say("it lists a table twice")))
        own = ("format", "schema", "tables")
        about = {name: value for name, value in data.items() if name not in own}
        return cls(about, by_name, schema)


def _table(data: object) -> TableFile:
    if not isinstance(data, dict) or set(data) != {"name", "columns", "rows", "size", "sha256"}:
        raise ArchiveRefused(_bad(say("a table is not described")))
    name, columns = data["name"], data["columns"]
    if not isinstance(name, str) or not TABLE_NAME.fullmatch(name):
        raise ArchiveRefused(_bad(say("a table has no name")))
    if (
        not isinstance(columns, list)
        or not all(isinstance(one, str) and COLUMN_NAME.fullmatch(one) for one in columns)
        or len(set(columns)) != len(columns)
    ):
        raise ArchiveRefused(_bad(say("the columns of a table are not named")))
    for number in ("rows", "size"):
        if type(data[number]) is not int or data[number] < 0:
            raise ArchiveRefused(_bad(say("a table does not say how large it is")))
    if not isinstance(data["sha256"], str) or not HASH.fullmatch(data["sha256"]):
        raise ArchiveRefused(_bad(say("a table has no SHA-256")))
    return TableFile(name, tuple(columns), data["rows"], data["size"], data["sha256"])


def _bad(what: Sentence) -> Sentence:
    return say("its manifest is not valid: %(what)s", what=what)


# Reading an archive that may come from a stranger.
#
# Nothing is unpacked to disk, no path of the file is used, and nothing in it is ever run. Sizes,
# ratios, names and numbers of rows are checked from the directory of the zip before a byte is
# unpacked; while reading, no more is unpacked than was said.


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
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            ValueError,
        ) as error:
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


def open_archive(stream: BinaryIO, limits: Limits = Limits()) -> Archive:
    """Open an archive from a seekable stream. Raises ArchiveRefused."""
    try:
        opened = zipfile.ZipFile(stream)
        entries = opened.infolist()
        _check_entries(entries, limits)
        manifest = Manifest.from_json(json.loads(_manifest(opened)))
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RecursionError,
        ValueError,
    ) as error:
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
            zipfile.ZIP_STORED,
            zipfile.ZIP_DEFLATED,
        ):
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


# Writing an archive, row by row.


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


# As pandas frames.


def archive_frames(
    path: str | Path,
    names: tuple[str, ...] = (),
    limits: Limits = Limits(),
) -> dict[str, pandas.DataFrame]:
    """Return a frame for each table, or for those named, by the name of the table.

    The index `row` counts from 1; a column that refers to another table holds its row there, as
    text columns and times hold what the archive has. A missing cell is None, of numbers NaN.
    Raises ArchiveRefused for a file that is no archive or not whole, KeyError for an unknown name.
    """
    import pandas

    frames: dict[str, pandas.DataFrame] = {}
    with Path(path).open("rb") as stream:
        archive = open_archive(stream, limits)
        for name in names or tuple(archive.manifest.tables):
            table = archive.manifest.tables[name]
            frame = pandas.DataFrame(list(archive.rows(name)), columns=list(table.columns))
            frame.index = pandas.RangeIndex(1, len(frame) + 1, name="row")
            frames[name] = frame
    return frames
