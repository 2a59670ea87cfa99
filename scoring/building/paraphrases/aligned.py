"""Reader of aligned pairs: two sentences in one language and links between their words by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from paraanno.plain.sentence import Sentence, say
from scoring.building.alignment.links import Links, links_of
from scoring.building.alignment.parallel import Words
from scoring.metrics.files import FileRefused, Problems, text_lines

# 0-1 is a sure link; 0?1 and 0p1 are possible ones.
_LINK = re.compile(r"(\d{1,7})([-?p])(\d{1,7})")
_SURE = "-"


@dataclass(frozen=True, slots=True)
class AlignedPairs:
    """Both sides, pair by pair, as words, and the links between them."""

    left: list[Words]
    right: list[Words]
    links: Links


def read_aligned(path: Path, *, sure_only: bool = False) -> AlignedPairs:
    """Read lines of `sentence TAB sentence TAB links`: words apart by white space, links from 0.

    Links that are only possible count too, unless `sure_only`. Raises FileRefused with a line for
    each problem, and for a file without pairs.
    """
    problems = Problems(path)
    left: list[Words] = []
    right: list[Words] = []
    links: list[list[tuple[int, int]]] = []
    for number, line in text_lines(path, problems):
        cells = line.split("\t")
        if len(cells) != 3:
            problems.add(number, say("should read sentence TAB sentence TAB links."))
            continue
        one, other = cells[0].split(), cells[1].split()
        if not (one and other):
            problems.add(number, say("has a sentence without words; fill it in."))
            continue
        found = _links(cells[2], len(one), len(other))
        if isinstance(found, Sentence):
            problems.add(number, found)
            continue
        left.append(one)
        right.append(other)
        links.append([(i, j) for i, kind, j in found if kind == _SURE or not sure_only])
    problems.check()
    if not left:
        raise FileRefused.at(
            path, 0, say("has no pair; write sentence TAB sentence TAB links on each line.")
        )
    return AlignedPairs(left, right, links_of(links))


def _links(text: str, left: int, right: int) -> list[tuple[int, str, int]] | Sentence:
    found = []
    for part in dict.fromkeys(text.split()):
        match = _LINK.fullmatch(part)
        if not match:
            return say(
                "%(link)s is no link; write 0-1 for a sure one, 0?1 for a possible one.", link=part
            )
        i, j = int(match[1]), int(match[3])
        if i >= left or j >= right:
            return say(
                "The link %(link)s is beyond the words (%(left)s and %(right)s); places count "
                "from 0.",
                link=part, left=left, right=right,
            )  # fmt: skip
        found.append((i, match[2], j))
    return found
