"""Synonyms, read from a table or from a store made from one.

The table has one group per line, its words or phrases separated by tabs: each is a synonym of every
other one on its line. Lines are senses, so a word may be on several, and synonymy is not
transitive. A *store* is a folder with `groups.json` and `about.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from paraanno.plain.sentence import say
from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, table_rows
from scoring.metrics.resources.stores import About

SYNONYMS = FileOption(
    "synonyms",
    "",
    say("It names groups of synonyms: one group per line, words or phrases separated by tabs."),
    kind="synonyms",
)
MOST_PHRASES = 1_000_000
_LONGEST_GROUP = 1000
_GROUPS = "groups.json"
_ABOUT = About(
    frozenset({"groups", "phrases"}), say("is not a store of synonyms; create it again.")
)


@dataclass(frozen=True, slots=True)
class Synonyms:
    """The groups in file order, each phrase once; `sha256` is that of the file."""

    groups: tuple[tuple[str, ...], ...]
    sha256: str


def load_synonyms(path: str) -> Synonyms:
    """The synonyms of a file or a store; cached until the file changes.

    Raises FileRefused if it is neither, or is damaged.
    """
    return _loaded(Path(path), synonyms_sha256(path))


def synonyms_sha256(path: str) -> str:
    """The SHA-256 of the source file, also for a store made from it."""
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
            problems.add(number, say("has only one phrase, twice; add a synonym."))
        total += len(group)
        if total > MOST_PHRASES:
            raise FileRefused.at(
                path, number, say("has more than %(n)s phrases; shorten it.", n=f"{MOST_PHRASES:,}")
            )
        groups.append(group)
    problems.check()
    if not groups:
        raise FileRefused.at(
            path, 0, say("has no synonyms; write two or more on a line, with tabs.")
        )
    return tuple(groups)


def convert(
    source: Path, folder: Path, *, progress: Callable[[float], None] = lambda share: None
) -> dict[str, int]:
    """Check a file and write its store; `about.json` is written last and marks it complete.

    Returns the numbers of groups and phrases. Raises FileRefused like `read_synonyms`.
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
        raise FileRefused.at(
            folder, 0, say("is damaged (%(why)s); create the store again.", why=str(error))
        ) from error
    if (len(groups), sum(map(len, groups))) != (about["groups"], about["phrases"]):
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return groups
