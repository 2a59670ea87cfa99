"""PINC (Chen and Dolan 2011): how much of a paraphrase is new."""

from __future__ import annotations

from typing import Any

from scoring.metrics.base import AGAINST_ORIGINAL, Metric, Option, Score
from scoring.metrics.ngrams import Ngram, all_ngrams
from scoring.metrics.texts import reader
from scoring.metrics.tokenizers import LOWERCASE, TOKENIZE, versions

Grams = list[set[str] | set[Ngram]]  # The distinct n-grams of each order; words are no tuples.


class Pinc(Metric[Grams]):
    """0 (a copy) to 1 (no n-gram shared).

        PINC = mean over n = 1..N of 1 - |ngrams(original) & ngrams(paraphrase)|
                                         / |ngrams(paraphrase)|

    n-grams are sets. The mean goes over the orders for which the paraphrase has n-grams at all.
    High also for garbage: read it beside a score of meaning.
    """

    name = "pinc"
    title = "PINC"
    family = "surface"
    OPTIONS = (
        AGAINST_ORIGINAL,
        TOKENIZE,
        LOWERCASE,
        Option("max_n", "4", "The longest n-grams compared.", least=1, most=9),
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
            return Score.undefined("The original has no words.")
        shares = [
            (len(mine) - len(mine & theirs)) / len(mine)
            for mine, theirs in zip(self._know((paraphrase,)), known, strict=True)
            if mine
        ]
        if not shares:
            return Score.undefined("The paraphrase has no words.")
        return Score(sum(shares) / len(shares))
