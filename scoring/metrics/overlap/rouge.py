"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum (Lin 2004) for any script."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar

from paraanno.common.texts import joined, say
from scoring.metrics.base import NO_WORDS, NO_WORDS_TARGET, Analysis, Metric
from scoring.metrics.overlap.simplification import sentences_of
from scoring.metrics.texts.tokenizers import (
    FOLD,
    ROUGE_SCORE,
    WORD_CUT,
    reader,
    stem,
    stem_versions,
    versions,
)
from scoring.metrics.values import AGAINST, Option, Score, references_option

# ROUGE-1.5.5 and its successors do not stem words of up to three letters.
LONGEST_UNSTEMMED = 3
NO_PAIR = say("There are no two words in a row to compare.")
PART = Option(
    "part",
    "f",
    say(
        "What is reported: f (the harmonic mean of both), precision (the share of the "
        "paraphrase that is matched) or recall (the share of the text compared with)."
    ),
    ("f", "precision", "recall"),
)
STEM = Option(
    "stem",
    "no",
    say(
        "Compare stems instead of words: porter, for English only, on words of four letters "
        "or more."
    ),
    ("no", "porter"),
)
TOKENIZE = replace(
    WORD_CUT,
    summary=joined(
        " ",
        [
            WORD_CUT.summary,
            say("rouge_score: as the Python package does, a-z and 0-9 alone, ignoring case."),
        ],
    ),
    values=(*WORD_CUT.values, ROUGE_SCORE),
)


