"""Simple comparisons of two texts: edit distance, sets of n-grams, lengths."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from importlib.metadata import version
from typing import Any

from rapidfuzz.distance import Levenshtein

from paraanno.common.texts import say
from scoring.metrics.base import NO_WORDS, NO_WORDS_ORIGINAL, NO_WORDS_TARGET, Analysis, Metric
from scoring.metrics.texts.tokenizers import (
    FOLD,
    LOWERCASE,
    TOKENIZE,
    WORD_CUT,
    Ngram,
    all_ngrams,
    ngrams,
    reader,
    versions,
)
from scoring.metrics.values import AGAINST, AGAINST_ORIGINAL, Option, Score, references_option

TOO_SHORT = say("Both texts are too short for n consecutive words.")
Grams = set[str] | set[Ngram]  # Single words are not tuples.
OPTIONS = (AGAINST, references_option("max", "mean"), WORD_CUT, FOLD)


class _OfWords(Metric[Analysis]):
    """Base class of metrics on the words of two texts."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._cut = self.options["tokenize"]
        self.words = reader(self._cut, self.options["lowercase"] == "yes")

    def versions(self) -> dict[str, str]:
        return versions(self._cut)


class EditSimilarity(_OfWords[Sequence[Hashable]]):
    """`unit=characters` counts the characters of the words, joined by single spaces."""

    name = "edit_similarity"
    title = "Edit similarity"
    summary = say(
        "0 (nothing in common) to 1 (a copy): 1 minus the minimum number of words inserted, "
        "deleted or replaced, divided by the length of the longer text."
    )
    family = "surface"
    # The distance between two texts of 100,000 characters takes seconds.
    longest = 20_000
    OPTIONS = (
        *OPTIONS,
        Option(
            "unit",
            "words",
            say("The unit of insertions, deletions and replacements."),
            ("words", "characters"),
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._characters = self.options["unit"] == "characters"

    def versions(self) -> dict[str, str]:
        return super().versions() | {"rapidfuzz": version("rapidfuzz")}

    def _know(self, targets: tuple[str, ...]) -> Sequence[Hashable]:
        words = self.words(targets[0])
        return " ".join(words) if self._characters else words

    def _score(self, target: Sequence[Hashable], paraphrase: str) -> Score:
        if not target:
            return Score.undefined(NO_WORDS_TARGET)
        candidate = self._know((paraphrase,))
        if not candidate:
            return Score.undefined(NO_WORDS)
        return Score(1 - Levenshtein.distance(target, candidate) / max(len(target), len(candidate)))


class Jaccard(_OfWords[Grams | None]):
    """Shared word n-grams divided by all word n-grams."""

    name = "jaccard"
    title = "Jaccard overlap"
    summary = say(
        "0 (nothing in common) to 1 (the same words): the number of distinct words in both "
        "texts divided by the number in either."
    )
    family = "overlap"
    OPTIONS = (
        *OPTIONS,
        Option("n", "1", say("Compare sets of n consecutive words."), least=1, most=9),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._order = int(self.options["n"])

    def _know(self, targets: tuple[str, ...]) -> Grams | None:
        """The distinct n-grams; None for a text without words."""
        words = self.words(targets[0])
        if not words:
            return None
        return set(words) if self._order == 1 else set(ngrams(words, self._order))

    def _score(self, target: Grams | None, paraphrase: str) -> Score:
        if target is None:
            return Score.undefined(NO_WORDS_TARGET)
        candidate = self._know((paraphrase,))
        if candidate is None:
            return Score.undefined(NO_WORDS)
        shared = len(candidate & target)
        either = len(candidate) + len(target) - shared
        if not either:
            return Score.undefined(TOO_SHORT)
        return Score(shared / either)


class LengthRatio(_OfWords[int]):
    """`higher_is_better` is true only so that no page reverses the sign of the ratio."""

    name = "length_ratio"
    title = "Length ratio"
    summary = say(
        "Above 0; 1 for as many words as the text compared with. Neither higher nor lower is "
        "better: it shows whether length may explain a correlation."
    )
    family = "surface"
    OPTIONS = (AGAINST, references_option("mean"), WORD_CUT, FOLD)

    def _know(self, targets: tuple[str, ...]) -> int:
        return len(self.words(targets[0]))

    def _score(self, target: int, paraphrase: str) -> Score:
        if not target:
            return Score.undefined(NO_WORDS_TARGET)
        length = len(self.words(paraphrase))
        return Score(length / target) if length else Score.undefined(NO_WORDS)


# PINC (Chen and Dolan 2011): how much of a paraphrase is new.


# The distinct n-grams of each order; single words are not tuples.
PincGrams = list[set[str] | set[Ngram]]


class Pinc(Metric[PincGrams]):
    """The formula:

        PINC = mean over n = 1..N of 1 - |ngrams(original) & ngrams(paraphrase)|
                                         / |ngrams(paraphrase)|

    n-grams are sets. The mean is over the orders for which the paraphrase has any n-grams. Also
    high for garbage: read it together with a score of meaning.
    """

    name = "pinc"
    title = "PINC"
    summary = say("0 (a copy) to 1 (no n-gram shared).")
    family = "surface"
    OPTIONS = (
        AGAINST_ORIGINAL,
        TOKENIZE,
        LOWERCASE,
        Option("max_n", "4", say("Maximum length of n-grams."), least=1, most=9),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._orders = int(self.options["max_n"])
        self._read = reader(self.options["tokenize"], self.options["lowercase"] == "yes")

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def _know(self, targets: tuple[str, ...]) -> PincGrams:
        words = self._read(targets[0])
        _, *longer = all_ngrams(words, self._orders)
        return [set(words), *map(set, longer)]

    def _score(self, target: PincGrams, paraphrase: str) -> Score:
        if not target[0]:
            return Score.undefined(NO_WORDS_ORIGINAL)
        shares = [
            (len(grams) - len(grams & theirs)) / len(grams)
            for grams, theirs in zip(self._know((paraphrase,)), target, strict=True)
            if grams
        ]
        if not shares:
            return Score.undefined(NO_WORDS)
        return Score(sum(shares) / len(shares))
