"""CodeCounts of phrase pairs, also by the syntactic label of the English phrase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.building.alignment import Links, Words

# Numbers for all phrases of a text, so that phrases are counted as integers.


Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class NumberedPhrases:
    """A text whose phrases of up to `longest` words have numbers: equal phrases the same one.

    `starts` are where sentences begin, and at the end the number of words. `numbers[n - 1][p]` is
    the number of the phrase of n words that begins at word p, -1 if the sentence ends before.
    `example` is a place of each phrase, `lengths` its words.
    """

    vocabulary: list[str]
    words: NDArray[np.int32]
    starts: Ints
    numbers: list[NDArray[np.int32]]
    example: NDArray[np.int32]
    lengths: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.example)

    def at(self, start: Ints, length: Ints) -> Ints:
        """The numbers of the phrases at some places."""
        phrase_ids = np.empty(len(start), dtype=np.int64)
        for size, numbers in enumerate(self.numbers, 1):
            of_size = length == size
            phrase_ids[of_size] = numbers[start[of_size]]
        return phrase_ids

    def texts(self, numbers: Ints) -> list[str]:
        """Phrases, their words apart by a blank."""
        start, length = self.example[numbers].tolist(), self.lengths[numbers].tolist()
        words, vocabulary = self.words, self.vocabulary
        return [
            " ".join([vocabulary[word] for word in words[p : p + n].tolist()])
            for p, n in zip(start, length, strict=True)
        ]

    def find(self, phrases: Sequence[Words]) -> Ints:
        """The numbers of those phrases that are in the text, ascending."""
        word_ids = {word: number for number, word in enumerate(self.vocabulary)}
        phrase_ids = set()
        parents = self._children()
        for phrase in phrases:
            number = word_ids.get(phrase[0], -1) if phrase else -1
            for length, word in enumerate(phrase[1:], 2):
                if number < 0 or length > len(self.numbers):
                    number = -1
                    break
                codes, children = parents[length - 2]
                code = number * len(self.vocabulary) + word_ids.get(word, -1)
                at = int(np.searchsorted(codes, code)) if word in word_ids else len(codes)
                number = int(children[at]) if at < len(codes) and codes[at] == code else -1
            if number >= 0:
                phrase_ids.add(number)
        return np.array(sorted(phrase_ids), dtype=np.int64)

    def _children(self) -> list[tuple[Ints, Ints]]:
        """For each length from 2, the codes of phrases (number of the phrase without the last
        word x vocabulary + last word), ascending, and their numbers."""
        by_length = []
        for length in range(2, len(self.numbers) + 1):
            children = np.flatnonzero(self.lengths == length)
            place = self.example[children].astype(np.int64)
            parent = self.numbers[length - 2][place].astype(np.int64)
            codes = parent * len(self.vocabulary) + self.words[place + length - 1]
            order = np.argsort(codes)
            by_length.append((codes[order], children[order]))
        return by_length


def number_phrases(sentences: Sequence[Words], longest: int) -> NumberedPhrases:
    """Number all phrases of up to `longest` words; each round sorts the text once."""
    word_ids: dict[str, int] = {}
    flat = np.fromiter(
        (word_ids.setdefault(word, len(word_ids)) for words in sentences for word in words),
        dtype=np.int32,
    )
    starts = np.zeros(len(sentences) + 1, dtype=np.int64)
    np.cumsum([len(words) for words in sentences], out=starts[1:])
    ends = np.repeat(starts[1:], np.diff(starts))
    numbers = [flat]
    _, places = np.unique(flat, return_index=True)
    examples = [places.astype(np.int32)]
    lengths = [np.ones(len(places), dtype=np.int8)]
    total = len(places)
    for length in range(2, longest + 1):
        begins = np.flatnonzero(np.arange(len(flat)) + length <= ends)
        codes = numbers[-1][begins].astype(np.int64) * len(word_ids) + flat[begins + length - 1]
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        first = np.ones(len(codes), dtype=bool)
        first[1:] = codes[1:] != codes[:-1]
        del codes  # As long as the text, like all here: little of it at a time.
        begins = begins[order]
        phrase_ids = np.full(len(flat), -1, dtype=np.int32)
        phrase_ids[begins] = np.cumsum(first, dtype=np.int32) - np.int32(1 - total)
        place = begins[first].astype(np.int32)
        numbers.append(phrase_ids)
        examples.append(place)
        lengths.append(np.full(len(place), length, dtype=np.int8))
        total += len(place)
    return NumberedPhrases(
        list(word_ids), flat, starts, numbers, np.concatenate(examples), np.concatenate(lengths)
    )


# Extraction of phrase pairs from linked sentences, all sentences of a block at once.
#
# A phrase pair is a span of words on each side with a link inside and none from inside to outside
# (Och and Ney, 2004). A span may begin and end with words without a link, so that one English span
# may have several foreign ones.


_NEVER = np.iinfo(np.int64).max  # The lowest place of no links; the highest is -1.


@dataclass(frozen=True, slots=True, eq=False)
class PhrasePairs:
    """Occurrences of phrase pairs. A span begins at a word of the entire text, counted from 0, and
    has a length in words."""

    english_start: Ints
    english_length: Ints
    foreign_start: Ints
    foreign_length: Ints

    def __len__(self) -> int:
        return len(self.english_start)


def extract(
    links: Links, english: Ints, foreign: Ints, *, longest: int, first: int, last: int
) -> PhrasePairs:
    """The phrase pairs of the sentences from `first` to before `last`, of at most `longest` words
    on each side.

    `english` and `foreign` are where each sentence begins in its text, and at the end the number
    of words (one more than sentences). Takes time in proportion to words x longest^2.
    """
    rows = slice(*np.searchsorted(links.line, (first, last)).tolist())
    line = links.line[rows]
    at = (
        links.english[rows] + english[line] - english[first],
        links.foreign[rows] + foreign[line] - foreign[first],
    )
    ends = tuple(_ends(starts[first : last + 1]) for starts in (english, foreign))
    low, high = _reach(len(ends[0]), at[0], at[1])
    lows, highs = _widened(*_reach(len(ends[1]), at[1], at[0]), longest)
    before, after = _free(highs[0] < 0, foreign[first : last + 1] - foreign[first])
    parts: list[tuple[Ints, Ints, Ints, Ints]] = []
    least, most = low.copy(), high.copy()
    for length in range(1, longest + 1):
        if length > 1:  # The span gets one word longer: it begins at each word, to the right.
            least = np.minimum(least[:-1], low[length - 1 :])
            most = np.maximum(most[:-1], high[length - 1 :])
        if not len(least):
            break
        start = np.arange(len(least))
        inside = start + length <= ends[0][: len(least)]
        start = np.flatnonzero(inside & (most >= 0) & (most - least < longest))
        begin, end = least[start], most[start]
        width = end - begin + 1
        closed = (lows[width - 1, begin] >= start) & (highs[width - 1, begin] < start + length)
        start, begin, end, width = (one[closed] for one in (start, begin, end, width))
        for left in range(longest):
            for right in range(longest - left):
                fits = (before[begin] >= left) & (after[end] >= right)
                fits &= width + left + right <= longest
                chosen = start[fits]
                parts.append(
                    (
                        chosen + english[first],
                        np.full(len(chosen), length, dtype=np.int64),
                        begin[fits] - left + foreign[first],
                        width[fits] + left + right,
                    )
                )
    if not parts:
        return PhrasePairs(*(np.empty(0, dtype=np.int64) for _ in range(4)))
    return PhrasePairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _ends(starts: Ints) -> Ints:
    """For each word, where its sentence ends, counted from the first word."""
    return np.repeat(starts[1:] - starts[0], np.diff(starts))


def _reach(words: int, own: Ints, theirs: Ints) -> tuple[Ints, Ints]:
    """For each word, the lowest and the highest place that it is linked to."""
    low = np.full(words, _NEVER, dtype=np.int64)
    high = np.full(words, -1, dtype=np.int64)
    np.minimum.at(low, own, theirs)
    np.maximum.at(high, own, theirs)
    return low, high


def _widened(low: Ints, high: Ints, longest: int) -> tuple[Ints, Ints]:
    """Row w - 1: the lowest and the highest place linked to any of w words from each word."""
    lows, highs = [low], [high]
    for width in range(1, longest):
        wider, higher = lows[-1].copy(), highs[-1].copy()
        if width < len(low):
            np.minimum(wider[:-width], low[width:], out=wider[:-width])
            np.maximum(higher[:-width], high[width:], out=higher[:-width])
        lows.append(wider)
        highs.append(higher)
    return np.array(lows), np.array(highs)


def _free(unlinked: NDArray[np.bool_], starts: Ints) -> tuple[Ints, Ints]:
    """For each word, how many words without a link are directly before it and directly after it
    in its sentence."""
    words = len(unlinked)
    place = np.arange(words)
    first = np.zeros(words, dtype=bool)
    first[starts[:-1][np.diff(starts) > 0]] = True
    # A word is a wall if it is linked: the run of free words before a word ends at the wall.
    wall = np.where(~unlinked, place + 1, np.where(first, place, 0))
    reached = np.maximum.accumulate(wall) if words else wall
    before = np.zeros(words, dtype=np.int64)
    before[1:] = place[1:] - reached[:-1]
    before[first] = 0
    last = np.zeros(words, dtype=bool)
    if words:
        last[:-1], last[-1] = first[1:], True
    wall = np.where(~unlinked, place - 1, np.where(last, place, words))
    reached = np.minimum.accumulate(wall[::-1])[::-1] if words else wall
    after = np.zeros(words, dtype=np.int64)
    after[:-1] = reached[1:] - place[:-1]
    after[last] = 0
    return before, after


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
    english: Sequence[Words],
    foreign: Sequence[Words],
    links: Links,
    *,
    longest: int,
    labels: SpanLabels | None = None,
) -> LinkedText:
    """Number the phrases of up to `longest` words of both sides."""
    one = number_phrases(english, longest)
    return LinkedText(one, number_phrases(foreign, longest), links, labels)


def count_pairs(
    text: LinkedText,
    *,
    longest: int,
    wanted: Sequence[Words] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> PhrasePairCounts:
    """Count the phrase pairs of a text, all of them or those that matter for `wanted` phrases.

    For wanted phrases the text is read twice: the first time finds the foreign phrases that they
    are aligned with, the second counts only pairs with one of these.
    """
    wide = np.int64(len(text.foreign))
    relevant: NDArray[np.bool_] | None = None
    if wanted is not None:
        is_wanted = np.zeros(len(text.english), dtype=bool)
        is_wanted[text.english.find(wanted)] = True
        relevant = np.zeros(len(text.foreign), dtype=bool)
        for english, foreign, _ in _occurrences(text, longest):
            relevant[foreign[is_wanted[english]]] = True
        progress(0.3)

    def codes() -> Iterator[Ints]:
        for english, foreign, _ in _occurrences(text, longest):
            selected = slice(None) if relevant is None else relevant[foreign]
            yield (english * wide + foreign)[selected]

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
        spans = extract(
            text.links,
            text.english.starts,
            text.foreign.starts,
            longest=longest,
            first=first,
            last=min(first + _BLOCK, sentences),
        )
        yield (
            text.english.at(spans.english_start, spans.english_length),
            text.foreign.at(spans.foreign_start, spans.foreign_length),
            span_code(spans.english_start, spans.english_length),
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
            matches = np.flatnonzero(pairs.codes[row] == pair) if len(pairs) else row[:0]
            row, span = row[matches], span[matches]
            left, right = (np.searchsorted(spans, span, side) for side in ("left", "right"))
            each = right - left
            # The rows of all labels of a span stand one after another.
            ahead = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
            yield np.repeat(row, each) * many + labels[np.repeat(left, each) + ahead]

    counts = count(codes())
    row, label = np.divmod(counts.codes, many)
    return row, label, counts.times
