"""Adequacy by a pivot language: do two texts stand for the same phrases of another language?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import NO_WORDS, Metric
from scoring.metrics.resources.table import phrase_key
from scoring.metrics.resources.translations import (
    TRANSLATIONS,
    Translations,
    load_translations,
    translations_sha256,
)
from scoring.metrics.texts.tokenizers import all_ngrams
from scoring.metrics.values import AGAINST_ORIGINAL, Option, Score

LONGEST = 3  # Words of a phrase.
LEAST = 0.05  # Probability of a translation that counts.
COVERED = 0.5  # The share of words that must be in a known phrase.
MOST_CACHED = 20_000
_NO_WORDS_ORIGINAL = say("The original has no words.")
Bag = Mapping[str, float]


class Cut:
    """A text by its phrases: the bag of foreign n-grams that they stand for, and how many of its
    words are in a phrase with translations."""

    __slots__ = ("bag", "covered", "words")

    def __init__(self, bag: Bag, words: int, covered: int) -> None:
        self.bag, self.words, self.covered = bag, words, covered

    @property
    def coverage(self) -> float:
        return self.covered / self.words


class PivotF1(Metric[Cut]):
    """F1 of the foreign words that both texts stand for, by the phrases of a phrase table.

    Each text is cut into phrases of up to 3 words, the longest first; a phrase stands for its
    translations, weighted by their probability.
    """

    name = "pivot_f1"
    title = "Pivot F1"
    summary = say(
        "0 to 1: how much of what the phrases of both texts mean in another language is the same, "
        "by a phrase table."
    )
    family = "paraphrase table"
    keeps_detail = True
    longest = 20_000
    OPTIONS = (
        AGAINST_ORIGINAL,
        TRANSLATIONS,
        Option(
            "order",
            "1",
            say("Foreign n-grams of one word up to this many words are compared."),
            least=1,
            most=4,
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._order = int(self.options["order"])
        self._translations: Translations | None = None
        self._bag_of = lru_cache(MOST_CACHED)(self._bag)

    @property
    def translations(self) -> Translations:
        """The translations, loaded lazily."""
        if self._translations is None:
            self._translations = load_translations(self.options["translations"])
        return self._translations

    def load(self) -> None:
        self._translations = load_translations(self.options["translations"])

    def resources(self) -> dict[str, str]:
        return {"translations": translations_sha256(self.options["translations"])}

    def cut(self, text: str) -> Cut:
        """A text by its phrases."""
        words = phrase_key(text).split()
        whole: defaultdict[str, float] = defaultdict(float)
        at = covered = 0
        while at < len(words):
            length, bag = self._phrase_at(words, at)
            for gram, weight in bag.items():
                whole[gram] += weight
            covered += length
            at += max(1, length)
        return Cut(dict(whole), len(words), covered)

    def _know(self, targets: tuple[str, ...]) -> Cut:
        return self.cut(targets[0])

    def _score(self, target: Cut, paraphrase: str) -> Score:
        candidate = self.cut(paraphrase)
        if not target.words:
            return Score.undefined(_NO_WORDS_ORIGINAL)
        if not candidate.words:
            return Score.undefined(NO_WORDS)
        least = min(target.coverage, candidate.coverage)
        detail = {"covered": least}
        if least < COVERED:
            return Score(
                None,
                say(
                    "Only %(share)s %% of the words of a text are in the table; is it of another "
                    "language?",
                    share=round(100 * least),
                ),
                detail,
            )
        shared = sum(
            min(weight, target.bag[gram])
            for gram, weight in candidate.bag.items()
            if gram in target.bag
        )
        total = sum(candidate.bag.values()) + sum(target.bag.values())
        return Score(2 * shared / total, detail=detail)

    def _phrase_at(self, words: Sequence[str], at: int) -> tuple[int, Bag]:
        """How many words the longest known phrase has that begins here, and its bag; 0 and the
        word itself if there is none."""
        for length in range(min(LONGEST, len(words) - at), 0, -1):
            if bag := self._bag_of(" ".join(words[at : at + length])):
                return length, bag
        # With a blank, which no foreign n-gram begins with.
        return 0, {f" {words[at]}": 1.0}

    def _bag(self, phrase: str) -> Bag:
        """The foreign n-grams of a phrase, each with the share of its translations that have it;
        empty if no translation is probable enough."""
        likely = [one for one in self.translations.of(phrase) if one[1] >= LEAST]
        total = sum(probability for _, probability in likely)
        bag: defaultdict[str, float] = defaultdict(float)
        for foreign, probability in likely:
            for gram in chain.from_iterable(all_ngrams(foreign.split(), self._order)):
                bag[" ".join(gram)] += probability / total
        return dict(bag)
