"""ParaMetric: a paraphrase table compared with paraphrases that people linked by hand.

Source: Callison-Burch, Cohn and Lapata (2008). The gold paraphrases of a phrase are all other
phrases with which it forms a phrase pair under the links by hand.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np

from scoring.building.paraphrases.aligned import AlignedPairs
from scoring.building.paraphrases.numbering import number_phrases
from scoring.building.paraphrases.spans import extract
from scoring.metrics.resources.table_reading import RawTable, phrase_key

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
        aligned.links, sides[0].starts, sides[1].starts,
        longest=longest, first=0, last=len(aligned.left),
    )  # fmt: skip
    keys = [
        [phrase_key(text) for text in side.texts(np.arange(len(side), dtype=np.int64))]
        for side in sides
    ]
    found: defaultdict[str, set[str]] = defaultdict(set)
    left = sides[0].at(pairs.english_start, pairs.english_length).tolist()
    right = sides[1].at(pairs.foreign_start, pairs.foreign_length).tolist()
    for one, other in set(zip(left, right, strict=True)):
        mine, theirs = keys[0][one], keys[1][other]
        if mine and theirs and mine != theirs:
            found[mine].add(theirs)
            found[theirs].add(mine)
    return LinkedGold(frozenset(filter(None, (*keys[0], *keys[1]))), dict(found))


def paraphrases_of(table: RawTable, phrases: Set[str], *, least: float = 0.0) -> Sets:
    """The paraphrases that a table gives for some phrases with a probability of at least `least`,
    in the direction of the table. A pair without probability counts at 0 alone."""
    names = list(table.numbers)
    asked = [name in phrases for name in names]
    found: defaultdict[str, set[str]] = defaultdict(set)
    for one, other, probability in zip(table.left, table.right, table.probabilities, strict=True):
        if asked[one] and (least <= 0 or probability >= least):
            found[names[one]].add(names[other])
    return dict(found)


def has_probabilities(table: RawTable) -> bool:
    """Whether any pair of the table has one."""
    return not all(map(math.isnan, table.probabilities))


def rate(mine: Sets, gold: LinkedGold) -> Rating:
    """Rate the paraphrases of a table for the phrases of the sentences (see `paraphrases_of`)."""
    nothing: Set[str] = frozenset()
    mine = {phrase: some for phrase, some in mine.items() if some and phrase in gold.phrases}
    shared = {
        phrase: len(some & gold.paraphrases.get(phrase, nothing)) for phrase, some in mine.items()
    }
    precision = [shared[phrase] / len(some) for phrase, some in mine.items()]
    recall = [shared.get(phrase, 0) / len(some) for phrase, some in gold.paraphrases.items()]
    return Rating(
        math.fsum(precision) / len(precision) if precision else None,
        math.fsum(recall) / len(recall) if recall else None,
        len(precision),
        len(recall),
        sum(map(len, mine.values())),
        sum(shared.values()),
    )
