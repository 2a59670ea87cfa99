"""The tokens of texts, kept for a while so that metrics share them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from scoring.metrics.tokenizers import tokenizer

# A chunk has about 250 paraphrases with their originals and references; longer texts are cut
# anew each time, so that what is kept stays within some 10 MB for each tokenizer.
MOST_KEPT = 1024
LONGEST_KEPT = 1000  # characters

Tokens = tuple[str, ...]


def tokens(text: str, cut: str, *, lowercase: bool) -> Tokens:
    """The tokens of a text by the named tokenizer."""
    return reader(cut, lowercase)(text)


@cache
def reader(cut: str, lowercase: bool) -> Callable[[str], Tokens]:
    """The function from a text to its tokens, for metrics that cut thousands of texts."""
    split = tokenizer(cut, lowercase=lowercase)

    def made(text: str) -> Tokens:
        return tuple(split(text))

    kept = lru_cache(maxsize=MOST_KEPT)(made)

    def read(text: str) -> Tokens:
        return kept(text) if len(text) <= LONGEST_KEPT else made(text)

    return read
