"""What metrics make of a text again and again, kept for a while so that they share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from scoring.metrics.ngrams import Ngram, ngram_counts
from scoring.metrics.tokenizers import tokenizer

# A chunk has about 250 paraphrases with their originals and references; longer texts are made
# anew each time, so that what is kept stays within some 50 MB.
MOST_KEPT = 1024
LONGEST_KEPT = 1000  # characters


class Tokens(tuple[str, ...]):
    """The tokens of a text, with the counts of its n-grams once they were asked for."""

    def __init__(self, words: Iterable[str]) -> None:
        self._counts: dict[int, Counter[Ngram]] = {}

    def counts(self, orders: int) -> Counter[Ngram]:
        """N-grams of the orders 1 to `orders`. Do not change what you get: others share it."""
        if orders not in self._counts:
            self._counts[orders] = ngram_counts(self, orders)
        return self._counts[orders]


def tokens(text: str, cut: str, *, lowercase: bool) -> Tokens:
    """The tokens of a text by the named tokenizer."""
    if len(text) > LONGEST_KEPT:
        return Tokens(tokenizer(cut, lowercase=lowercase)(text))
    return _kept(text, cut, lowercase)


@lru_cache(maxsize=MOST_KEPT)
def _kept(text: str, cut: str, lowercase: bool) -> Tokens:
    return Tokens(tokenizer(cut, lowercase=lowercase)(text))
