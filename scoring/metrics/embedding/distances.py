"""Metrics on word vectors: the cosine of two texts as means of their vectors, plain or weighted
(Arora et al. 2017), the word mover's distance (Kusner et al. 2015), solved exactly by POT, and
WEEM4PG (Hailu, Yu and Fantaye 2020, equation 1): near in meaning, far in wording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.base import Analysis, Metric
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import VECTORS, Matrix, Vectors, load_vectors, vectors_sha256
from scoring.metrics.texts.tokenizers import FOLD, WORD_CUT, Tokens, tokens, versions
from scoring.metrics.values import AGAINST_ORIGINAL, Option, Pair, Score

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


# The cosine of two texts as means of their word vectors.


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


# The word mover's distance.


# The solver never came near this on texts of length `longest`; its default is 100,000.
MOST_STEPS = 100_000_000


class Wmd(EmbeddingMetric[Tokens]):
    """The formula:

        WMD = min over T of sum T_ij * |v_i - v_j|, where row i of T sums to the share of word i in
        the paraphrase and column j to that of word j in the original

    Vectors have length 1, so distances are those on a sphere: 0 to 2.
    """

    name = "wmd"
    title = "Word mover's distance"
    summary = say(
        "0 (the same words) to 2, lower is closer: how far the words of one text have to "
        "move to become those of the other, in the space of word vectors. Words without a "
        "vector are left out."
    )
    family = "embedding"
    higher_is_better = False
    # Two texts of 1,000 distinct words take a tenth of a second, and it grows with the cube.
    longest = 5_000
    OPTIONS = EMBEDDING_OPTIONS

    def versions(self) -> dict[str, str]:
        return super().versions() | {"pot": version("pot")}

    def _know(self, targets: tuple[str, ...]) -> Tokens:
        return self.words(targets[0])

    def _score(self, target: Tokens, paraphrase: str) -> Score:
        words = self.words(paraphrase)
        if not target:
            return Score.undefined(NO_WORDS_ORIGINAL)
        if not words:
            return Score.undefined(NO_WORDS)
        candidate, theirs = (Counter(self.vectors.rows_of(text)) for text in (words, target))
        if not theirs:
            return Score.undefined(NO_VECTOR_ORIGINAL)
        if not candidate:
            return Score.undefined(NO_VECTOR)
        detail = {
            "compared": candidate.total(),
            "words": len(words),
            "compared_original": theirs.total(),
            "words_original": len(target),
        }
        return Score(self._distance(candidate, theirs), detail=detail)

    def _distance(self, candidate: Counter[int], theirs: Counter[int]) -> float:
        """The distance from the counts of rows. Shared words stay in place: with the triangle
        inequality no other plan is cheaper, and the problem becomes much smaller."""
        from ot import emd2
        from scipy.spatial.distance import cdist

        # Integers instead of shares: a count times the length of the other text.
        here, there = candidate.total(), theirs.total()
        moves = {row: count * there - theirs[row] * here for row, count in candidate.items()}
        moves |= {row: -count * here for row, count in theirs.items() if row not in candidate}
        give = [row for row, mass in moves.items() if mass > 0]
        take = [row for row, mass in moves.items() if mass < 0]
        if not give:
            return 0.0
        cost = cdist(self.vectors.of(give), self.vectors.of(take))
        given = np.array([moves[row] for row in give], dtype=np.float64)
        taken = np.array([-moves[row] for row in take], dtype=np.float64)
        total = float(emd2(given, taken, cost, numItermax=MOST_STEPS, check_marginals=False))
        return total / (here * there)


# WEEM4PG.


_NOTHING_TO_COMPARE = say(
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
            return Score.undefined(_NOTHING_TO_COMPARE)
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
