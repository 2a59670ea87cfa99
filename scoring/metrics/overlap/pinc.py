"""PINC (Chen and Dolan 2011): how much of a paraphrase is new."""

from __future__ import annotations

from typing import Any

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST_ORIGINAL, Metric, Option, Score
from scoring.metrics.corpus_metric import NO_WORDS, NO_WORDS_ORIGINAL
from scoring.metrics.texts import LOWERCASE, TOKENIZE, Ngram, all_ngrams, reader, versions

# The distinct n-grams of each order; single words are not tuples.
Grams = list[set[str] | set[Ngram]]


class Pinc(Metric[Grams]):
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

    def _know(self, targets: tuple[str, ...]) -> Grams:
        words = self._read(targets[0])
        _, *longer = all_ngrams(words, self._orders)
        return [set(words), *map(set, longer)]

    def _score(self, known: Grams, paraphrase: str) -> Score:
        if not known[0]:
            return Score.undefined(NO_WORDS_ORIGINAL)
        shares = [
            (len(mine) - len(mine & theirs)) / len(mine)
            for mine, theirs in zip(self._know((paraphrase,)), known, strict=True)
            if mine
        ]
        if not shares:
            return Score.undefined(NO_WORDS)
        return Score(sum(shares) / len(shares))
