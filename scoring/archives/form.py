"""What an archive contains: its names, its manifest, and how large it may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from paraanno.plain.sentence import Sentence, SentenceError, say

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
                    theirs=schema, ours=SCHEMA,
                )
            )  # fmt: skip
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
