"""Corpora: texts of one sentence a line, whose phrases are counted and found by a suffix array."""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.files import FileRefused, Problems, all_lines, sha256, size_of
from scoring.metrics.resources.kinds import check_beginning
from scoring.metrics.resources.stores import About, TextIndex, index_of, mapped, mapped_index
from scoring.metrics.texts.tokenizers import tokenizer
from scoring.metrics.texts.tokenizers import tokens as cut_text

# Reading of plain text, one sentence a line, into arrays of word numbers.


Split = Callable[[str], list[str]]
Progress = Callable[[float], None]
_LINES_PER_TELLING = 4096


@dataclass(frozen=True, slots=True, eq=False)
class NumberedText:
    """A text as numbers: `words` are its distinct words in order of appearance; `tokens` (int32)
    has the place of each word in `words`, plus 1, and 0 after each sentence."""

    words: list[str]
    tokens: NDArray[np.int32]

    @property
    def sentences(self) -> int:
        return int(np.count_nonzero(self.tokens == 0))


def read_numbered(
    path: Path, split: Split, *, progress: Progress, reserved: frozenset[str] = frozenset()
) -> NumberedText:
    """The words of a text file by number. A blank line is a sentence without words, so that the
    sentence at index i is always line i + 1.

    Raises FileRefused with a line for each problem: a line that is not UTF-8, holds a NUL, is over
    a megabyte or has a word that is `reserved`; and for a text without words.
    """
    check_beginning(path)
    problems = Problems(path)
    numbers: defaultdict[str, int] = defaultdict(count(1).__next__)
    tokens = array("i")
    for number, text in watched_lines(path, problems, progress):
        words = split(text)
        if reserved and not reserved.isdisjoint(words):
            problems.add(
                number,
                say(
                    "has the word %(word)s, which models use themselves; take it out.",
                    word=next(word for word in words if word in reserved),
                ),
            )
        tokens.extend(map(numbers.__getitem__, words))
        tokens.append(0)
    problems.check()
    if not numbers:
        raise FileRefused.at(path, 0, say("has no words; write one sentence a line."))
    return NumberedText(list(numbers), np.frombuffer(tokens, dtype=np.int32))


def watched_lines(path: Path, problems: Problems, progress: Progress) -> Iterator[tuple[int, str]]:
    """All lines with their numbers; `progress` gets the share read, about, now and then."""
    size, done = size_of(path), 0
    for number, text in all_lines(path, problems):
        done += len(text) + 1
        if number % _LINES_PER_TELLING == 0:
            progress(min(1.0, done / size))
        yield number, text


# Suffix arrays over words, by prefix doubling (Manber and Myers 1993) to a limited depth.


DEPTH = 8  # Words by which suffixes are sorted: as many as phrases that are looked up often have.
_BITS = 62  # Of a sort key, which stays positive in 64 bits.

Positions = NDArray[np.int32] | NDArray[np.int64]


