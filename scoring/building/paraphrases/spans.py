"""Extraction of phrase pairs from linked sentences, all sentences of a block at once.

A phrase pair is a span of words on each side with a link inside and none from inside to outside
(Och and Ney, 2004). A span may begin and end with words without a link, so that one English span
may have several foreign ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.building.alignment.links import Links

Ints = NDArray[np.int64]
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


def _reach(words: int, mine: Ints, theirs: Ints) -> tuple[Ints, Ints]:
    """For each word, the lowest and the highest place that it is linked to."""
    low = np.full(words, _NEVER, dtype=np.int64)
    high = np.full(words, -1, dtype=np.int64)
    np.minimum.at(low, mine, theirs)
    np.maximum.at(high, mine, theirs)
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
