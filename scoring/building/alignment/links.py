"""Links between the words of parallel text, in the format of Pharaoh and most aligners.

A line belongs to the pair on the same line of the text and lists `ENGLISH-FOREIGN` places of
words, counted from 0; it is empty for a pair without links.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.building.alignment.parallel import Words
from scoring.metrics.files import FileRefused, Problems, all_lines

_LINE = re.compile(r"\s*(?:\d{1,7}-\d{1,7}(?:\s+|$))*")


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
            mine = text.replace("-", " ").split()
        else:
            mine = []
            problems.add(
                number, say("should list links such as 0-0 1-2: ENGLISH-FOREIGN, counted from 0.")
            )
        numbers.extend(map(int, mine))
        counts.append(len(mine) // 2)
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
    found = Links(line, table[:, 0].copy(), table[:, 1].copy())
    _check_range(path, found, english, foreign)
    return found


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
