"""What a shared task freezes: texts and pairs under random ids, their gold, and the split.

Pairs are those of White 2012: any two paraphrases of one original, those equal to the original or
to a reference left out. A pair that people tie is among them and is not scored, so that the files
do not tell which pairs are ties.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np

from scoring.stats.evaluation.pairwise import Majority, direction
from scoring.stats.table import BoolArray, FloatArray, IntArray

Rule = Literal["sum", "majority"]
RULES: tuple[Rule, ...] = ("sum", "majority")
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
DIGITS = 10  # Of a random id: 31^10 values, so that nobody guesses one.


@dataclass(frozen=True, eq=False)
class JudgedTexts:
    """T texts with the judgments of people, before anything is drawn.

    text, original, original_text, cluster   (T,) each; texts of one original share its code, and
                                             originals of one cluster are never split apart
    value       (T,) gold: mean over annotators of the sum of scales, each from 0 to 1
    annotator, unit, given   (J,) the sum that an annotator gave to a text; none where gold was
                             imported
    systems, made   labels, and rows (text, system)
    """

    text: Sequence[str]
    original: IntArray
    original_text: Sequence[str]
    cluster: IntArray
    value: FloatArray
    annotator: IntArray
    unit: IntArray
    given: FloatArray
    systems: Sequence[str] = ()
    made: tuple[tuple[int, int], ...] = ()
    references: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, eq=False)
class Frozen:
    """The frozen content of a task, in the order of its files, which is that of the random ids.

    originals, original_texts, references   (O,) ids, texts and further references
    cluster, public    (O,) code of what is drawn together; whether it is in the public part
    ids, texts, original, gold   (T,) ids, texts, codes of their originals, gold
    pairs, a, b        (P,) ids and codes of the two texts
    by_sum, by_majority  (P,) 1 if people prefer a, -1 if b, 0 for a tie
    systems, made      labels, and (2, R) codes of text and system
    ceiling            by measure and part, what one annotator reaches (see ceiling.py)
    """

    originals: list[str]
    original_texts: list[str]
    references: list[list[str]]
    cluster: IntArray
    public: BoolArray
    ids: list[str]
    texts: list[str]
    original: IntArray
    gold: FloatArray
    pairs: list[str]
    a: IntArray
    b: IntArray
    by_sum: IntArray
    by_majority: IntArray
    systems: list[str]
    made: IntArray
    ceiling: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)

    def people(self, rule: Rule) -> IntArray:
        """The directions of the pairs by a rule of gold."""
        return self.by_sum if rule == "sum" else self.by_majority

    @property
    def pair_cluster(self) -> IntArray:
        return np.asarray(self.cluster[self.original[self.a]], dtype=np.int64)

    @property
    def text_cluster(self) -> IntArray:
        return np.asarray(self.cluster[self.original], dtype=np.int64)

    def to_bytes(self) -> bytes:
        """The content as compressed JSON; the same content gives the same bytes."""
        found = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in vars(self).items()
        }
        text = json.dumps(found, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return gzip.compress(text.encode("utf-8"), mtime=0)

    @classmethod
    def from_bytes(cls, packed: bytes) -> Frozen:
        """The content that `to_bytes` wrote."""
        found: dict[str, Any] = json.loads(gzip.decompress(packed))
        for name in ("cluster", "original", "a", "b", "by_sum", "by_majority", "made"):
            found[name] = np.array(found[name], dtype=np.int64)
        found["public"] = np.array(found["public"], dtype=bool)
        found["gold"] = np.array(found["gold"], dtype=np.float64)
        return cls(**found)


def freeze(judged: JudgedTexts, *, public_share: float, seed: int) -> Frozen:
    """Draw the split, the ids, and the order of everything.

    All draws come from the seed and from the number of texts, pairs and originals, never from gold:
    other judgments on the same texts give the same files. Originals with one text stay, without a
    pair.
    """
    return freeze_placed(judged, public_share=public_share, seed=seed)[0]


def freeze_placed(
    judged: JudgedTexts, *, public_share: float, seed: int
) -> tuple[Frozen, IntArray]:
    """`freeze`, and the (T,) places of the judged texts among the frozen ones."""
    rng = np.random.default_rng(seed)
    codes, original = np.unique(judged.original, return_inverse=True)
    clusters, cluster_of = np.unique(judged.cluster, return_inverse=True)
    public_cluster = split(len(clusters), public_share, rng)
    original_ids, original_place = drawn_ids("o", len(codes), rng)
    text_ids, text_place = drawn_ids("t", len(judged.text), rng)
    first = np.full(len(codes), -1)
    first[original[::-1]] = np.arange(len(original))[::-1]
    order = np.argsort(text_place)
    cluster = np.zeros(len(codes), dtype=np.int64)
    cluster[original_place] = cluster_of[first]
    original_texts, references = [""] * len(codes), [[""]] * len(codes)
    for code, place in enumerate(original_place.tolist()):
        original_texts[place] = judged.original_text[first[code]]
        references[place] = list(judged.references[first[code]]) if judged.references else []
    left, right = _pairs(judged.text, original)
    turned = rng.integers(0, 2, size=left.size).astype(bool)
    a, b = np.where(turned, right, left), np.where(turned, left, right)
    pair_ids, pair_place = drawn_ids("p", left.size, rng)
    line = np.argsort(pair_place)
    a, b = a[line], b[line]
    made = np.array(judged.made, dtype=np.int64).reshape(-1, 2)
    frozen = Frozen(
        original_ids, original_texts, references, cluster, public_cluster[cluster],
        text_ids, [judged.text[at] for at in order], original_place[original[order]],
        judged.value[order], pair_ids, text_place[a], text_place[b],
        direction(judged.value, a, b).astype(np.int64),
        Majority(judged.annotator, judged.unit, judged.given, judged.value)(a, b),
        list(judged.systems), np.array([text_place[made[:, 0]], made[:, 1]], dtype=np.int64),
    )  # fmt: skip
    return frozen, text_place


def split(clusters: int, share: float, rng: np.random.Generator) -> BoolArray:
    """Draw which clusters are public: their share, but at least one on each side if there are two
    and the share is neither 0 nor 1."""
    n = round(share * clusters)
    if 0 < share < 1 and clusters > 1:
        n = min(max(n, 1), clusters - 1)
    public = np.zeros(clusters, dtype=bool)
    public[rng.permutation(clusters)[:n]] = True
    return public


def drawn_ids(letter: str, n: int, rng: np.random.Generator) -> tuple[list[str], IntArray]:
    """Return n random ids in alphabetical order, and the (n,) place of each object among them."""
    found: set[str] = set()
    while len(found) < n:
        for row in rng.integers(0, len(ALPHABET), size=(n - len(found), DIGITS)):
            found.add(letter + "".join(ALPHABET[digit] for digit in row))
    return sorted(found), rng.permutation(n).astype(np.int64)


def _pairs(texts: Sequence[str], original: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of different texts of one original."""
    order = np.argsort(original, kind="stable")
    ends = np.cumsum(np.bincount(original))
    found = [
        pair
        for rows in np.split(order, ends[:-1])
        for pair in combinations(rows.tolist(), 2)
        if texts[pair[0]] != texts[pair[1]]
    ]
    both = np.array(found, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def by_annotator(judged: JudgedTexts) -> Iterator[FloatArray]:
    """The (T,) sums of each annotator who judged a text, NaN where missing."""
    order = np.argsort(judged.annotator, kind="stable")
    starts = np.flatnonzero(np.diff(judged.annotator[order], prepend=-1))
    for rows in np.split(order, starts[1:]) if order.size else []:
        sums = np.full(len(judged.text), np.nan)
        sums[judged.unit[rows]] = judged.given[rows]
        yield sums