class Rouge(Metric[Analysis]):
    """Base class of the three: words, and a score from matched and possible units.

    Precision or recall with denominator 0 is undefined. An F score, 2 * matched / (both sides), is
    0 if only one side is too short for a unit.
    """

    family = "overlap"
    OPTIONS: ClassVar[tuple[Option, ...]] = (
        AGAINST,
        references_option("max", "mean"),
        PART,
        TOKENIZE,
        FOLD,
        STEM,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self.options["tokenize"] == ROUGE_SCORE and self.options["lowercase"] == "no":
            raise ValueError(
                say(
                    "%(metric)s: tokenize=%(cut)s always ignores case; leave lowercase=no out.",
                    metric=self.name,
                    cut=ROUGE_SCORE,
                )
            )
        self._read = reader(self.options["tokenize"], self.options["lowercase"] == "yes")
        self._part = self.options["part"]
        self._stems = self.options["stem"] == "porter"
        if self._stems:
            self.language = "en"

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"]) | (stem_versions() if self._stems else {})

    def words(self, text: str) -> Sequence[str]:
        """The words of a text, or their stems."""
        cut = self._read(text)
        if not self._stems:
            return cut
        return [stem(word) if len(word) > LONGEST_UNSTEMMED else word for word in cut]

    def of(self, matched: int, own: int, theirs: int) -> Score:
        """The requested score, from the units of the paraphrase and of the text compared with."""
        if self._part == "f":
            matched, possible = 2 * matched, own + theirs
        else:
            possible = own if self._part == "precision" else theirs
        if not possible:
            return Score.undefined(NO_PAIR)
        return Score(matched / possible)

    def _score(self, target: Analysis, paraphrase: str) -> Score:
        words = self.words(paraphrase)
        if self._is_empty(target):
            return Score.undefined(NO_WORDS_TARGET)
        if not words:
            return Score.undefined(NO_WORDS)
        return self._compare(target, words)

    @abstractmethod
    def _is_empty(self, target: Analysis) -> bool:
        """Whether the text compared with has no words."""

    @abstractmethod
    def _compare(self, target: Analysis, words: Sequence[str]) -> Score:
        """The score of the words of a paraphrase."""


@dataclass(frozen=True, slots=True)
class Grams:
    """The n-grams of one order of a text, and its number of words."""

    counts: Counter[Hashable]
    words: int


class _RougeN(Rouge[Grams]):
    order: ClassVar[int]

    def _units(self, words: Sequence[str]) -> Iterable[Hashable]:
        return words if self.order == 1 else itertools.pairwise(words)

    def _know(self, targets: tuple[str, ...]) -> Grams:
        words = self.words(targets[0])
        return Grams(Counter(self._units(words)), len(words))

    def _is_empty(self, target: Grams) -> bool:
        return not target.words

    def _compare(self, target: Grams, words: Sequence[str]) -> Score:
        theirs = target.counts
        shared = list(filter(theirs.__contains__, self._units(words)))
        matched = len(shared)
        if matched > len(set(shared)):  # Counting doubles the time, and repeats are rare.
            matched = sum(min(count, theirs[gram]) for gram, count in Counter(shared).items())
        shorter = self.order - 1
        return self.of(matched, max(0, len(words) - shorter), max(0, target.words - shorter))


class Rouge1(_RougeN):
    """ROUGE of unigrams."""

    name = "rouge_1"
    title = "ROUGE-1"
    summary = say("0 (no word in common) to 1 (the same words, in any order).")
    order = 1


class Rouge2(_RougeN):
    """ROUGE of bigrams."""

    name = "rouge_2"
    title = "ROUGE-2"
    summary = say(
        "0 (no two consecutive words in common) to 1 (the same pairs of consecutive words)."
    )
    order = 2


@dataclass(frozen=True, slots=True)
class Places:
    """The positions of each word in a text, as bits."""

    bits: Mapping[str, int]
    length: int


class RougeL(Rouge[Places]):
    """ROUGE of the longest common subsequence."""

    name = "rouge_l"
    title = "ROUGE-L"
    summary = say(
        "0 (no word in common) to 1 (the same words in the same order), by the longest "
        "common subsequence of words, with or without others between them."
    )

    def _know(self, targets: tuple[str, ...]) -> Places:
        words = self.words(targets[0])
        bits: dict[str, int] = {}
        for place, word in enumerate(words):
            bits[word] = bits.get(word, 0) | 1 << place
        return Places(bits, len(words))

    def _is_empty(self, target: Places) -> bool:
        return not target.length

    def _compare(self, target: Places, words: Sequence[str]) -> Score:
        return self.of(longest_common(target, words), len(words), target.length)


def longest_common(target: Places, words: Sequence[str]) -> int:
    """The length of a longest common subsequence, exactly.

    A row of the usual table is one integer with a bit per word of the text (Hyyrö 2004,
    "Bit-parallel LCS-length computation revisited"): a bit becomes 0 where the row increases by
    one.
    """
    row = full = (1 << target.length) - 1
    get = target.bits.get
    for word in words:
        bits = get(word)
        if bits is not None:
            matched = row & bits
            row = ((row + matched) | (row - matched)) & full
    return target.length - row.bit_count()


class RougeLsum(Rouge[list[list[str]]]):
    """ROUGE of the union of longest common subsequences (Lin 2004, section 3.2): each sentence of
    the text compared with is matched with all sentences of the paraphrase."""

    name = "rouge_lsum"
    title = "ROUGE-Lsum"
    summary = say(
        "0 to 1, as ROUGE-L for texts of several sentences: each sentence is matched with all of "
        "the other text."
    )
    OPTIONS = (
        *Rouge.OPTIONS,
        Option(
            "sentences",
            "marks",
            say("What ends a sentence: marks (. ! ? and line breaks) or lines (line breaks only)."),
            ("marks", "lines"),
        ),
    )

    longest = 10_000  # A table of 2,000 by 2,000 words takes a second.

    def _sentences(self, text: str) -> list[list[str]]:
        parts = sentences_of(text, lines=self.options["sentences"] == "lines")
        return [words for part in parts if (words := list(self.words(part)))]

    def _know(self, targets: tuple[str, ...]) -> list[list[str]]:
        return self._sentences(targets[0])

    def _score(self, target: list[list[str]], paraphrase: str) -> Score:
        own = self._sentences(paraphrase)
        if not target:
            return Score.undefined(NO_WORDS_TARGET)
        if not own:
            return Score.undefined(NO_WORDS)
        left = [Counter(chain.from_iterable(side)) for side in (target, own)]
        matched = 0
        for sentence in target:
            places = set[int]().union(*(common_places(sentence, other) for other in own))
            for place in places:  # No word is matched more often than either text has it.
                if all(side[sentence[place]] > 0 for side in left):
                    matched += 1
                    for side in left:
                        side[sentence[place]] -= 1
        return self.of(matched, sum(map(len, own)), sum(map(len, target)))

    def _is_empty(self, target: list[list[str]]) -> bool:
        return not target

    def _compare(self, target: list[list[str]], words: Sequence[str]) -> Score:
        raise NotImplementedError  # Sentences are compared above.


def common_places(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """The places in `one` of a longest common subsequence; of several, the one that ends last."""
    rows = [[0] * (len(other) + 1)]
    for word in one:
        before, row = rows[-1], [0]
        for at, theirs in enumerate(other):
            row.append(before[at] + 1 if word == theirs else max(before[at + 1], row[at]))
        rows.append(row)
    places, i, j = [], len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif rows[i][j - 1] > rows[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places
