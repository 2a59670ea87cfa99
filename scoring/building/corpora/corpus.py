"""A corpus: counts of phrases and the places where they occur, for thousands of phrases at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.building.corpora.reading import NumberedText
from scoring.building.corpora.suffix_array import DEPTH, Positions, suffix_array
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import About
from scoring.metrics.resources.text_index import TextIndex, index_of, mapped, mapped_index
from scoring.metrics.texts import tokens as cut_text

Counts = NDArray[np.int64]
Phrase = str | Sequence[str]
_AT_ONCE = 10_000
ABOUT = About(
    frozenset({"tokens", "words", "sentences", "tokenize", "lowercase", "depth"}),
    say("is not a store of a corpus; create it with index_corpus."),
    say("is not that of a corpus, or incomplete; create the store again."),
)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """A text of one sentence a line, indexed.

    `vocabulary` has its distinct words; `tokens` (int32) the number of each word, plus 1, and 0
    after each sentence; `starts` (int64) the place of each sentence's first token; `suffixes` the
    positions of words in the order of the words that follow; `firsts` (int64) where the suffixes
    that begin with each token are among these. `tokenize` and `lowercase` say how it was cut.
    """

    vocabulary: TextIndex
    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    suffixes: Positions
    firsts: NDArray[np.int64]
    depth: int
    tokenize: str
    lowercase: bool

    @property
    def sentences(self) -> int:
        return len(self.starts)

    @property
    def n_words(self) -> int:
        """All words of the text, with repeats."""
        return len(self.suffixes)

    def cut(self, text: str) -> tuple[str, ...]:
        """The words of a text, cut as the corpus was."""
        return cut_text(text, self.tokenize, lowercase=self.lowercase)

    def sentence(self, at: int) -> list[str]:
        """The words of the sentence at an index from 0."""
        start = int(self.starts[at])
        end = int(self.starts[at + 1]) if at + 1 < self.sentences else len(self.tokens)
        return [self.vocabulary[token - 1] for token in self.tokens[start : end - 1].tolist()]

    def lines(self) -> Iterator[str]:
        """The text: a line for each sentence, with blanks between its words."""
        words = [self.vocabulary[at] for at in range(len(self.vocabulary))]
        for low in range(0, self.sentences, _AT_ONCE):
            starts = self.starts[low : low + _AT_ONCE + 1].tolist()
            if len(starts) <= _AT_ONCE:
                starts.append(len(self.tokens))
            tokens = self.tokens[starts[0] : starts[-1]].tolist()
            for start, end in pairwise(starts):
                part = tokens[start - starts[0] : end - starts[0] - 1]
                yield " ".join([words[token - 1] for token in part]) + "\n"

    def counts(self, phrases: Sequence[Phrase]) -> Counts:
        """How often each phrase occurs within a sentence (int64, in the order given).

        A phrase is a text, which is cut as the corpus was, or a sequence of words, taken as they
        are. One without words, or with a word that the corpus has not, occurs 0 times.
        """
        queries = self._queries(phrases)
        low, high = self._ranges(queries)
        counts = high - low
        for at in np.flatnonzero((queries.lengths > self.depth) & (counts > 0)).tolist():
            counts[at] = len(self._places(queries, at, low, high))
        return counts

    def occurrences(self, phrase: Phrase) -> NDArray[np.int64]:
        """The places of a phrase in the order of the text: rows (sentence, index of the first word
        in it), both from 0; shape (n, 2)."""
        queries = self._queries([phrase])
        places = np.sort(self._places(queries, 0, *self._ranges(queries)))
        sentences = np.searchsorted(self.starts, places, side="right") - 1
        return np.stack((sentences, places - self.starts[sentences]), axis=1)

    def _queries(self, phrases: Sequence[Phrase]) -> _Queries:
        cut = [self.cut(one) if isinstance(one, str) else one for one in phrases]
        words = list(dict.fromkeys(itertools.chain.from_iterable(cut)))
        numbers = dict(zip(words, (at + 1 for at in self.vocabulary.find(words)), strict=True))
        lengths = np.fromiter(map(len, cut), dtype=np.int64, count=len(cut))
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        tokens = np.fromiter(
            map(numbers.__getitem__, itertools.chain.from_iterable(cut)),
            dtype=np.int32, count=int(offsets[-1]),
        )  # fmt: skip
        return _Queries(tokens, offsets[:-1], lengths)

    def _ranges(self, queries: _Queries) -> tuple[Counts, Counts]:
        """For each query, from which suffix to which (half open) its first `depth` words occur."""
        n = len(queries.lengths)
        low, high = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        # A word that the corpus has not is 0 like the end of a sentence, and must not match one.
        missing = np.concatenate(([0], np.cumsum(queries.tokens == 0)))
        known = missing[queries.starts] == missing[queries.starts + queries.lengths]
        open_ones = np.flatnonzero(known & (queries.lengths > 0))
        for at in range(min(self.depth, int(queries.lengths.max(initial=0)))):
            open_ones = open_ones[queries.lengths[open_ones] > at]
            asked = queries.tokens[queries.starts[open_ones] + at]
            if at == 0:
                low[open_ones], high[open_ones] = self.firsts[asked], self.firsts[asked + 1]
            else:
                left, right = low[open_ones], high[open_ones]
                both = self._bounds(np.tile(left, 2), np.tile(right, 2), asked, at)
                low[open_ones], high[open_ones] = np.split(both, 2)
            open_ones = open_ones[low[open_ones] < high[open_ones]]
        return low, high

    def _bounds(
        self, left: Counts, right: Counts, asked: NDArray[np.int32], at: int
    ) -> NDArray[np.int64]:
        """In each range of suffixes, which are sorted by their word number `at`: the first that is
        not below the asked one, then for all the first above it; all searched side by side."""
        wanted = np.concatenate((asked, asked + 1))
        last = len(self.tokens) - 1  # The end of a sentence, as is whatever may lie beyond.
        while (going := np.flatnonzero(left < right)).size:
            middle = (left[going] + right[going]) >> 1
            place = np.minimum(self.suffixes[middle].astype(np.int64) + at, last)
            below = self.tokens[place] < wanted[going]
            left[going[below]] = middle[below] + 1
            right[going[~below]] = middle[~below]
        return left

    def _places(self, queries: _Queries, at: int, low: Counts, high: Counts) -> Counts:
        """The positions of one query; words beyond the depth are compared one by one."""
        places = self.suffixes[int(low[at]) : int(high[at])].astype(np.int64)
        start, length = int(queries.starts[at]), int(queries.lengths[at])
        for further in range(self.depth, length):
            inside = places[places + further < len(self.tokens)]
            places = inside[self.tokens[inside + further] == queries.tokens[start + further]]
        return places


@dataclass(frozen=True, slots=True, eq=False)
class _Queries:
    """Phrases as numbers of their words: one array with the start and length of each."""

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]


def build_corpus(
    text: NumberedText, *, tokenize: str, lowercase: bool, depth: int = DEPTH
) -> Corpus:
    """Index a text."""
    vocabulary, ids = index_of(text.words)
    tokens = np.concatenate((np.zeros(1, np.int32), ids + 1))[text.tokens]
    ends = np.flatnonzero(tokens == 0)
    firsts = np.concatenate(([0, 0], np.cumsum(np.bincount(tokens)[1:])))
    return Corpus(
        vocabulary=vocabulary,
        tokens=tokens,
        starts=np.concatenate(([0], ends[:-1] + 1)),
        suffixes=suffix_array(tokens, depth=depth),
        firsts=firsts.astype(np.int64),
        depth=depth,
        tokenize=tokenize,
        lowercase=lowercase,
    )


def write_corpus(corpus: Corpus, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` is written last and marks it
    complete."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus.vocabulary.save(folder, "vocab")
    for name in ("tokens", "starts", "firsts"):
        np.save(folder / f"{name}.npy", getattr(corpus, name), allow_pickle=False)
    np.save(folder / "sa.npy", corpus.suffixes, allow_pickle=False)
    about = {
        "sha256": source_sha256,
        "tokens": len(corpus.tokens),
        "words": len(corpus.vocabulary),
        "sentences": corpus.sentences,
        "depth": corpus.depth,
        "tokenize": corpus.tokenize,
        "lowercase": corpus.lowercase,
    }
    ABOUT.write(folder, about)


def open_corpus(folder: Path) -> Corpus:
    """The memory-mapped corpus of a store; FileRefused if its files are damaged or mixed up."""
    about = ABOUT.read(folder)
    vocabulary = mapped_index(folder, "vocab")
    tokens = mapped(folder / "tokens.npy", np.int32)
    starts = mapped(folder / "starts.npy", np.int64)
    firsts = mapped(folder / "firsts.npy", np.int64)
    suffixes: Positions = (
        mapped(folder / "sa.npy", np.int32)
        if about["tokens"] < 2**31
        else mapped(folder / "sa.npy", np.int64)
    )
    whole = (
        len(tokens) == about["tokens"] == len(suffixes) + len(starts)
        and len(starts) == about["sentences"] > 0
        and len(vocabulary) == about["words"] == len(firsts) - 2
        and firsts[-1] == len(suffixes)
        and tokens[-1] == 0
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return Corpus(
        vocabulary, tokens, starts, suffixes, firsts,
        depth=about["depth"], tokenize=about["tokenize"], lowercase=about["lowercase"] is True,
    )  # fmt: skip
