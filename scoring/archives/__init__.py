"""The file of an archived campaign: tables in a zip, read and written without Django.

`docs/archives.md` describes the format. A reader trusts nothing in the file: see `reading`.
"""

from scoring.archives.form import (
    SCHEMA,
    ArchiveRefused,
    Limits,
    Manifest,
    TableFile,
)
from scoring.archives.reading import Archive, open_archive
from scoring.archives.writing import ArchiveWriter

__all__ = [
    "SCHEMA",
    "Archive",
    "ArchiveRefused",
    "ArchiveWriter",
    "Limits",
    "Manifest",
    "TableFile",
    "open_archive",
]
