"""Alignment of words: which word of a sentence is translated by which word of the other.

Two models are trained, one for each direction, and their links are joined by a heuristic (Och and
Ney, 2003; Koehn, Och and Marcu, 2003). The models are those of the library Thot, which needs no
compiler: `fast_align` (Dyer, Chahuneau and Smith, 2013), `hmm` (Vogel, Ney and Tillmann, 1996,
started from IBM model 1), `ibm1` (Brown et al., 1993) and `eflomal` (Ostling and Tiedemann, 2016).
"""

from __future__ import annotations

import re
import shutil
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import Sentence, say
from scoring.metrics.files import FileRefused, Problems, all_lines, sha256, size_of
from scoring.metrics.resources.stores import About

# Parallel text: two files in two languages whose lines are translations of each other.


Words = list[str]
LONGEST_PAIR = 100  # Words of a side; aligners take time by the product of both lengths.
MOST_UNEVEN = 9  # Words of the longer side for each of the shorter: such lines are no translations.
FEW_PAIRS = 1000
# More lines that are the same on both sides: one file was given twice.
_MOST_IDENTICAL = 0.9


@dataclass(frozen=True, slots=True)
class Parallel:
    """Both sides, line by line, as words; they have the same number of lines.

    `aligned` are the lines that an aligner takes, ascending from 0. The other lines are counted:
    `empty` (a side has no words), `long` (a side has more than `LONGEST_PAIR` words), `uneven` (a
    side has more than `MOST_UNEVEN` times the words of the other).
    """

    english: list[Words]
    foreign: list[Words]
    aligned: list[int]
    empty: int
    long: int
    uneven: int

    def left_out(self) -> Sentence | None:
        """How many pairs an aligner does not take and why; None if it takes all."""
        if len(self.aligned) == len(self.english):
            return None
        return say(
            "%(n)s pairs are left out: %(empty)s with an empty side, %(long)s with more "
            "than %(most)s words on a side, %(uneven)s with a side of more than "
            "%(times)s times the words of the other.",
            n=len(self.english) - len(self.aligned),
            empty=self.empty,
            long=self.long,
            most=LONGEST_PAIR,
            uneven=self.uneven,
            times=MOST_UNEVEN,
        )

    def few(self) -> Sentence | None:
        """A warning about a small text; None for one that is large enough."""
        if len(self.aligned) >= FEW_PAIRS:
            return None
        return say(
            "There are only %(n)s pairs; links and probabilities from fewer than %(few)s are poor.",
            n=len(self.aligned),
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
    usable, empty, long, uneven = [], 0, 0, 0
    for line, (one, other) in enumerate(zip(*sides, strict=True)):
        least, most = sorted((len(one), len(other)))
        if not least:
            empty += 1
        elif most > LONGEST_PAIR:
            long += 1
        elif most > MOST_UNEVEN * least:
            uneven += 1
        else:
            usable.append(line)
    if not usable:
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
    return Parallel(sides[0], sides[1], usable, empty, long, uneven)


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
    message = say(
        "has %(m)s lines and %(other)s has %(n)s; each line needs its translation.",
        m=lengths[1],
        n=lengths[0],
        other=str(paths[0]),
    )
    if first:
        message = say(
            "has %(m)s lines and %(other)s has %(n)s; each line needs its translation. Line "
            "%(line)s is the first with text in one file only.",
            m=lengths[1],
            n=lengths[0],
            other=str(paths[0]),
            line=first,
        )
    raise FileRefused.at(paths[1], first or min(lengths) + 1, message)


Pairs = list[tuple[int, int]]
Progress = Callable[[float], None]
MODELS = ("fast_align", "hmm", "ibm1", "eflomal")
HEURISTICS = (
    "grow-diag-final-and",
    "grow-diag-final",
    "grow-diag",
    "grow",
    "intersection",
    "union",
    "och",
)
ITERATIONS = 5
SEED = 1
# Share of the time that training takes; joining the links of both directions takes the rest.
_TRAINING = 0.9
_BLOCK = 2000  # Pairs that are joined at a time.


class Stopped(Exception):
    """Somebody cancelled the work."""


def align(
    english: Sequence[Words],
    foreign: Sequence[Words],
    *,
    model: str = "fast_align",
    iterations: int | None = None,
    symmetrize: str = "grow-diag-final-and",
    seed: int = SEED,
    progress: Progress = lambda share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Pairs]:
    """Yield the links of each pair in ascending order, as (English place, foreign place).

    `english` and `foreign` have the same length and no empty sentence. `iterations` are passes of
    EM in each direction (5; for `hmm` as many of model 1 before). `eflomal` draws samples: as
    often as the size of the text calls for, or `iterations` times for each of its first two
    models and four times that for the third. `seed` is for `eflomal` alone. The same arguments
    give the same links. `progress` gets the share done, and `cancelled` is asked after each pass:
    Stopped is raised. Raises ValueError for an unknown model or heuristic and for fewer than 1
    iteration.
    """
    import thot.alignment as thot

    if symmetrize not in HEURISTICS:
        raise ValueError(say("There is no heuristic %(name)s.", name=symmetrize))
    if model not in MODELS:
        raise ValueError(say("There is no model %(name)s.", name=model))
    if iterations is not None and iterations < 1:
        raise ValueError(say("At least 1 iteration is needed."))

    def report(share: float) -> None:
        progress(share)
        if cancelled():
            raise Stopped

    half = _TRAINING / 2
    forth = _train(
        thot, model, english, foreign, iterations, seed, lambda share: report(half * share)
    )
    back = _train(
        thot, model, foreign, english, iterations, seed, lambda share: report(half * (1 + share))
    )
    both = thot.SymmetrizedAligner(forth[-1], back[-1])
    name = symmetrize.replace("-", "_").upper()
    both.heuristic = getattr(thot.SymmetrizationHeuristic, name)
    for start in range(0, len(english), _BLOCK):
        part = slice(start, start + _BLOCK)
        for _, matrix in both.get_best_alignments(english[part], foreign[part]):
            places = matrix.to_numpy().nonzero()
            yield list(zip(places[0].tolist(), places[1].tolist(), strict=True))
        report(_TRAINING + (1 - _TRAINING) * min(1.0, (start + _BLOCK) / len(english)))


def _train(
    thot: Any,
    model: str,
    source: Sequence[Words],
    target: Sequence[Words],
    iterations: int | None,
    seed: int,
    report: Progress,
) -> list[Any]:
    """The models trained, the last one to be used; it may refer to the others."""
    passes = iterations or ITERATIONS
    if model == "hmm":
        first = thot.Ibm1AlignmentModel()
        _run(first, source, target, passes, lambda share: report(share / 3))
        second = thot.HmmAlignmentModel(first)
        second.start_training()
        _pass(second, passes, lambda share: report((1 + 2 * share) / 3))
        return [first, second]
    if model == "eflomal":
        sampled = thot.EflomalAlignmentModel()
        sampled.deterministic, sampled.seed = True, seed
        if iterations is not None:
            sampled.set_iterations(iterations, iterations, 4 * iterations)
        _run(sampled, source, target, None, report)
        return [sampled]
    plain = thot.FastAlignModel() if model == "fast_align" else thot.Ibm1AlignmentModel()
    _run(plain, source, target, passes, report)
    return [plain]


def _run(
    model: Any,
    source: Sequence[Words],
    target: Sequence[Words],
    passes: int | None,
    report: Progress,
) -> None:
    for one, other in zip(source, target, strict=True):
        model.add_sentence_pair(one, other)
    model.start_training()
    _pass(model, model.scheduled_iterations if passes is None else passes, report)


def _pass(model: Any, passes: int, report: Progress) -> None:
    for number in range(passes):
        model.train()
        report((number + 1) / passes)
    model.end_training()


# Links between the words of parallel text, in the format of Pharaoh and most aligners.
#
# A line belongs to the pair on the same line of the text and lists `ENGLISH-FOREIGN` places of
# words, counted from 0; it is empty for a pair without links.


_LINE = re.compile(r"\s*(?:\d{1,7}-\d{1,7}(?:\s+|$))*")
_WRONG_LINE = say("should list links such as 0-0 1-2: ENGLISH-FOREIGN, counted from 0.")


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """One row for each link, in the order of lines: its line from 0, the place of the English word
    in its sentence, and that of the foreign word (int32)."""

    line: NDArray[np.int32]
    english: NDArray[np.int32]
    foreign: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.line)