def suffix_array(tokens: NDArray[np.int32], *, depth: int = DEPTH) -> Positions:
    """The positions of all words in the order of the `depth` words that begin there, then of the
    position. Positions of sentence ends (0 in `tokens`) are left out.

    Beyond the last token there are zeros. int32, or int64 for a text of over 2^31 tokens. Sorts
    by as many words as fit a key, then doubles: O(n log n) each round, about 24 bytes a token.
    """
    n = len(tokens)
    width = max(1, int(tokens.max(initial=0)).bit_length())
    sorted_by = min(depth, max(1, _BITS // width))
    keys = np.zeros(n, dtype=np.int64)
    for shift in range(sorted_by):
        keys <<= width
        keys[: max(0, n - shift)] += tokens[shift:]
    order = np.argsort(keys, kind="stable")
    while sorted_by < depth:
        ranks = _ranks(keys, order)
        shift = min(sorted_by, depth - sorted_by)
        keys[:] = ranks
        keys *= int(ranks.max()) + 1
        keys[: max(0, n - shift)] += ranks[shift:]
        del ranks
        order = np.argsort(keys, kind="stable")
        sorted_by += shift
    suffixes = order[int(np.count_nonzero(tokens == 0)) :]
    return suffixes.astype(np.int32) if n < 2**31 else suffixes


def _ranks(keys: NDArray[np.int64], order: NDArray[np.int64]) -> Positions:
    """The rank of each position (equal keys share one): 0 are zeros alone, as past the end."""
    ordered = keys[order]
    steps = np.empty(len(keys), dtype=np.int32 if len(keys) < 2**31 else np.int64)
    steps[0] = ordered[0] != 0
    steps[1:] = ordered[1:] != ordered[:-1]
    np.cumsum(steps, out=steps)
    ranks = np.empty_like(steps)
    ranks[order] = steps
    return ranks


# A corpus: counts of phrases and the places where they occur, for thousands of phrases at once.


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
            dtype=np.int32,
            count=int(offsets[-1]),
        )
        return _Queries(tokens, offsets[:-1], lengths)

    def _ranges(self, queries: _Queries) -> tuple[Counts, Counts]:
        """For each query, from which suffix to which (half open) its first `depth` words occur."""
        n = len(queries.lengths)
        low, high = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        # A word that the corpus has not is 0 like the end of a sentence, and must not match one.
        missing = np.concatenate(([0], np.cumsum(queries.tokens == 0)))
        in_vocabulary = missing[queries.starts] == missing[queries.starts + queries.lengths]
        open_ones = np.flatnonzero(in_vocabulary & (queries.lengths > 0))
        for at in range(min(self.depth, int(queries.lengths.max(initial=0)))):
            open_ones = open_ones[queries.lengths[open_ones] > at]
            tokens = queries.tokens[queries.starts[open_ones] + at]
            if at == 0:
                low[open_ones], high[open_ones] = self.firsts[tokens], self.firsts[tokens + 1]
            else:
                left, right = low[open_ones], high[open_ones]
                both = self._bounds(np.tile(left, 2), np.tile(right, 2), tokens, at)
                low[open_ones], high[open_ones] = np.split(both, 2)
            open_ones = open_ones[low[open_ones] < high[open_ones]]
        return low, high

    def _bounds(
        self, left: Counts, right: Counts, tokens: NDArray[np.int32], at: int
    ) -> NDArray[np.int64]:
        """In each range of suffixes, which are sorted by their word number `at`: the first that is
        not below the asked one, then for all the first above it; all searched side by side."""
        wanted = np.concatenate((tokens, tokens + 1))
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
        vocabulary,
        tokens,
        starts,
        suffixes,
        firsts,
        depth=about["depth"],
        tokenize=about["tokenize"],
        lowercase=about["lowercase"] is True,
    )


# From a text file to the store of a corpus.


TOKENIZERS = ("words", "13a", "ko", "none")
_READING = 0.5  # The share of the work that reading takes, about.


def index_corpus(
    source: Path,
    folder: Path,
    *,
    tokenize: str = "none",
    lowercase: bool = False,
    progress: Progress = lambda share: None,
) -> dict[str, int]:
    """Index a text of one sentence a line into a store, in a new or empty folder.

    `tokenize` is one of TOKENIZERS; none splits at white space. Returns how many sentences, words
    and distinct words there are. Raises FileRefused with a line for each problem of the text, and
    OSError if the store cannot be written.
    """
    split = tokenizer(tokenize, lowercase=lowercase)
    text = read_numbered(source, split, progress=lambda share: progress(share * _READING))
    corpus = build_corpus(text, tokenize=tokenize, lowercase=lowercase)
    progress(0.9)
    write_corpus(corpus, folder, source_sha256=sha256(source))
    progress(1.0)
    return {
        "sentences": corpus.sentences,
        "words": corpus.n_words,
        "distinct": len(corpus.vocabulary),
    }


def convert(source: Path, folder: Path, *, progress: Progress) -> dict[str, int]:
    """Make a store from a text that is tokenized already; the function of the kind `corpus`."""
    return index_corpus(source, folder, progress=progress)
