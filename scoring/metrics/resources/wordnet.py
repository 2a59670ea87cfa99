"""Synonyms from the files of WordNet (Miller 1995), read in place.

nltk's reader shares file positions, which breaks under threads and after a fork, and it refuses
folders outside its own. This one keeps the index in memory and memory-maps the rest, without shared
positions: any process or thread may look up, and the pages are shared.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from paraanno.plain.places import data_dir
from paraanno.plain.sentence import say
from scoring.metrics.files import FileRefused, sha256

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
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
        ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip
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


def find_wordnet() -> Path:
    """The folder in PARAANNO_WORDNET, else the one filled by `stage_wordnet`, else Debian's. Raises
    ValueError with the remedy if there is none."""
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        check_folder(Path(named))
        return Path(named)
    for folder in (data_dir() / "wordnet", DEBIAN):
        if not missing_files(folder):
            return folder
    raise ValueError(MISSING)


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
            found = _VERSION.search(stream.read(5000))
    except OSError as error:
        raise FileRefused.at(
            path, 0, say("cannot be read (%(why)s).", why=error.strerror)
        ) from error
    if found is None:
        raise FileRefused.at(path, 0, say("gives no version of WordNet."))
    return found[1].decode()


def wordnet_sha256(folder: Path) -> str:
    """One SHA-256 over the hashes of all files."""
    parts = "".join(sha256(folder / name) for name in FILES)
    return hashlib.sha256(parts.encode()).hexdigest()


def load_wordnet(folder: Path) -> WordNet:
    """The WordNet of a folder; cached until its files change."""
    return _loaded(folder, wordnet_sha256(folder))


@lru_cache(maxsize=1)
def _loaded(folder: Path, content: str) -> WordNet:
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
    found = {}
    for line in _lines(path):
        lemma, _, rest = line.partition(" ")
        found[lemma] = rest
    return found


def _irregular(path: Path) -> dict[str, list[str]]:
    rows = (line.split() for line in _lines(path))
    return {row[0]: row[1:] for row in rows if row}


def _map(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise FileRefused.at(path, 0, say("cannot be read (%(why)s).", why=str(error))) from error
