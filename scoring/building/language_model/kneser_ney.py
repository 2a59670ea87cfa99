"""Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1999)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.building.language_model.counting import CountedLevel, Numbers
from scoring.metrics.resources.language_model import (
    BEGIN,
    UNKNOWN,
    LanguageModel,
    Level,
    Logs,
)
from scoring.metrics.resources.text_index import TextIndex

FALLBACK = (0.5, 1.0, 1.5)
NEVER = -99.0  # Log10 of 0, as other programs write it: `<s>` is never predicted.
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Discounts:
    """What is taken from n-grams of one order that were seen once, twice, and three times or more.

    `estimated` is false where the counts allow no estimate and FALLBACK stands instead.
    """

    values: tuple[float, float, float]
    estimated: bool


def discounts(counts: Numbers) -> Discounts:
    """The discounts of the counts of one order: D_j = j - (j + 1) Y n_(j+1) / n_j with
    Y = n_1 / (n_1 + 2 n_2), where n_j n-grams have exactly the count j.

    They fall back where one of n_1 to n_4 is 0, or a D_j is not within 0 and j.
    """
    n = [int(np.count_nonzero(counts == j)) for j in range(1, 5)]
    if not all(n):
        return Discounts(FALLBACK, estimated=False)
    y = n[0] / (n[0] + 2 * n[1])
    one, two, more = (j - (j + 1) * y * n[j] / n[j - 1] for j in (1, 2, 3))
    if not (0 <= one <= 1 and 0 <= two <= 2 and 0 <= more <= 3):
        return Discounts(FALLBACK, estimated=False)
    return Discounts((one, two, more), estimated=True)


def estimate(
    words: TextIndex, counted: Sequence[CountedLevel], prune: Sequence[int] = ()
) -> tuple[LanguageModel, list[Discounts]]:
    """The model of counted n-grams (orders from 1), and the discounts of each order.

    Below the highest order the count of an n-gram is the number of distinct words before it, but
    its occurrences where it begins with `<s>`. Words interpolate with the uniform distribution
    over the vocabulary, so that `<unk>` has a probability.

    N-grams that occur at most `prune[order - 1]` times are left out after the discounts are
    estimated, and their mass goes to the shorter n-grams; the thresholds begin with 0 and do not
    fall. Without `prune` all are kept.
    """
    begin, unknown = words.find((BEGIN, UNKNOWN))
    found: list[Discounts] = []
    probabilities: list[Floats] = []
    weights: list[Floats] = []  # By context, for each order above 1.
    for at, level in enumerate(counted):
        counts = _adjusted(counted, at)
        if at == 0:
            counts[begin] = 0
        told = discounts(counts[np.arange(len(counts)) != unknown] if at == 0 else counts)
        found.append(told)
        taken = np.array((0.0, *told.values))[np.minimum(counts, 3)]
        if at == 0:
            total = float(counts.sum())
            mass = float(taken.sum()) / total
            # All words but `<s>`.
            probability = (counts - taken) / total + mass / (len(words) - 1)
            probability[begin] = 0.0
        else:
            context, below = level.prefix(len(words)), len(counted[at - 1])
            gone = level.counts <= (prune[at] if at < len(prune) else 0)
            taken[gone] = counts[gone]
            totals = np.bincount(context, weights=counts, minlength=below)
            mass_of = np.bincount(context, weights=taken, minlength=below)
            # A context that nothing follows is the end of a sentence, and passes all on.
            weight = np.divide(mass_of, totals, out=np.ones(below), where=totals > 0)
            probability = (counts - taken) / totals[context]
            probability += weight[context] * probabilities[-1][level.suffix]
            weights.append(weight)
        probabilities.append(probability)
    return _model(words, counted, probabilities, weights, prune), found


def _adjusted(counted: Sequence[CountedLevel], at: int) -> Numbers:
    """The counts of one order that the estimate uses."""
    level = counted[at]
    if at + 1 == len(counted):
        return level.counts.copy()
    continued = np.bincount(counted[at + 1].suffix, minlength=len(level)).astype(np.int64)
    return np.where(level.at_begin, level.counts, continued)


def _model(
    words: TextIndex, counted: Sequence[CountedLevel], probabilities: Sequence[Floats],
    weights: Sequence[Floats], prune: Sequence[int],
) -> LanguageModel:  # fmt: skip
    """The n-grams that are kept, with logarithms."""
    levels: list[Level] = []
    places: Numbers = np.empty(0, np.int64)  # Of the n-grams of the order below, among those kept.
    for at, level in enumerate(counted):
        keys, kept = level.keys, np.ones(len(level), dtype=bool)
        if at > 0:
            kept = level.counts > (prune[at] if at < len(prune) else 0)
            keys = places[level.prefix(len(words))] * len(words) + keys % len(words)
        places = np.cumsum(kept) - 1
        back = _logs(weights[at][kept]) if at < len(weights) else np.empty(0, np.float32)
        levels.append(Level(keys[kept], _logs(probabilities[at][kept]), back))
    return LanguageModel(words, tuple(levels))


def _logs(values: Floats) -> Logs:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log10(values), NEVER).astype(np.float32)
