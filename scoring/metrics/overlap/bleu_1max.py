"""BLEU as the APEM paper (Moon et al. 2015) describes it: identical words divided by all words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST, YES_NO, Metric, Option, Score, references_option
from scoring.metrics.corpus_metric import NO_WORDS, NO_WORDS_TARGET
from scoring.metrics.texts import FOLD, WORD_CUT, Tokens, tokens, versions


class Bleu1Max(Metric[dict[str, int]]):
    """Unigram BLEU against the best-matching reference."""

    name = "bleu_1max"
    title = "BLEU-1max"
    summary = say(
        "0 to 1: the share of the words of the paraphrase that are also in the reference; "
        "with several references, the greatest share. Single words only, no penalty for "
        "short texts."
    )
    family = "overlap"
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        WORD_CUT,
        FOLD,
        Option(
            "clip",
            "yes",
            say(
                "yes: a repeated word matches at most as often as it is in the "
                "reference; no: every "
                "occurrence matches, so that one correct word repeated scores 1."
            ),
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
