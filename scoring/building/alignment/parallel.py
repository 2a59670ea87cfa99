"""Parallel text: two files in two languages whose lines are translations of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paraanno.plain.sentence import Sentence, say
from scoring.metrics.files import FileRefused, Problems, all_lines

Words = list[str]
LONGEST_PAIR = 100  # Words of a side; aligners take time by the product of both lengths.
MOST_UNEVEN = 9  # Words of the longer side for each of the shorter: such lines are no translations.
FEW_PAIRS = 1000
# More lines that are the same on both sides: one file was given twice.
_MOST_IDENTICAL = 0.9


@dataclass(frozen=True, slots=True)
class Parallel:
    """Both sides, line by line, as words; they have the same number of lines.

    `kept` are the lines that an aligner takes, ascending from 0. The other lines are counted:
    `empty` (a side has no words), `long` (a side has more than `LONGEST_PAIR` words), `uneven` (a
    side has more than `MOST_UNEVEN` times the words of the other).
    """

    english: list[Words]
    foreign: list[Words]
    kept: list[int]
    empty: int
    long: int
    uneven: int

    def left_out(self) -> Sentence | None:
        """How many pairs an aligner does not take and why; None if it takes all."""
        if len(self.kept) == len(self.english):
            return None
        return say(
            "%(n)s pairs are left out: %(empty)s with an empty side, %(long)s with more "
            "than %(most)s words on a side, %(uneven)s with a side of more than "
            "%(times)s times the words of the other.",
            n=len(self.english) - len(self.kept), empty=self.empty, long=self.long,
            most=LONGEST_PAIR, uneven=self.uneven, times=MOST_UNEVEN,
        )  # fmt: skip

    def few(self) -> Sentence | None:
        """A warning about a small text; None for one that is large enough."""
        if len(self.kept) >= FEW_PAIRS:
            return None
        return say(
            "There are only %(n)s pairs; links and probabilities from fewer than %(few)s are poor.",
            n=len(self.kept),
            few=FEW_PAIRS,
        )


def read_parallel(english: Path, foreign: Path) -> Parallel:
    """Read two files with a sentence a line, its words separated by white space, and compare them.

    Raises FileRefused for files that cannot be read, of unequal length, without a pair in use, or
    with the same text on both sides of most lines.
    """
    sides = (read_words(english), read_words(foreign))
    _check_lengths((english, foreign), sides)
    same = sum(one == other for one, other in zip(*sides, strict=True) if one)
    kept, empty, long, uneven = [], 0, 0, 0
    for line, (one, other) in enumerate(zip(*sides, strict=True)):
        least, most = sorted((len(one), len(other)))
        if not least:
            empty += 1
        elif most > LONGEST_PAIR:
            long += 1
        elif most > MOST_UNEVEN * least:
            uneven += 1
        else:
            kept.append(line)
    if not kept:
        raise FileRefused.at(
            english, 0, say("has no pair that can be used; write a sentence on each line.")
        )
    if same > _MOST_IDENTICAL * len(sides[0]):
        raise FileRefused.at(
            foreign,
            0,
            say(
                "%(same)s of %(n)s lines are the same as in %(other)s; did you give the same "
                "file twice?",
                same=same,
                n=len(sides[0]),
                other=str(english),
            ),
        )
    return Parallel(sides[0], sides[1], kept, empty, long, uneven)


def read_words(path: Path) -> list[Words]:
    """The words of each line, an empty list for a blank one. Raises FileRefused."""
    problems = Problems(path)
    seen: dict[str, str] = {}  # One text in memory for all occurrences of a word.
    lines = [
        [seen.setdefault(word, word) for word in text.split()]
        for _, text in all_lines(path, problems)
    ]
    problems.check()
    return lines


def _check_lengths(paths: Sequence[Path], sides: Sequence[list[Words]]) -> None:
    lengths = [len(side) for side in sides]
    if lengths[0] == lengths[1]:
        return
    first = next(
        (line for line, (a, b) in enumerate(zip(*sides, strict=False), 1) if bool(a) != bool(b)), 0
    )
    told = say(
        "has %(m)s lines and %(other)s has %(n)s; each line needs its translation.",
        m=lengths[1], n=lengths[0], other=str(paths[0]),
    )  # fmt: skip
    if first:
        told = say(
            "has %(m)s lines and %(other)s has %(n)s; each line needs its translation. Line "
            "%(line)s is the first with text in one file only.",
            m=lengths[1], n=lengths[0], other=str(paths[0]), line=first,
        )  # fmt: skip
    raise FileRefused.at(paths[1], first or min(lengths) + 1, told)
