"""Writing of language models in the ARPA format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.building.corpora import NumberedText, Progress, read_numbered
from scoring.metrics.resources.arpa import (
    BEGIN,
    END,
    MARKS,
    UNKNOWN,
    Keys,
    LanguageModel,
    Level,
    Logs,
)
from scoring.metrics.resources.stores import TextIndex, index_of

_AT_ONCE = 100_000


def write_arpa(model: LanguageModel, stream: BinaryIO) -> None:
    """Write a model: seven digits, n-grams in the order of the store, back-off weights for all
    orders but the highest."""
    stream.write(b"\\data\\\n")
    for order, level in enumerate(model.levels, 1):
        stream.write(f"ngram {order}={len(level)}\n".encode())
    texts = [model.words[at] for at in range(len(model.words))]
    for order in range(1, model.order + 1):
        stream.write(f"\n\\{order}-grams:\n".encode())
        for lines in _lines(model, order, texts):
            stream.write(lines.encode("utf-8", "surrogatepass"))
    stream.write(b"\n\\end\\\n")


def _lines(model: LanguageModel, order: int, texts: list[str]) -> Iterator[str]:
    level = model.levels[order - 1]
    for start in range(0, len(level), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        columns = [[texts[at] for at in column] for column in _columns(model, order, part)]
        ngrams = map(" ".join, zip(*columns, strict=True))
        logs = level.probability[part].tolist()
        if order < model.order:
            rows = zip(logs, ngrams, level.backoff[part].tolist(), strict=True)
            yield "".join([f"{log:.7g}\t{ngram}\t{back:.7g}\n" for log, ngram, back in rows])
        else:
            yield "".join(
                [f"{log:.7g}\t{ngram}\n" for log, ngram in zip(logs, ngrams, strict=True)]
            )


def _columns(model: LanguageModel, order: int, part: slice) -> list[list[int]]:
    """The words of some n-grams, a list for each place."""
    size, columns = len(model.words), []
    keys = model.levels[order - 1].keys[part]
    for below in range(order - 1, 0, -1):
        columns.append((keys % size).tolist())
        keys = model.levels[below - 1].keys[keys // size]
    return [keys.tolist(), *reversed(columns)]


# The n-grams of a text with their counts, by order.


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CountedLevel:
    """The distinct n-grams of one order, sorted by `keys` (see `Level`).

    `counts` are their occurrences; `suffix` is the index, one order below, of each without its
    first word; `at_begin` is true where the first word is `<s>`.
    """

    keys: Keys
    counts: Numbers
    suffix: Numbers
    at_begin: NDArray[np.bool_]

    def prefix(self, n_words: int) -> Numbers:
        """The index, one order below, of each without its last word."""
        return self.keys // n_words

    def __len__(self) -> int:
        return len(self.keys)


def counted(text: NumberedText, order: int) -> tuple[TextIndex, list[CountedLevel]]:
    """The vocabulary with `<s>`, `</s>` and `<unk>`, and the n-grams of orders 1 to `order`.

    A sentence is `<s> words </s>`; lines without words are left out. Order 1 has every word of the
    vocabulary, `<unk>` with 0. Takes about 40 bytes a word of the text.
    """
    words, ids = index_of([END, *text.words, BEGIN, UNKNOWN])
    begin = int(ids[-2])
    stream, within = _stream(text.tokens, ids[:-2], begin)
    numbers = np.arange(len(words), dtype=np.int64)
    counts = np.bincount(stream, minlength=len(words)).astype(np.int64)
    levels = [CountedLevel(numbers, counts, np.zeros_like(numbers), numbers == begin)]
    # By place in the stream: the n-gram of the order below that ends there.
    below, places = stream, np.arange(len(stream), dtype=np.int32)
    for length in range(2, order + 1):
        places = places[within[places] >= length - 1]
        keys = below[places - 1].astype(np.int64) * len(words) + stream[places]
        level, indices = _level(keys, below[places], levels[-1].at_begin, len(words))
        levels.append(level)
        if length < order:
            below = np.full(len(stream), -1, dtype=np.int32)
            below[places] = indices
    return words, levels


def _stream(
    tokens: NDArray[np.int32], ids: NDArray[np.int32], begin: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The text with `<s>` before each sentence and `</s>`, which is ids[0], after it; and the place
    of each within its sentence."""
    before = np.concatenate((np.zeros(1, np.int32), tokens[:-1]))
    tokens = tokens[(tokens != 0) | (before != 0)]
    is_first = np.concatenate(([True], tokens[:-1] == 0))
    places = np.arange(len(tokens)) + np.cumsum(is_first)
    stream = np.full(len(tokens) + int(is_first.sum()), begin, dtype=np.int32)
    stream[places] = ids[tokens]
    starts = places[is_first] - 1
    lengths = np.diff(starts, append=len(stream))
    within = np.arange(len(stream), dtype=np.int32) - np.repeat(starts, lengths).astype(np.int32)
    return stream, within