def links_of(pairs: Iterable[Sequence[tuple[int, int]]]) -> Links:
    """The links of a sequence of pairs, each a list of (English place, foreign place)."""
    rows = [(line, i, j) for line, pair in enumerate(pairs) for i, j in pair]
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    return Links(*(np.ascontiguousarray(column) for column in table.T))


def link_line(pair: Iterable[tuple[int, int]]) -> str:
    """The line of a pair, its links in ascending order."""
    return " ".join(f"{i}-{j}" for i, j in sorted(pair))


def read_links(path: Path, english: Sequence[Words], foreign: Sequence[Words]) -> Links:
    """Read the links of a parallel text with as many lines.

    Raises FileRefused with a line for each problem: a line that is not of the format, a link to a
    word that the sentence does not have, or another number of lines than the text.
    """
    problems = Problems(path)
    numbers: array[int] = array("i")
    counts: array[int] = array("i")
    for number, text in all_lines(path, problems):
        if _LINE.fullmatch(text):
            positions = text.replace("-", " ").split()
        else:
            positions = []
            problems.add(number, _WRONG_LINE)
        numbers.extend(map(int, positions))
        counts.append(len(positions) // 2)
    problems.check()
    if len(counts) != len(english):
        raise FileRefused.at(
            path,
            min(len(counts), len(english)) + 1,
            say(
                "has %(m)s lines and the text has %(n)s; write one line for each pair, an empty "
                "one for a pair without links.",
                m=len(counts),
                n=len(english),
            ),
        )
    table = np.frombuffer(numbers, dtype=np.int32).reshape(-1, 2)
    line = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    links = Links(line, table[:, 0].copy(), table[:, 1].copy())
    _check_range(path, links, english, foreign)
    return links


def _check_range(
    path: Path, links: Links, english: Sequence[Words], foreign: Sequence[Words]
) -> None:
    most = np.array([(len(e), len(f)) for e, f in zip(english, foreign, strict=True)]).reshape(
        -1, 2
    )
    beyond = (links.english >= most[links.line, 0]) | (links.foreign >= most[links.line, 1])
    if not beyond.any():
        return
    from_one = bool((links.english > 0).all() and (links.foreign > 0).all())
    problems = Problems(path)
    for row in np.flatnonzero(beyond).tolist():
        line = int(links.line[row])
        where = {
            "link": f"{links.english[row]}-{links.foreign[row]}",
            "e": len(english[line]),
            "f": len(foreign[line]),
        }
        problems.add(
            line + 1,
            say(
                "The link %(link)s is beyond the words (%(e)s English, %(f)s foreign). The file "
                "looks 1-based, as no link has a 0; subtract 1 from each number.",
                **where,
            )
            if from_one
            else say(
                "The link %(link)s is beyond the words (%(e)s English, %(f)s foreign); positions "
                "count from 0. Give the texts that were aligned.",
                **where,
            ),
        )
    problems.check()


# The kind `links`: links of the words of two texts, which another aligner has made.


LINKED = "links.txt"
_ABOUT = About(frozenset({"lines"}), say("is not a store of links; add it again."))
_TELL_LINES = 10_000
_BYTES_OF_LINE = 60  # About.


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Check the lines of a file (`ENGLISH-FOREIGN` from 0, as in Pharaoh) and keep it; whether the
    texts have these words is checked where they meet.

    Returns how many lines and links there are. Raises FileRefused with a line for each problem.
    """
    problems = Problems(source)
    expected = size_of(source) / _BYTES_OF_LINE
    lines = linked = 0
    for number, text in all_lines(source, problems):
        lines += 1
        linked += text.count("-")
        if not _LINE.fullmatch(text):
            problems.add(number, _WRONG_LINE)
        if lines % _TELL_LINES == 0:
            progress(min(0.9, lines / expected))
    problems.check()
    if not linked:
        raise FileRefused.at(source, 0, say("has no link; write those of a sentence on its line."))
    shutil.copyfile(source, folder / LINKED)
    progress(1.0)
    _ABOUT.write(folder, {"sha256": sha256(source), "lines": lines})
    return {"sentences": lines, "linked": linked}


def links_file(place: Path) -> Path:
    """The file of a store, or the file itself."""
    return place / LINKED if place.is_dir() else place
