"""Synonyms: read from a table, or from a store made of one.

The table has one group on a line, its words or phrases parted by tabs: each is a synonym of every
other one of its line. Lines are senses, so a word may stand on several, and synonyms of a synonym
are none. A *store* is a folder with `groups.json` and `about.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, table_rows
from scoring.metrics.stores import About

SYNONYMS = FileOption(
    "synonyms",
    "",
    "It names groups of synonyms: one group a line, words or phrases parted by tabs.",
    kind="synonyms",
)
MOST_PHRASES = 1_000_000
_LONGEST_GROUP = 1000
_GROUPS = "groups.json"
_ABOUT = About(frozenset({"groups", "phrases"}), "is no store of synonyms; make it anew.")


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Groups as they stand in the file, each phrase once; `sha256` is the file's."""

    groups: tuple[tuple[str, ...], ...]
    sha256: str


def load_synonyms(path: str) -> Synonyms:
    """The synonyms of a file or a store; kept in memory while the file stays the same.

    Raises FileRefused where it is neither, or is damaged.
    """
    return _loaded(Path(path), synonyms_sha256(path))


def synonyms_sha256(path: str) -> str:
    """The SHA-256 of the file that the synonyms came from, also for a store made from it."""
    return _ABOUT.sha256(path)


@lru_cache(maxsize=2)
def _loaded(place: Path, content: str) -> Synonyms:
    return Synonyms(_stored(place) if place.is_dir() else read_synonyms(place), content)


def read_synonyms(path: Path) -> tuple[tuple[str, ...], ...]:
    """The groups of a file in NFC. Raises FileRefused with a line for each problem."""
    problems = Problems(path)
    groups = []
    total = 0
    for number, cells in table_rows(path, problems, least=2, most=_LONGEST_GROUP):
        group = tuple(dict.fromkeys(" ".join(cell.split()) for cell in cells))
        if len(group) < 2:
            problems.add(number, "has one phrase only, twice; give it a synonym.")
        total += len(group)
        if total > MOST_PHRASES:
            raise FileRefused(f"{path}:{number}: is past {MOST_PHRASES:,} phrases; shorten it.")
        groups.append(group)
    problems.check()
    if not groups:
        raise FileRefused(f"{path}:0: has no synonyms; write two or more on a line, with tabs.")
    return tuple(groups)


def convert(
    source: Path, folder: Path, *, progress: Callable[[float], None] = lambda share: None
) -> dict[str, int]:
    """Check a file and write its store; `about.json` comes last and makes it whole.

    Returns how many groups and phrases there are. Raises FileRefused as `read_synonyms` does.
    """
    groups = read_synonyms(source)
    progress(0.5)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _GROUPS).write_text(json.dumps(groups, ensure_ascii=False), encoding="utf-8")
    counts = {"groups": len(groups), "phrases": sum(map(len, groups))}
    _ABOUT.write(folder, {"sha256": sha256(source), **counts})
    progress(1.0)
    return counts


def _stored(folder: Path) -> tuple[tuple[str, ...], ...]:
    about = _ABOUT.read(folder)
    try:
        found = json.loads((folder / _GROUPS).read_text(encoding="utf-8"))
        groups = tuple(tuple(map(str, group)) for group in found)
    except (OSError, ValueError, TypeError) as error:
        raise FileRefused(f"{folder}:0: is damaged ({error}); make the store anew.") from error
    if (len(groups), sum(map(len, groups))) != (about["groups"], about["phrases"]):
        raise FileRefused(f"{folder}:0: its files do not belong together; make the store anew.")
    return groups
