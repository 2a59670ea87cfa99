"""Reader of aligned pairs: two sentences in one language and links between their words by hand."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from paraanno.plain.sentence import Sentence, say
from scoring.building.alignment.links import Links, links_of
from scoring.building.alignment.parallel import Words
from scoring.metrics.files import FileRefused, Problems, sha256, text_lines
from scoring.metrics.resources.stores import About

# 0-1 is a sure link; 0?1 and 0p1 are possible ones.
_LINK = re.compile(r"(\d{1,7})([-?p])(\d{1,7})")
_SURE = "-"
STORED = "aligned.tsv"
ABOUT = About(
    frozenset({"sentences"}), say("is not a store of linked sentences; add the file again.")
)


@dataclass(frozen=True, slots=True)
class AlignedPairs:
    """Both sides, pair by pair, as words, and the links between them."""

    left: list[Words]
    right: list[Words]
    links: Links


def read_aligned(path: Path, *, sure_only: bool = False) -> AlignedPairs:
    """Read lines of `sentence TAB sentence TAB links`: words separated by white space, links from
    0.

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


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Check a file and keep it in a store, a folder; the function of the kind `aligned_pairs`.
    Raises FileRefused."""
    found = read_aligned(source)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / STORED)
    counts = {"sentences": len(found.left), "linked": len(found.links)}
    ABOUT.write(folder, {"sha256": sha256(source), **counts})
    progress(1.0)
    return counts


def aligned_file(path: Path) -> Path:
    """The plain file of a store; a file is its own. Raises FileRefused for another folder."""
    if not path.is_dir():
        return path
    ABOUT.read(path)
    return path / STORED


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
                "The link %(link)s is beyond the words (%(left)s and %(right)s); positions count "
                "from 0.",
                link=part, left=left, right=right,
            )  # fmt: skip
        found.append((i, match[2], j))
    return found
