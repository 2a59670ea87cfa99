"""A cache of the tokens of texts, shared by metrics."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from scoring.metrics.texts.limits import LONGEST_KEPT, MOST_KEPT
from scoring.metrics.texts.tokenizers import tokenizer

Tokens = tuple[str, ...]


def tokens(text: str, cut: str, *, lowercase: bool) -> Tokens:
    """The tokens of a text by the named tokenizer."""
    return reader(cut, lowercase)(text)


@cache
def reader(cut: str, lowercase: bool) -> Callable[[str], Tokens]:
    """A cached function from a text to its tokens, for metrics that tokenize thousands of texts."""
    split = tokenizer(cut, lowercase=lowercase)

    def made(text: str) -> Tokens:
        return tuple(split(text))

    kept = lru_cache(maxsize=MOST_KEPT)(made)

    def read(text: str) -> Tokens:
        return kept(text) if len(text) <= LONGEST_KEPT else made(text)

    return read
