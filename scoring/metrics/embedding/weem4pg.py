"""WEEM4PG (Hailu, Yu and Fantaye 2020, equation 1): near in meaning, far in wording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from paraanno.common.texts import say
from scoring.metrics.embedding.base import (
    EMBEDDING_OPTIONS,
    NO_WORDS,
    NO_WORDS_ORIGINAL,
    EmbeddingMetric,
)
from scoring.metrics.resources.vectors import Matrix
from scoring.metrics.values import Option, Score

_NOTHING = say(
    "No word of the paraphrase can be compared: none is in the original or has a vector."
)
_NO_OVERLAP = say("No word is shared, and zero_overlap=undefined.")


@dataclass(frozen=True, slots=True)
class OriginalWords:
    """The words of an original with their counts, and the vectors of those that have one."""

    counts: Counter[str]
    matrix: Matrix


class Weem4pg(EmbeddingMetric[OriginalWords]):
    """WEEM4PG = sqrt(N) / N * (w_1 + ... + w_n) / n.

    N is the number of shared words, n the length of the paraphrase, and w_i the greatest cosine of
    its word i to a word of the original: 1 for a shared word, with or without a vector. Negative
    cosines are kept. The options settle what the paper leaves open.
    """

    name = "weem4pg"
    title = "WEEM4PG"
    summary = say(
        "-1 to 1: the mean cosine of each word of the paraphrase to its nearest word in the "
        "original, times a factor that decreases as the two share more words."
    )
    family = "embedding"
    OPTIONS = (
        *EMBEDDING_OPTIONS,
        Option(
            "zero_overlap",
            "one",
            say(
                "The paper's factor where no word is shared (0/0): one, as for one shared word; "
                "zero; or undefined, so that the text gets no score."
            ),
            ("one", "zero", "undefined"),
        ),
        Option(
            "unknown",
            "zero",
            say(
                "A word that has no vector and is not in the original: zero counts it "
                "with cosine 0; "
                "skip leaves it out of the mean."
            ),
            ("zero", "skip"),
        ),
        Option(
            "count",
            "tokens",
            say(
                "Shared words: tokens (each occurrence, at most as often as in the original), "
                "types (each word once), or types_by_tokens (sqrt(types) / tokens)."
            ),
            ("tokens", "types", "types_by_tokens"),
        ),
        Option(
            "factor",
            "paper",
            say("paper: sqrt(N) / N; share: 1 - N / n, which does not punish long texts (ours)."),
            ("paper", "share"),
        ),
    )

    def _know(self, targets: tuple[str, ...]) -> OriginalWords:
        counts = Counter(self.words(targets[0]))
        return OriginalWords(counts, self.vectors.of(self.vectors.rows_of(list(counts))))

    def _score(self, target: OriginalWords, paraphrase: str) -> Score:
        words = self.words(paraphrase)
        if not target.counts:
            return Score.undefined(NO_WORDS_ORIGINAL)
        if not words:
            return Score.undefined(NO_WORDS)
        shared = [word for word in words if word in target.counts]
        rest = [word for word in words if word not in target.counts]
        rows = self.vectors.rows_of(rest) if len(target.matrix) else []
        compared = len(shared) + len(rows)
        if not compared:
            return Score.undefined(_NOTHING)
        factor = self._factor(target.counts, words, shared)
        if factor is None:
            return Score.undefined(_NO_OVERLAP)
        total = float(len(shared))
        if rows:
            cosines = self.vectors.of(rows) @ target.matrix.T
            total += float(cosines.max(axis=1).sum(dtype=np.float64))
        length = compared if self.options["unknown"] == "skip" else len(words)
        # Products of unit vectors in single precision may slightly exceed 1.
        mean = max(-1.0, min(1.0, total / length))
        return Score(factor * mean, detail={"compared": compared, "words": len(words)})

    def _factor(
        self, original: Counter[str], words: Sequence[str], shared: list[str]
    ) -> float | None:
        """The factor for shared words; None if undefined."""
        distinct = set(shared)
        types = tokens = len(distinct)
        if types < len(shared):
            tokens = sum(min(original[word], shared.count(word)) for word in distinct)
        over, under = _COUNTS[self.options["count"]](tokens, types)
        if self.options["factor"] == "share":
            return 1 - under / len(set(words) if self.options["count"] == "types" else words)
        return sqrt(over) / under if under else _ZERO[self.options["zero_overlap"]]


_ZERO = {"one": 1.0, "zero": 0.0, "undefined": None}
# From tokens and types: the number under the root, and the one that divides it.
_COUNTS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "tokens": lambda tokens, types: (tokens, tokens),
    "types": lambda tokens, types: (types, types),
    "types_by_tokens": lambda tokens, types: (types, tokens),
}
