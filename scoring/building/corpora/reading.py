"""Reading of plain text, one sentence a line, into arrays of word numbers."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.metrics.files import FileRefused, Problems, all_lines, size_of
from scoring.metrics.resources.kinds import check_beginning

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
