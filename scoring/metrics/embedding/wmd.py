"""The word mover's distance (Kusner et al. 2015), solved exactly by POT."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import version

import numpy as np

from paraanno.common.texts import say
from scoring.metrics.embedding.base import (
    EMBEDDING_OPTIONS,
    NO_VECTOR,
    NO_VECTOR_ORIGINAL,
    NO_WORDS,
    NO_WORDS_ORIGINAL,
    EmbeddingMetric,
)
from scoring.metrics.texts import Tokens
from scoring.metrics.values import Score

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
