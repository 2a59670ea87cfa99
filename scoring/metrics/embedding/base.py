"""Base class of metrics on word vectors: options, words and vectors."""

from __future__ import annotations

from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import Analysis, Metric
from scoring.metrics.resources.vectors import VECTORS, Vectors, load_vectors, vectors_sha256
from scoring.metrics.texts import FOLD, WORD_CUT, Tokens, tokens, versions
from scoring.metrics.values import AGAINST_ORIGINAL, Option

NO_WORDS = say("The paraphrase has no words.")
NO_WORDS_ORIGINAL = say("The original has no words.")
NO_VECTOR = say("No word of the paraphrase has a vector.")
NO_VECTOR_ORIGINAL = say("No word of the original has a vector.")

EMBEDDING_OPTIONS: tuple[Option, ...] = (AGAINST_ORIGINAL, VECTORS, WORD_CUT, FOLD)


class EmbeddingMetric(Metric[Analysis]):
    """A metric over the words of two texts and their vectors; always against the original."""

    # Limits the matrix of all pairs of words to some 3,000 by 3,000.
    longest = 20_000
    OPTIONS = EMBEDDING_OPTIONS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._cut = self.options["tokenize"]
        self._lowercase = self.options["lowercase"] == "yes"
        self._vectors: Vectors | None = None

    def words(self, text: str) -> Tokens:
        """The words of a text."""
        return tokens(text, self._cut, lowercase=self._lowercase)

    @property
    def vectors(self) -> Vectors:
        """The vectors, loaded lazily."""
        if self._vectors is None:
            self._vectors = load_vectors(self.options["vectors"])
        return self._vectors

    def load(self) -> None:
        self._vectors = load_vectors(self.options["vectors"])

    def versions(self) -> dict[str, str]:
        return versions(self._cut)

    def resources(self) -> dict[str, str]:
        return {"vectors": vectors_sha256(self.options["vectors"])}
