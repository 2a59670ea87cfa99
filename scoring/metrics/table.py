"""Paraphrase tables, which pair a phrase with its paraphrases: the option, reading, stores.

A *store* is a folder with arrays of NumPy and `about.json`. It is mapped into memory, so that
processes of one machine share its pages, and holds nothing that Python would execute.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from scoring.metrics.files import FileOption, sha256
from scoring.metrics.table_reading import Progress, read_rows
from scoring.metrics.table_store import ABOUT, Table, build, map_store, write_store

TABLE = FileOption(
    "table",
    "",
    "It names a paraphrase table: phrase TAB paraphrase, with or without TAB probability; PPDB; "
    "a Moses phrase table, which is pivoted; or a store made from one.",
    kind="table",
)


def load_table(path: str) -> Table:
    """The table of a file or a store; kept in memory while the file stays the same.

    Raises FileRefused where it is neither, or is damaged.
    """
    return _loaded(Path(path), table_sha256(path))


def table_sha256(path: str) -> str:
    """The SHA-256 of the file that the table came from, also for a store made from it."""
    return ABOUT.sha256(path)


@lru_cache(maxsize=2)
def _loaded(place: Path, content: str) -> Table:
    return map_store(place) if place.is_dir() else build(read_rows(place, _quiet))


def convert(source: Path, folder: Path, *, progress: Progress) -> dict[str, int]:
    """Make a store from a file, in a new or empty folder; `progress` is told the share done.

    Returns how many phrases, pairs (in either direction) and lines left out there are.
    Raises FileRefused with a line for each problem.
    """
    raw = read_rows(source, progress)
    table = build(raw)
    write_store(table, folder, source_sha256=sha256(source))
    progress(1.0)
    return {
        "phrases": len(table.phrases),
        "pairs": len(table.partners) // 2,
        "skipped": raw.skipped,
    }


def _quiet(share: float) -> None:
    """Reading a plain file tells nobody how far it is."""
