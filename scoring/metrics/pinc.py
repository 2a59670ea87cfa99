"""PINC (Chen and Dolan 2011): how much of a paraphrase is new."""

from __future__ import annotations

from typing import Any

from scoring.metrics.base import AGAINST_ORIGINAL, Metric, Option, Score
from scoring.metrics.texts import Tokens, tokens
from scoring.metrics.tokenizers import LOWERCASE, TOKENIZE, versions


class Pinc(Metric[Tokens]):
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
        self._lowercase = self.options["lowercase"] == "yes"

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def _know(self, targets: tuple[str, ...]) -> Tokens:
        return tokens(targets[0], self.options["tokenize"], lowercase=self._lowercase)

    def _score(self, known: Tokens, paraphrase: str) -> Score:
        if not known:
            return Score.undefined("The original has no words.")
        text = tokens(paraphrase, self.options["tokenize"], lowercase=self._lowercase)
        if not text:
            return Score.undefined("The paraphrase has no words.")
        before = known.counts(self._orders)
        distinct = [0] * self._orders
        new = [0] * self._orders
        for ngram in text.counts(self._orders):
            distinct[len(ngram) - 1] += 1
            if ngram not in before:
                new[len(ngram) - 1] += 1
        shares = [mine / all_ for mine, all_ in zip(new, distinct, strict=True) if all_]
        return Score(sum(shares) / len(shares))
