"""Tokens, n-grams, stems and morphemes of texts; metrics import from this package."""

from scoring.metrics.texts.tokenizers import (
    LOWERCASE,
    NLTK,
    ROUGE_SCORE,
    TOKENIZE,
    Tokens,
    reader,
    stem,
    stem_versions,
    tokens,
    versions,
)
from scoring.metrics.texts.words import (
    FOLD,
    WORD_CUT,
    Ngram,
    all_ngrams,
    matches,
    ngram_counts,
    ngrams,
    words,
)

__all__ = [
    "FOLD",
    "LOWERCASE",
    "NLTK",
    "ROUGE_SCORE",
    "TOKENIZE",
    "WORD_CUT",
    "Ngram",
    "Tokens",
    "all_ngrams",
    "matches",
    "ngram_counts",
    "ngrams",
    "reader",
    "stem",
    "stem_versions",
    "tokens",
    "versions",
    "words",
]
