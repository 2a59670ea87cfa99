"""ParaMetric: a paraphrase table compared with paraphrases that people linked by hand.

Source: Callison-Burch, Cohn and Lapata (2008). The gold paraphrases of a phrase are all other
phrases with which it forms a phrase pair under the links by hand.
"""

from __future__ import annotations

import math
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraanno.common.texts import Sentence, say
from scoring.building.alignment import Links, Words, links_of
from scoring.building.paraphrases.counting import extract, number_phrases
from scoring.metrics.files import FileRefused, Problems, sha256, text_lines
from scoring.metrics.resources.stores import About
from scoring.metrics.resources.table import RawTable, phrase_key

# Reader of aligned pairs: two sentences in one language and links between their words by hand.


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
        parsed = _links(cells[2], len(one), len(other))
        if isinstance(parsed, Sentence):
            problems.add(number, parsed)
            continue
        left.append(one)
        right.append(other)
        links.append([(i, j) for i, kind, j in parsed if kind == _SURE or not sure_only])
    problems.check()
    if not left:
        raise FileRefused.at(
            path, 0, say("has no pair; write sentence TAB sentence TAB links on each line.")
        )
    return AlignedPairs(left, right, links_of(links))


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Check a file and keep it in a store, a folder; the function of the kind `aligned_pairs`.
    Raises FileRefused."""
    pairs = read_aligned(source)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / STORED)
    counts = {"sentences": len(pairs.left), "linked": len(pairs.links)}
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
    links = []
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
                link=part,
                left=left,
                right=right,
            )
        links.append((i, match[2], j))
    return links


LONGEST = 5
Sets = Mapping[str, Set[str]]


@dataclass(frozen=True, slots=True)
class LinkedGold:
    """Phrases by key (no case, no punctuation; see `phrase_key`): `phrases` are those of all
    sentences, `paraphrases` has those with at least one gold paraphrase."""

    phrases: frozenset[str]
    paraphrases: Sets

    @property
    def pairs(self) -> int:
        return sum(map(len, self.paraphrases.values()))


@dataclass(frozen=True, slots=True)
class Rating:
    """How good a table is. A paraphrase that nobody linked may be right all the same, so that
    precision is a lower bound; recall is relative to the sentences at hand.

    `precision` is the mean share of the table's paraphrases that are gold, over the
    `with_paraphrases` phrases that have any (None without such phrases); `recall` the mean share of
    gold paraphrases that the table has, over the `with_gold` phrases (None without any).
    `table_pairs` and `shared_pairs` count pairs of phrases of the sentences.
    """

    precision: float | None
    recall: float | None
    with_paraphrases: int
    with_gold: int
    table_pairs: int
    shared_pairs: int


def gold_of(aligned: AlignedPairs, *, longest: int = LONGEST) -> LinkedGold:
    """The gold paraphrases of all phrases of up to `longest` words, of both sides alike."""
    sides = [number_phrases(side, longest) for side in (aligned.left, aligned.right)]
    pairs = extract(
        aligned.links,
        sides[0].starts,
        sides[1].starts,
        longest=longest,
        first=0,
        last=len(aligned.left),
    )
    keys = [
        [phrase_key(text) for text in side.texts(np.arange(len(side), dtype=np.int64))]
        for side in sides
    ]
    paraphrases: defaultdict[str, set[str]] = defaultdict(set)
    left = sides[0].at(pairs.english_start, pairs.english_length).tolist()
    right = sides[1].at(pairs.foreign_start, pairs.foreign_length).tolist()
    for one, other in set(zip(left, right, strict=True)):
        phrase, theirs = keys[0][one], keys[1][other]
        if phrase and theirs and phrase != theirs:
            paraphrases[phrase].add(theirs)
            paraphrases[theirs].add(phrase)
    return LinkedGold(frozenset(filter(None, (*keys[0], *keys[1]))), dict(paraphrases))


def paraphrases_of(table: RawTable, phrases: Set[str], *, least: float = 0.0) -> Sets:
    """The paraphrases that a table gives for some phrases with a probability of at least `least`,
    in the direction of the table. A pair without probability counts at 0 alone."""
    names = list(table.numbers)
    is_wanted = [name in phrases for name in names]
    paraphrases: defaultdict[str, set[str]] = defaultdict(set)
    for one, other, probability in zip(table.left, table.right, table.probabilities, strict=True):
        if is_wanted[one] and (least <= 0 or probability >= least):
            paraphrases[names[one]].add(names[other])
    return dict(paraphrases)


def has_probabilities(table: RawTable) -> bool:
    """Whether any pair of the table has one."""
    return not all(map(math.isnan, table.probabilities))


def rate(paraphrases: Sets, gold: LinkedGold) -> Rating:
    """Rate the paraphrases of a table for the phrases of the sentences (see `paraphrases_of`)."""
    nothing: Set[str] = frozenset()
    paraphrases = {
        phrase: some for phrase, some in paraphrases.items() if some and phrase in gold.phrases
    }
    shared = {
        phrase: len(some & gold.paraphrases.get(phrase, nothing))
        for phrase, some in paraphrases.items()
    }
    precision = [shared[phrase] / len(some) for phrase, some in paraphrases.items()]
    recall = [shared.get(phrase, 0) / len(some) for phrase, some in gold.paraphrases.items()]
    return Rating(
        math.fsum(precision) / len(precision) if precision else None,
        math.fsum(recall) / len(recall) if recall else None,
        len(precision),
        len(recall),
        sum(map(len, paraphrases.values())),
        sum(shared.values()),
    )
