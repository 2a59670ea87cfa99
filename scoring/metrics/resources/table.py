"""Paraphrase tables, which pair phrases with their paraphrases: the option, loading, and stores.

A *store* is a folder with arrays of NumPy and `about.json`. It is memory-mapped, so that processes
of one machine share its pages, and holds nothing that Python would execute.
"""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path

from paraanno.plain.sentence import say
from scoring.metrics.files import FileOption, sha256
from scoring.metrics.resources.table_reading import Progress, read_rows
from scoring.metrics.resources.table_store import ABOUT, PhraseTable, build, map_store, write_store

# The rows of a table with a direction, p(paraphrase | phrase), which its arrays do not keep.
DIRECTED = "plain.tsv"
_DIRECTED_COLUMNS = 3

TABLE = FileOption(
    "table",
    "",
    say(
        "It names a paraphrase table: phrase TAB paraphrase, with or without TAB "
        "probability; PPDB; a Moses phrase table, which is pivoted; or a store made from one."
    ),
    kind="table",
)


def load_table(path: str) -> PhraseTable:
    """The table of a file or a store; cached until the file changes.

    Raises FileRefused if it is neither, or is damaged.
    """
    return _loaded(Path(path), table_sha256(path))


def table_sha256(path: str) -> str:
    """The SHA-256 of the source file, also for a store made from it."""
    return ABOUT.sha256(path)


@lru_cache(maxsize=2)
def _loaded(place: Path, content: str) -> PhraseTable:
    return map_store(place) if place.is_dir() else build(read_rows(place, _quiet))


def convert(source: Path, folder: Path, *, progress: Progress) -> dict[str, int]:
    """Make a store from a file, in a new or empty folder; `progress` gets the share done. The rows
    of phrase TAB paraphrase TAB probability are kept beside it, for test sets.

    Returns the numbers of phrases, pairs (in either direction) and skipped lines. Raises
    FileRefused with a line for each problem.
    """
    raw = read_rows(source, progress)
    table = build(raw)
    if _is_directed(source):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / DIRECTED)
    write_store(table, folder, source_sha256=sha256(source))
    progress(1.0)
    return {
        "phrases": len(table.phrases),
        "pairs": len(table.partners) // 2,
        "skipped": raw.skipped,
    }


def _is_directed(source: Path) -> bool:
    with source.open(encoding="utf-8-sig") as stream:
        first = next((line for line in stream if line.strip()), "")
    return "|||" not in first and first.count("\t") == _DIRECTED_COLUMNS - 1


def _quiet(share: float) -> None:
    """A progress callback that does nothing."""
