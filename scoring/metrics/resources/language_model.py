"""N-gram language models with back-off weights: scoring of sentences, and stores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import About
from scoring.metrics.resources.text_index import TextIndex, mapped, mapped_index

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
MARKS = frozenset((BEGIN, END, UNKNOWN))  # Words of a model that no text may have.
HIGHEST_ORDER = 7

Value = TypeVar("Value", np.float64, np.int64)
Keys = NDArray[np.int64]
Logs = NDArray[np.float32]
ABOUT = About(
    frozenset({"order", "words", "ngrams"}),
    say("is not a store of a language model; create it again."),
    say("is not that of a language model, or incomplete; create the store again."),
)


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The n-grams of one order.

    `keys` are sorted and distinct: the index of the n-gram without its last word, one order below,
    times the number of words, plus the number of the last word. `probability` and `backoff` are
    logarithms to base 10; the highest order has no back-off weights.
    """

    keys: Keys
    probability: Logs
    backoff: Logs

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceScores:
    """Aligned with the sentences: the log10 probability with the sentence's end, the number of
    words without it, how many of these the model does not know, and the sum of the words' log10
    probabilities without context (without the end)."""

    logprob: NDArray[np.float64]
    words: NDArray[np.int64]
    unknown: NDArray[np.int64]
    alone: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel:
    """A model of `order` words: `words` has its vocabulary with `<s>`, `</s>` and `<unk>`, and
    `levels` the n-grams of each order from 1; at order 1 the key is the number of the word."""

    words: TextIndex
    levels: tuple[Level, ...]

    @property
    def order(self) -> int:
        return len(self.levels)

    def marks(self) -> tuple[int, int, int]:
        """The numbers of `<s>`, `</s>` and `<unk>`."""
        begin, end, unknown = self.words.find((BEGIN, END, UNKNOWN))
        return begin, end, unknown

    def score(self, sentences: Sequence[Sequence[str]]) -> SentenceScores:
        """The sentences' scores. A word that the model does not know counts as `<unk>`, and so do
        the words `<s>` and `</s>` where a text has them."""
        begin, end, unknown = self.marks()
        numbers = self._numbers(sentences, unknown)
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        # Each sentence between its marks, one after another.
        starts = np.concatenate(([0], np.cumsum(lengths + 2)))[:-1]
        stream = np.full(len(numbers) + 2 * len(lengths), begin, dtype=np.int64)
        is_word = np.ones(len(stream), dtype=bool)
        is_word[starts] = is_word[starts + lengths + 1] = False
        stream[is_word] = numbers
        stream[starts + lengths + 1] = end
        found = self._logs(stream)
        found[starts] = 0.0
        alone = np.where(is_word, self.levels[0].probability[stream].astype(np.float64), 0.0)
        missing = is_word & (stream == unknown)
        return SentenceScores(
            logprob=_sums(found, starts),
            words=lengths,
            unknown=_sums(missing.astype(np.int64), starts),
            alone=_sums(alone, starts),
        )

    def _numbers(self, sentences: Iterable[Sequence[str]], unknown: int) -> NDArray[np.int64]:
        distinct = list(dict.fromkeys(chain.from_iterable(sentences)))
        numbers = {
            word: unknown if at < 0 or word in MARKS else at
            for word, at in zip(distinct, self.words.find(distinct), strict=True)
        }
        return np.fromiter(map(numbers.__getitem__, chain.from_iterable(sentences)), dtype=np.int64)

    def _logs(self, stream: NDArray[np.int64]) -> NDArray[np.float64]:
        """The log10 probability of each word given those before it; that of `<s>` says nothing.

        The longest n-gram of the model counts, with the back-off weights of the longer contexts.
        """
        longest = np.zeros(len(stream), dtype=np.float64)
        weights = np.zeros(len(stream), dtype=np.float64)
        before = stream
        for at, level in enumerate(self.levels):
            ids = stream if at == 0 else self._find(level, before, stream)
            known = np.flatnonzero(ids >= 0)
            longest[known] = level.probability[ids[known]]
            weights[known] = 0.0  # Those of contexts as long as the n-gram or shorter.
            if at + 1 < self.order:
                before = np.concatenate(([-1], ids[:-1]))
                context = np.flatnonzero(before >= 0)
                weights[context] += level.backoff[before[context]]
        return longest + weights

    def _find(
        self, level: Level, before: NDArray[np.int64], stream: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The index of the n-gram that ends at each word, -1 if the model has none."""
        found = np.full(len(stream), -1, dtype=np.int64)
        if not len(level):
            return found
        places = np.flatnonzero(before >= 0)
        keys = before[places] * len(self.words) + stream[places]
        # In ascending order, neighbouring searches read the same memory.
        order = np.argsort(keys)
        keys, places = keys[order], places[order]
        at = np.minimum(np.searchsorted(level.keys, keys), len(level) - 1)
        found[places] = np.where(level.keys[at] == keys, at, -1)
        return found


def _sums(values: NDArray[Value], starts: NDArray[np.int64]) -> NDArray[Value]:
    return np.add.reduceat(values, starts) if len(starts) else values[:0]


def write_model(model: LanguageModel, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` is written last and marks it
    complete."""
    folder.mkdir(parents=True, exist_ok=True)
    model.words.save(folder, "words")
    for order, level in enumerate(model.levels, 1):
        for part in ("keys", "probability", "backoff"):
            np.save(folder / f"{order}-{part}.npy", getattr(level, part), allow_pickle=False)
    about = {
        "sha256": source_sha256,
        "order": model.order,
        "words": len(model.words),
        "ngrams": [len(level) for level in model.levels],
    }
    ABOUT.write(folder, about)


def map_model(folder: Path) -> LanguageModel:
    """The memory-mapped model of a store; FileRefused if its files are damaged or mixed up."""
    about = ABOUT.read(folder)
    words = mapped_index(folder, "words")
    levels = tuple(
        Level(
            mapped(folder / f"{order}-keys.npy", np.int64),
            mapped(folder / f"{order}-probability.npy", np.float32),
            mapped(folder / f"{order}-backoff.npy", np.float32),
        )
        for order in range(1, about["order"] + 1)
    )
    whole = (
        len(words) == about["words"] == len(levels[0])
        and [len(level) for level in levels] == about["ngrams"]
        and all(len(level) == len(level.probability) for level in levels)
        and all(len(level) == len(level.backoff) for level in levels[:-1])
        and -1 not in words.find(sorted(MARKS))
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return LanguageModel(words, levels)
