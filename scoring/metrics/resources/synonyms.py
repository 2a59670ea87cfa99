"""Synonyms, read from a table or from a store made from one.

The table has one group per line, its words or phrases separated by tabs: each is a synonym of every
other one on its line. Lines are senses, so a word may be on several, and synonymy is not
transitive. A *store* is a folder with `groups.json` and `about.json`.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from paraanno.common.places import data_dir
from paraanno.common.texts import say
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


def _loaded(place: Path, content: str) -> Synonyms:
    return Synonyms(_stored(place) if place.is_dir() else read_synonyms(place), content)


load_synonyms = _ABOUT.cached(_loaded)
synonyms_sha256 = _ABOUT.sha256


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
        parsed = json.loads((folder / _GROUPS).read_text(encoding="utf-8"))
        groups = tuple(tuple(map(str, group)) for group in parsed)
    except (OSError, ValueError, TypeError) as error:
        raise FileRefused.at(
            folder, 0, say("is damaged (%(why)s); create the store again.", why=str(error))
        ) from error
    if (len(groups), sum(map(len, groups))) != (about["groups"], about["phrases"]):
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return groups


# Synonyms from the files of WordNet (Miller 1995), read in place.
#
# nltk's reader shares file positions, which breaks under threads and after a fork, and it refuses
# folders outside its own. This one keeps the index in memory and memory-maps the rest, without
# shared positions: any process or thread may look up, and the pages are shared.


Synset = tuple[str, int]  # Part of speech, and offset in its file.

VARIABLE = "PARAANNO_WORDNET"
DEBIAN = Path("/usr/share/wordnet")
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
FILES = tuple(f"{kind}.{part}" for kind in ("data", "index") for part in PARTS.values()) + tuple(
    f"{part}.exc" for part in PARTS.values()
)
MISSING = say(
    "WordNet is not on this machine: install Debian's package wordnet-base, run "
    "`manage.py stage_wordnet FOLDER`, or set %(variable)s to its folder.",
    variable=VARIABLE,
)
# The suffix rules of WordNet's morphology, by part of speech (manual morphy(7WN)).
_ENDINGS = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
_VERSION = re.compile(rb"Word[nN]et (\d[\d.]*\+?) Copyright")
_MARKER = re.compile(r"\([^()]*\)$")  # The position marker of an adjective: `afraid(p)`.


class WordNet:
    """The words of a folder with WordNet's files, by synset."""

    def __init__(self, folder: Path) -> None:
        """Raises FileRefused if a file is missing or is not from WordNet."""
        self.folder = folder
        self._index = {pos: _index(folder / f"index.{part}") for pos, part in PARTS.items()}
        self._irregular = {pos: _irregular(folder / f"{part}.exc") for pos, part in PARTS.items()}
        self._data = {pos: _map(folder / f"data.{part}") for pos, part in PARTS.items()}

    def synsets(self, word: str) -> frozenset[Synset]:
        """The synsets of the word and its base forms; empty for an unknown word."""
        word = word.lower()
        return frozenset(
            (pos, offset)
            for pos in PARTS
            for form in self._forms(word, pos)
            for offset in self._offsets(form, pos)
        )

    def synonyms(self, word: str) -> frozenset[str]:
        """The single words of all synsets of a word, as written in WordNet."""
        names = (name for synset in self.synsets(word) for name in self._names(*synset))
        return frozenset(name for name in names if "_" not in name)

    def _forms(self, word: str, pos: str) -> Iterator[str]:
        """The word, then its irregular base forms or else the word without its suffix."""
        yield word
        irregular = self._irregular[pos].get(word)
        if irregular is not None:
            yield from irregular
            return
        for ending, other in _ENDINGS[pos]:
            if word.endswith(ending):
                yield word[: -len(ending)] + other

    def _offsets(self, form: str, pos: str) -> list[int]:
        """The offsets of the synsets of a lemma in its data file."""
        fields = self._index[pos].get(form, "").split()
        return [int(offset) for offset in fields[-int(fields[1]) :]] if fields else []

    def _names(self, pos: str, offset: int) -> list[str]:
        data = self._data[pos]
        fields = data[offset : data.find(b"\n", offset)].decode().split()
        if not fields or fields[0] != f"{offset:08}":
            path = self.folder / f"data.{PARTS[pos]}"
            raise FileRefused.at(
                path, 0, say("does not belong to its index; install WordNet again.")
            )
        return [_MARKER.sub("", name) for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]


def wordnet_folder() -> Path | None:
    """The folder in PARAANNO_WORDNET, else the one filled by `stage_wordnet`, else Debian's; None
    if there is none. Raises FileRefused if the variable names another folder."""
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        check_folder(Path(named))
        return Path(named)
    for folder in (data_dir() / "wordnet", DEBIAN):
        if not missing_files(folder):
            return folder
    return None


def find_wordnet() -> Path:
    """The same; raises ValueError with the remedy if there is none."""
    folder = wordnet_folder()
    if folder is None:
        raise ValueError(MISSING)
    return folder


def missing_files(folder: Path) -> list[str]:
    """The required files that a folder lacks."""
    return [name for name in FILES if not (folder / name).is_file()]


def check_folder(folder: Path) -> None:
    """Raise FileRefused if a folder does not hold WordNet."""
    missing = missing_files(folder)
    if missing:
        raise FileRefused.at(
            folder,
            0,
            say(
                "has no %(name)s; name a folder with WordNet's files (data.noun, index.noun, "
                "noun.exc and so on).",
                name=missing[0],
            ),
        )


def wordnet_version(folder: Path) -> str:
    """The version given in the files; FileRefused if there is none."""
    path = folder / "data.adj"
    try:
        with path.open("rb") as stream:
            match = _VERSION.search(stream.read(5000))
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error
    if match is None:
        raise FileRefused.at(path, 0, say("gives no version of WordNet."))
    return match[1].decode()


def wordnet_sha256(folder: Path) -> str:
    """One SHA-256 over the hashes of all files."""
    parts = "".join(sha256(folder / name) for name in FILES)
    return hashlib.sha256(parts.encode()).hexdigest()


def load_wordnet(folder: Path) -> WordNet:
    """The WordNet of a folder; cached until its files change."""
    return _wordnet_loaded(folder, wordnet_sha256(folder))


@lru_cache(maxsize=1)
def _wordnet_loaded(folder: Path, content: str) -> WordNet:
    return WordNet(folder)


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8") as stream:
            # Lines of the licence begin with a space.
            yield from (line for line in stream if not line.startswith(" "))
    except (OSError, UnicodeDecodeError) as error:
        raise FileRefused.at(path, 0, say("cannot be read (%(why)s).", why=str(error))) from error


def _index(path: Path) -> dict[str, str]:
    """Index lines by lemma; split into fields only when needed."""
    entries = {}
    for line in _lines(path):
        lemma, _, rest = line.partition(" ")
        entries[lemma] = rest
    return entries


def _irregular(path: Path) -> dict[str, list[str]]:
    rows = (line.split() for line in _lines(path))
    return {row[0]: row[1:] for row in rows if row}


def _map(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise FileRefused.at(path, 0, say("cannot be read (%(why)s).", why=str(error))) from error
