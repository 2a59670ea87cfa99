"""Translations of phrases, from a phrase table of Moses: the option, reading, and stores.

Source: Liu, Dahlmeier and Ng (2010) compare texts by the phrases of another language that they
stand for. A store keeps p(foreign | phrase) of each phrase; those of a phrase sum to 1 at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, text_lines
from scoring.metrics.resources.stores import About, TextIndex, index_of, mapped, mapped_index
from scoring.metrics.resources.table import Progress, moses_rows, phrase_key, watched

Weighted = list[tuple[str, float]]
_ABOUT = About(
    frozenset({"phrases", "foreign", "pairs"}),
    say("is not a store of translations; add the phrase table again."),
)
_PARTS = ("phrases", "foreign")

TRANSLATIONS = FileOption(
    "translations",
    "",
    say(
        "It names the translations of phrases: a phrase table of Moses (foreign ||| phrase ||| "
        "scores), or a store made from one or from two texts that are parallel line by line."
    ),
    kind="translations",
)


@dataclass(frozen=True, slots=True, eq=False)
class Translations:
    """Foreign phrases of phrase p are `partners[offsets[p]:offsets[p + 1]]`, with their
    `probabilities` given p. Phrases are keys (see `phrase_key`)."""

    phrases: TextIndex
    foreign: TextIndex
    offsets: NDArray[np.int64]
    partners: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    def of(self, phrase: str) -> Weighted:
        """The foreign phrases of a phrase; empty if it is not known."""
        (at,) = self.phrases.find([phrase])
        if at < 0:
            return []
        part = slice(int(self.offsets[at]), int(self.offsets[at + 1]))
        return [
            (self.foreign[other], value)
            for other, value in zip(
                self.partners[part].tolist(), self.probabilities[part].tolist(), strict=True
            )
        ]


def convert(source: Path, folder: Path, *, progress: Progress) -> dict[str, int]:
    """Make a store from a phrase table, in a new or empty folder. Raises FileRefused."""
    translations, skipped = _read(source, progress)
    folder.mkdir(parents=True, exist_ok=True)
    for name in _PARTS:
        getattr(translations, name).save(folder, name)
    for name in ("offsets", "partners", "probabilities"):
        np.save(folder / f"{name}.npy", getattr(translations, name), allow_pickle=False)
    counts = {
        "phrases": len(translations.phrases),
        "foreign": len(translations.foreign),
        "pairs": len(translations.partners),
    }
    _ABOUT.write(folder, {"sha256": sha256(source), **counts})
    progress(1.0)
    return {**counts, "skipped": skipped}


def _loaded(place: Path, content: str) -> Translations:
    if not place.is_dir():
        return _read(place, lambda share: None)[0]
    about = _ABOUT.read(place)
    translations = Translations(
        mapped_index(place, "phrases"),
        mapped_index(place, "foreign"),
        mapped(place / "offsets.npy", np.int64),
        mapped(place / "partners.npy", np.int64),
        mapped(place / "probabilities.npy", np.float64),
    )
    whole = (
        len(translations.phrases) == about["phrases"] == len(translations.offsets) - 1
        and len(translations.foreign) == about["foreign"]
        and len(translations.partners)
        == len(translations.probabilities)
        == about["pairs"]
        == translations.offsets[-1]
    )
    if not whole:
        raise FileRefused.at(
            place, 0, say("its files do not belong together; create the store again.")
        )
    return translations


load_translations = _ABOUT.cached(_loaded)
translations_sha256 = _ABOUT.sha256


def _read(path: Path, progress: Progress) -> tuple[Translations, int]:
    """The translations of a phrase table, and how many lines have a phrase without a word.

    Phrases that differ in case or marks alone are one, whose probabilities are the mean of theirs:
    the table does not say how often each occurred.
    """
    problems = Problems(path)
    skipped = 0
    given: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    spelt: defaultdict[str, set[str]] = defaultdict(set)
    lines = watched(path, text_lines(path, problems), progress)
    for foreign, phrase, probability, _ in moses_rows(lines, problems):
        key = phrase_key(phrase)
        if not key:
            skipped += 1
            continue
        spelt[key].add(phrase)
        given[key][foreign] += probability
    problems.check()
    if not given:
        raise FileRefused.at(path, 0, say("has no phrase; write foreign ||| phrase ||| scores."))
    return _indexed(given, {key: len(some) for key, some in spelt.items()}), skipped


def _indexed(given: Mapping[str, Mapping[str, float]], spelt: Mapping[str, int]) -> Translations:
    phrases, ids = index_of(list(given))
    names = list(dict.fromkeys(foreign for counts in given.values() for foreign in counts))
    foreign, foreign_ids = index_of(names)
    number = dict(zip(names, foreign_ids.tolist(), strict=True))
    keys = list(given)
    offsets, partners, probabilities = [0], [], []
    for at in np.argsort(ids).tolist():
        key = keys[at]
        # The most probable first; of equals, by their letters.
        for name, value in sorted(given[key].items(), key=lambda one: (-one[1], one[0])):
            partners.append(number[name])
            probabilities.append(value / spelt[key])
        offsets.append(len(partners))
    return Translations(
        phrases,
        foreign,
        np.array(offsets, dtype=np.int64),
        np.array(partners, dtype=np.int64),
        np.array(probabilities, dtype=np.float64),
    )
