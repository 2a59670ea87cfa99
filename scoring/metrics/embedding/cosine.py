"""The cosine of two texts as means of their word vectors, plain or weighted (Arora et al. 2017)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.embedding.base import (
    EMBEDDING_OPTIONS,
    NO_VECTOR,
    NO_VECTOR_ORIGINAL,
    NO_WORDS,
    NO_WORDS_ORIGINAL,
    EmbeddingMetric,
)
from scoring.metrics.files import FileRefused
from scoring.metrics.values import Option, Pair, Score

Vector = NDArray[np.float64]

SIF_A = 1e-3  # The a of Arora et al. (2017, section 4.1).
_NONE_LEFT = say("The word vectors of a text cancel each other out.")
_NO_LENGTHS = say(
    "was stored by an earlier version, without the lengths of its vectors: for weights=raw, remove "
    "it and add its file again."
)
# A sum this short is rounding: each vector has length 1 in single precision.
_NOTHING = 1e-6
_BLOCK = 1000


@dataclass(frozen=True, slots=True)
class Text:
    """The direction of a text (length 1; None if undefined), its words, and how many of them have a
    vector."""

    direction: Vector | None
    words: int
    covered: int

    def why(self, reasons: tuple[str, str, str]) -> str:
        """The reason why it has no direction: no words, none with a vector, or vectors that cancel
        out."""
        return reasons[2 if self.covered else 1 if self.words else 0]


class EmbeddingCosine(EmbeddingMetric[Text]):
    """Word vectors have length 1, so that each word has equal weight. `weights=sif` weights a word
    by a / (a + p), where p is its share of all words of the campaign and a is 0.001; `weights=raw`
    leaves vectors as long as they are in their file.
    `common=remove` removes the first singular vector of all texts of the campaign, their common
    component. Both together are the SIF embedding of Arora et al. (2017).
    """

    name = "embedding_cosine"
    title = "Embedding cosine"
    summary = say(
        "-1 to 1: the cosine of two texts, each as the mean of the vectors of its words. Words "
        "without a vector are left out."
    )
    family = "embedding"
    OPTIONS = (
        *EMBEDDING_OPTIONS,
        Option(
            "weights",
            "mean",
            say(
                "mean weights all words equally; sif gives less weight to words that "
                "are frequent in "
                "the campaign (Arora et al. 2017); raw leaves each vector as long as it is in its "
                "file, as gensim's n_similarity does."
            ),
            ("mean", "sif", "raw"),
        ),
        Option(
            "common",
            "keep",
            say(
                "The common component of all texts of the campaign (first singular "
                "vector): keep or "
                "remove it (Arora et al. 2017)."
            ),
            ("keep", "remove"),
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._sif = self.options["weights"] == "sif"
        self._raw = self.options["weights"] == "raw"
        self._scale = 0.0  # The length of a usual vector; computed with the first text.
        self._removes = self.options["common"] == "remove"
        self.needs_state = self._sif or self._removes
        self._weight: Callable[[str], float] = _alike
        self._common: Vector | None = None

    def load(self) -> None:
        super().load()
        if self._raw:
            self._lengths()

    def prepare(self, pairs: Iterable[Pair]) -> Any:
        """Word counts of the distinct texts, and their first singular vector."""
        every = (text for pair in pairs for text in (pair.original, pair.paraphrase))
        texts = list(dict.fromkeys(every))
        state: dict[str, object] = {}
        if self._sif:
            state["counts"] = dict(Counter(word for text in texts for word in self.words(text)))
        if self._removes:
            self.use({**state, "common": None})
            state["common"] = self._first_singular_vector(texts)
        return state

    def use(self, state: Any) -> None:
        super().use(state)
        if self._sif:
            self._weight = _sif(state["counts"])
        if self._removes:
            common = state["common"]
            self._common = None if common is None else np.array(common)
        self.state = None  # Its counts grow with the campaign, and the weights contain them.

    def _first_singular_vector(self, texts: Sequence[str]) -> list[float] | None:
        """The first singular vector of all texts with a direction; None if there are none.

        Accumulated as a square matrix of the size of a vector, so that memory does not grow with
        the number of texts. Rounded, so that machines with another order of summation agree.
        """
        size = self.vectors.matrix.shape[1]
        total = np.zeros((size, size))
        for start in range(0, len(texts), _BLOCK):
            block = texts[start : start + _BLOCK]
            means = np.array([self._mean(self.words(text))[0] for text in block])
            total += means.T @ means
        values, directions = np.linalg.eigh(total)
        if not values[-1] > 0:
            return None
        first = directions[:, -1]
        first *= np.sign(first[np.abs(first).argmax()])
        return [round(float(value), 6) for value in first]

    def _mean(self, words: Sequence[str]) -> tuple[Vector, int]:
        """The weighted sum of vectors divided by the number of words that have one, and that
        number."""
        # `raw` needs the lengths of a file, which it has for its own words alone.
        get = self.vectors.rows.get if self._raw else self.vectors.row
        in_vocabulary = [(row, word) for word in words if (row := get(word)) is not None]
        if not in_vocabulary:
            return np.zeros(self.vectors.matrix.shape[1]), 0
        rows = [row for row, _ in in_vocabulary]
        if self._raw:
            weights = self._lengths()[rows] / self._scale
        else:
            weights = np.array([self._weight(word) for _, word in in_vocabulary])
        return weights @ self.vectors.of(rows) / len(rows), len(rows)

    def _lengths(self) -> Vector:
        """The lengths of all vectors; FileRefused if the store has none."""
        lengths = self.vectors.lengths
        if lengths is None:
            raise FileRefused.at(Path(self.options["vectors"]), 0, _NO_LENGTHS)
        # Without a scale, all texts of a file with tiny vectors would seem to cancel out.
        self._scale = self._scale or float(np.median(lengths))
        return lengths

    def _text(self, text: str) -> Text:
        words = self.words(text)
        mean, covered = self._mean(words)
        if self._common is not None:
            mean -= self._common * (self._common @ mean)
        length = float(np.sqrt(mean @ mean))
        return Text(mean / length if length > _NOTHING else None, len(words), covered)

    def _know(self, targets: tuple[str, ...]) -> Text:
        return self._text(targets[0])

    def _score(self, target: Text, paraphrase: str) -> Score:
        candidate = self._text(paraphrase)
        if target.direction is None:
            return Score.undefined(target.why((NO_WORDS_ORIGINAL, NO_VECTOR_ORIGINAL, _NONE_LEFT)))
        if candidate.direction is None:
            return Score.undefined(candidate.why((NO_WORDS, NO_VECTOR, _NONE_LEFT)))
        cosine = float(target.direction @ candidate.direction)
        detail = {
            "compared": candidate.covered,
            "words": candidate.words,
            "compared_original": target.covered,
            "words_original": target.words,
        }
        return Score(max(-1.0, min(1.0, cosine)), detail=detail)


def _alike(word: str) -> float:
    return 1.0


def _sif(counts: Mapping[str, int]) -> Callable[[str], float]:
    """The SIF weight of a word; 1 for a word unknown in the campaign."""
    total = sum(counts.values()) or 1
    weights = {word: SIF_A / (SIF_A + count / total) for word, count in counts.items()}
    return lambda word: weights.get(word, 1.0)
