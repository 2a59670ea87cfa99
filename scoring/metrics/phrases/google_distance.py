"""Normalised Google distance, and the two kinds of page counts behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.metrics.phrases.apem import Analysis
from scoring.metrics.phrases.matching import Phrase


class PageCounts(Protocol):
    """Page counts; `total` is the number of all pages."""

    total: int

    def pages(self, phrase: Phrase) -> int:
        """The number of pages with the phrase; 0 if unknown."""

    def both(self, one: Phrase, other: Phrase) -> int:
        """The number of pages with both."""


def google_distance(counts: PageCounts, one: Phrase, other: Phrase) -> float | None:
    """Normalised Google distance (Cilibrasi and Vitanyi 2007): 0 if two are on the same pages,
    sometimes above 1. None if they share no page, or are on every page."""
    both = counts.both(one, other)
    logs = [log(n) for n in (counts.pages(one), counts.pages(other)) if n]
    if not both or len(logs) < 2 or log(counts.total) <= min(logs):
        return None
    return (max(logs) - log(both)) / (log(counts.total) - min(logs))


class CountTable:
    """Counts from a table, by word as written until `cut`."""

    def __init__(
        self, total: int, words: Mapping[Any, int], pairs: Mapping[tuple[Any, Any], int]
    ) -> None:
        self.total = total
        self.words = words
        self.pairs = pairs

    def cut(self, analysis: Analysis) -> CountTable:
        """The same by units of meaning; words that become equal keep the greatest count."""
        words: dict[Phrase, int] = {}
        pairs: dict[tuple[Phrase, Phrase], int] = {}
        for word, n in self.words.items():
            words[analysis(word)] = max(n, words.get(analysis(word), 0))
        for (one, other), n in self.pairs.items():
            key = in_order(analysis(one), analysis(other))
            pairs[key] = max(n, pairs.get(key, 0))
        return CountTable(self.total, words, pairs)

    def pages(self, phrase: Phrase) -> int:
        return self.words.get(phrase, 0)

    def both(self, one: Phrase, other: Phrase) -> int:
        return self.pairs.get(in_order(one, other), 0)


class CorpusCounts:
    """The pages of each unit of meaning: `pages_of[starts[i]:starts[i + 1]]`, sorted.

    A phrase is on the pages that have all its units.
    """

    def __init__(
        self,
        total: int,
        lang: str,
        units: Sequence[str],
        starts: NDArray[np.int64],
        pages_of: NDArray[np.uint32],
    ) -> None:
        self.total = total
        self.lang = lang
        self.units = units
        self.starts = starts
        self.pages_of = pages_of
        self._rows = {unit: at for at, unit in enumerate(units)}

    def cut(self, analysis: Analysis) -> CorpusCounts:
        """Return itself; ValueError for texts analysed with other settings."""
        if analysis.lang != self.lang:
            raise ValueError(
                say(
                    "counts: the corpus is %(lang)s; use lang=%(again)s.",
                    lang=self.lang,
                    again=self.lang,
                )
            )
        if analysis.lang == "ko" and analysis.segmentation != "merged":
            raise ValueError(say("counts: a corpus is counted with segmentation=merged."))
        return self

    def pages(self, phrase: Phrase) -> int:
        return len(self._on(phrase))

    def both(self, one: Phrase, other: Phrase) -> int:
        return len(self._on(one + other))

    def _on(self, phrase: Phrase) -> NDArray[np.uint32]:
        rows = [self._rows.get(unit) for unit in dict.fromkeys(phrase)]
        found: NDArray[np.uint32] | None = None
        for row in rows:
            if row is None:
                return np.empty(0, np.uint32)
            mine = self.pages_of[self.starts[row] : self.starts[row + 1]]
            found = mine if found is None else np.intersect1d(found, mine, assume_unique=True)
        return np.empty(0, np.uint32) if found is None else found


def in_order(one: Any, other: Any) -> tuple[Any, Any]:
    """A canonical order for an unordered pair."""
    return (one, other) if one <= other else (other, one)
