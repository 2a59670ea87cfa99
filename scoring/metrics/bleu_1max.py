"""BLEU as the APEM paper (Moon et al. 2015) describes it: identical words by all words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scoring.metrics.base import AGAINST, YES_NO, Metric, Option, Score, references_option
from scoring.metrics.corpus import NO_WORDS, NO_WORDS_TARGET
from scoring.metrics.texts import Tokens, tokens
from scoring.metrics.tokenizers import versions
from scoring.metrics.words import FOLD, WORD_CUT


class Bleu1Max(Metric[dict[str, int]]):
    """0 to 1: the share of the words of the paraphrase that the reference has too; of several
    references the greatest share. No longer n-grams, no penalty for short texts."""

    name = "bleu_1max"
    title = "BLEU-1max"
    family = "overlap"
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        WORD_CUT,
        FOLD,
        Option(
            "clip",
            "yes",
            "A repeated word is identical at most as often as the reference has it; no counts "
            "each one, so that one right word repeated has 1.",
            YES_NO,
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._cut = self.options["tokenize"]
        self._lowercase = self.options["lowercase"] == "yes"
        self._clip = self.options["clip"] == "yes"

    def versions(self) -> dict[str, str]:
        return versions(self._cut)

    def words(self, text: str) -> Tokens:
        """The words of a text."""
        return tokens(text, self._cut, lowercase=self._lowercase)

    def _know(self, targets: tuple[str, ...]) -> dict[str, int]:
        return dict(Counter(self.words(targets[0])))

    def _score(self, known: dict[str, int], paraphrase: str) -> Score:
        if not known:
            return Score.undefined(NO_WORDS_TARGET)
        text = self.words(paraphrase)
        if not text:
            return Score.undefined(NO_WORDS)
        if not self._clip:
            return Score(sum(word in known for word in text) / len(text))
        left = known.copy()
        identical = 0
        for word in text:
            if left.get(word):
                left[word] -= 1
                identical += 1
        return Score(identical / len(text))