def _level(
    keys: Keys, below: NDArray[np.int32], at_begin: NDArray[np.bool_], n_words: int
) -> tuple[CountedLevel, NDArray[np.int32]]:
    """The distinct n-grams among these, and the index of each; `below` has their suffixes."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = keys[1:] != keys[:-1]
    indices = np.empty(len(keys), dtype=np.int32)
    indices[order] = np.cumsum(is_new, dtype=np.int32) - 1
    firsts = np.flatnonzero(is_new)
    keys = keys[firsts]
    return CountedLevel(
        keys,
        np.diff(firsts, append=len(order)),
        below[order[firsts]].astype(np.int64),
        at_begin[keys // n_words],
    ), indices


# Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1999).


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
    by_order: list[Discounts] = []
    probabilities: list[Floats] = []
    weights: list[Floats] = []  # By context, for each order above 1.
    for at, level in enumerate(counted):
        counts = _adjusted(counted, at)
        if at == 0:
            counts[begin] = 0
        discount = discounts(counts[np.arange(len(counts)) != unknown] if at == 0 else counts)
        by_order.append(discount)
        taken = np.array((0.0, *discount.values))[np.minimum(counts, 3)]
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
    return _model(words, counted, probabilities, weights, prune), by_order


def _adjusted(counted: Sequence[CountedLevel], at: int) -> Numbers:
    """The counts of one order that the estimate uses."""
    level = counted[at]
    if at + 1 == len(counted):
        return level.counts.copy()
    continued = np.bincount(counted[at + 1].suffix, minlength=len(level)).astype(np.int64)
    return np.where(level.at_begin, level.counts, continued)


def _model(
    words: TextIndex,
    counted: Sequence[CountedLevel],
    probabilities: Sequence[Floats],
    weights: Sequence[Floats],
    prune: Sequence[int],
) -> LanguageModel:
    """The n-grams that are kept, with logarithms."""
    levels: list[Level] = []
    places: Numbers = np.empty(0, np.int64)  # Of the n-grams of the order below, among those kept.
    for at, level in enumerate(counted):
        keys, retained = level.keys, np.ones(len(level), dtype=bool)
        if at > 0:
            retained = level.counts > (prune[at] if at < len(prune) else 0)
            keys = places[level.prefix(len(words))] * len(words) + keys % len(words)
        places = np.cumsum(retained) - 1
        back = _logs(weights[at][retained]) if at < len(weights) else np.empty(0, np.float32)
        levels.append(Level(keys[retained], _logs(probabilities[at][retained]), back))
    return LanguageModel(words, tuple(levels))


def _logs(values: Floats) -> Logs:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log10(values), NEVER).astype(np.float32)


# From a text file to a language model.


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A model with the discounts of each order, and the number of sentences it was made of."""

    model: LanguageModel
    discounts: list[Discounts]
    sentences: int


def pruning_problem(prune: Sequence[int], order: int) -> Sentence:
    """What is wrong with the thresholds of pruning; empty if nothing is."""
    if len(prune) > order:
        return say(
            "there are %(n)s thresholds, but only %(order)s orders.", n=len(prune), order=order
        )
    if prune and (prune[0] != 0 or any(two < one for one, two in pairwise(prune))):
        return say("the thresholds must begin with 0 and must not fall, as in 0 0 1.")
    return NOTHING


def train(
    source: Path,
    *,
    order: int,
    prune: Sequence[int] = (),
    progress: Progress = lambda share: None,
) -> Trained:
    """Estimate a model of a text of one sentence a line, split at white space.

    `prune` has the thresholds of the orders from 1 (see `estimate`); the last one stands for all
    higher orders. ValueError if they are wrong.
    Raises FileRefused with a line for each problem of the text (see `read_numbered`), among them a
    word that models use themselves: `<s>`, `</s>`, `<unk>`.
    """
    if problem := pruning_problem(prune, order):
        raise ValueError(problem)
    thresholds = [*prune, *[prune[-1]] * (order - len(prune))] if prune else []
    text = read_numbered(
        source, str.split, progress=lambda share: progress(share / 3), reserved=MARKS
    )
    words, levels = counted(text, order)
    progress(0.6)
    sentences = int(levels[0].counts[levels[0].at_begin].sum())
    model, by_order = estimate(words, levels, thresholds)
    progress(0.8)
    return Trained(model, by_order, sentences)
