"""CodeCounts of phrase pairs, also by the syntactic label of the English phrase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.building.alignment.links import Links
from scoring.building.alignment.parallel import Words
from scoring.building.paraphrases.numbering import NumberedPhrases, number_phrases
from scoring.building.paraphrases.spans import extract

Ints = NDArray[np.int64]
_BLOCK = 20_000  # Sentences whose phrase pairs are in memory at a time.
_MERGED = 8  # Blocks of counts that are kept apart before they are joined.


@dataclass(frozen=True, slots=True, eq=False)
class CodeCounts:
    """Distinct codes, ascending, and how often each occurred."""

    codes: Ints
    times: Ints

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True, eq=False)
class SpanLabels:
    """Syntactic labels of the English spans of a text. `spans` are ascending codes (see
    `span_code`), one row for each label of a span; `labels` are numbers of labels."""

    spans: Ints
    labels: Ints


@dataclass(frozen=True, slots=True, eq=False)
class LinkedText:
    """Both sides with their phrases numbered, the links, and labels of English spans or None."""

    english: NumberedPhrases
    foreign: NumberedPhrases
    links: Links
    labels: SpanLabels | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PhrasePairCounts:
    """CodeCounts of the phrase pairs of one text.

    Row r: English phrase `english[r]` and foreign phrase `foreign[r]` occurred together `times[r]`
    times. `labelled` has rows (row of the pair, label, times): with which labels. Where phrases
    were asked for, only the rows are there whose foreign phrase is aligned with one of these.
    """

    english: Ints
    foreign: Ints
    times: Ints
    labelled: tuple[Ints, Ints, Ints] | None = None


def span_code(start: Ints, length: Ints) -> Ints:
    """One number for a span of at most 15 words."""
    return start * 16 + length


def linked_text(
    english: Sequence[Words], foreign: Sequence[Words], links: Links, *, longest: int,
    labels: SpanLabels | None = None,
) -> LinkedText:  # fmt: skip
    """Number the phrases of up to `longest` words of both sides."""
    one = number_phrases(english, longest)
    return LinkedText(one, number_phrases(foreign, longest), links, labels)


def count_pairs(
    text: LinkedText, *, longest: int, wanted: Sequence[Words] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> PhrasePairCounts:  # fmt: skip
    """Count the phrase pairs of a text, all of them or those that matter for `wanted` phrases.

    For wanted phrases the text is read twice: the first time finds the foreign phrases that they
    are aligned with, the second counts only pairs with one of these.
    """
    wide = np.int64(len(text.foreign))
    asked: NDArray[np.bool_] | None = None
    if wanted is not None:
        mine = np.zeros(len(text.english), dtype=bool)
        mine[text.english.find(wanted)] = True
        asked = np.zeros(len(text.foreign), dtype=bool)
        for english, foreign, _ in _occurrences(text, longest):
            asked[foreign[mine[english]]] = True
        progress(0.3)

    def codes() -> Iterator[Ints]:
        for english, foreign, _ in _occurrences(text, longest):
            kept = slice(None) if asked is None else asked[foreign]
            yield (english * wide + foreign)[kept]

    pairs = count(codes())
    progress(0.7)
    labelled = None
    if text.labels is not None:
        labelled = _count_labels(text, text.labels, longest, pairs)
    progress(1.0)
    english, foreign = np.divmod(pairs.codes, wide) if len(pairs) else (pairs.codes, pairs.codes)
    return PhrasePairCounts(english, foreign, pairs.times, labelled)


def count(parts: Iterable[Ints]) -> CodeCounts:
    """Count codes that come in parts, without all of them in memory at a time."""
    empty = np.empty(0, dtype=np.int64)
    whole, waiting = CodeCounts(empty, empty), []
    for part in parts:
        codes, times = np.unique(part, return_counts=True)
        waiting.append(CodeCounts(codes, times))
        if len(waiting) == _MERGED:
            whole, waiting = _merged([whole, *waiting]), []
    return _merged([whole, *waiting])


def _merged(parts: Sequence[CodeCounts]) -> CodeCounts:
    codes = np.concatenate([part.codes for part in parts])
    times = np.concatenate([part.times for part in parts])
    order = np.argsort(codes, kind="stable")
    codes, times = codes[order], times[order]
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    if not len(first):
        return CodeCounts(codes, times)
    return CodeCounts(codes[first], np.add.reduceat(times, first))


def _occurrences(text: LinkedText, longest: int) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Block by block, the English and the foreign phrase of each occurrence of a pair, and the
    code of its English span."""
    sentences = len(text.english.starts) - 1
    for first in range(0, sentences, _BLOCK):
        found = extract(
            text.links, text.english.starts, text.foreign.starts,
            longest=longest, first=first, last=min(first + _BLOCK, sentences),
        )  # fmt: skip
        yield (
            text.english.at(found.english_start, found.english_length),
            text.foreign.at(found.foreign_start, found.foreign_length),
            span_code(found.english_start, found.english_length),
        )


def _count_labels(
    text: LinkedText, given: SpanLabels, longest: int, pairs: CodeCounts
) -> tuple[Ints, Ints, Ints]:
    spans, labels = given.spans, given.labels
    wide = np.int64(len(text.foreign))
    many = np.int64(labels.max() + 1 if len(labels) else 1)

    def codes() -> Iterator[Ints]:
        for english, foreign, span in _occurrences(text, longest):
            pair = english * wide + foreign
            row = np.searchsorted(pairs.codes, pair)
            row[row == len(pairs)] = 0
            kept = np.flatnonzero(pairs.codes[row] == pair) if len(pairs) else row[:0]
            row, span = row[kept], span[kept]
            left, right = (np.searchsorted(spans, span, side) for side in ("left", "right"))
            each = right - left
            # The rows of all labels of a span stand one after another.
            ahead = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
            yield np.repeat(row, each) * many + labels[np.repeat(left, each) + ahead]

    found = count(codes())
    row, label = np.divmod(found.codes, many)
    return row, label, found.times
