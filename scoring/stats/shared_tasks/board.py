"""Boards: values with intervals, simultaneous rank intervals, and groups not told apart.

A value is a sum of numerators over a sum of denominators by cluster. Intervals leave out clusters;
pairs of submissions are compared by swapping them in whole originals, all pairs at once by
step-down max-T, so that the rank intervals of a board jointly contain all true ranks with 95 %
confidence.
"""

from __future__ import annotations

import gzip
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations
from string import ascii_uppercase
from typing import Any, Literal, TypedDict

import numpy as np

from scoring.stats.evaluation.pairwise import Majority, direction
from scoring.stats.intervals import LEAST_CLUSTERS, jackknife_interval, left_out
from scoring.stats.resampling import ratio
from scoring.stats.significance.swaps import compact_letters, max_t, rank_intervals
from scoring.stats.table import BoolArray, FloatArray, IntArray

ALPHA = 0.05
MOST_ROWS = 40


class BoardRowJson(TypedDict):
    """One line of a board; None where undefined. `group` has a letter for each run of neighbours
    that are not told apart; two rows share one of the `letters` exactly if no test tells them
    apart."""

    submission: str
    value: float | None
    ci_low: float | None
    ci_high: float | None
    rank_low: int
    rank_high: int
    group: str
    letters: str


@dataclass(frozen=True, eq=False)
class Ratios:
    """(G, M) numerators and denominators of M named submissions in G originals."""

    names: Sequence[str]
    top: FloatArray
    bottom: FloatArray

    @property
    def values(self) -> FloatArray:
        return np.asarray(ratio(self.top.sum(axis=0), self.bottom.sum(axis=0)))


def board_rows(
    ratios: Ratios, *, intervals: bool = True, permutations: int = 10_000, seed: int = 0
) -> list[BoardRowJson]:
    """Rank submissions by their values, the highest first.

    A submission without a value has no place. Intervals need 5 clusters with a pair.
    """
    values = {n: float(v) for n, v in zip(ratios.names, ratios.values, strict=True)}
    defined = {name: value for name, value in values.items() if not np.isnan(value)}
    better = told_apart(ratios, permutations=permutations, seed=seed)
    return rows_of(defined, _intervals(ratios, seed) if intervals else {}, better)


def rows_of(
    values: Mapping[str, float],
    intervals: Mapping[str, tuple[float, float] | None],
    better: Set[tuple[str, str]],
) -> list[BoardRowJson]:
    """Rows in order of value, from intervals and the pairs (better, worse) told apart together."""
    ranks = rank_intervals(values, better)
    groups = group_letters(list(ranks), better)
    letters = compact_letters(list(ranks), better)
    rows: list[BoardRowJson] = []
    for name, (low, high) in ranks.items():
        interval = intervals.get(name)
        rows.append(
            {
                "submission": name,
                "value": values[name],
                "ci_low": interval[0] if interval else None,
                "ci_high": interval[1] if interval else None,
                "rank_low": low,
                "rank_high": high,
                "group": groups[name],
                "letters": letters[name],
            }
        )
    return rows


def told_apart(
    ratios: Ratios, *, permutations: int = 10_000, seed: int = 0
) -> set[tuple[str, str]]:
    """Return the pairs (better, worse) that differ, with 5 % of error over all pairs together."""
    pairs = list(combinations(range(len(ratios.names)), 2))
    groups = ratios.top.shape[0]
    if not pairs or not groups:
        return set()
    # Of equal denominators (the same pairs for all), a difference of sums is one of values.
    share = ratio(ratios.top, ratios.bottom.sum(axis=0)[None, :])
    gaps = np.nan_to_num(np.array([share[:, a] - share[:, b] for a, b in pairs]))
    there = np.array([(ratios.bottom[:, a] + ratios.bottom[:, b]) > 0 for a, b in pairs])
    better = set()
    for (a, b), gap, p in zip(
        pairs,
        gaps.sum(axis=1),
        max_t(gaps, there, permutations=permutations, seed=seed),
        strict=True,
    ):
        if p is not None and p < ALPHA and gap:
            high, low = (a, b) if gap > 0 else (b, a)
            better.add((ratios.names[high], ratios.names[low]))
    return better


def _intervals(ratios: Ratios, seed: int) -> dict[str, tuple[float, float] | None]:
    """Jackknife by cluster, on the logit scale; None at an end of it and for few clusters."""
    intervals: dict[str, tuple[float, float] | None] = {}
    for place, name in enumerate(ratios.names):
        some = ratios.bottom[:, place] > 0
        rest = left_out(
            np.column_stack([ratios.top[some, place], ratios.bottom[some, place]]), seed
        )
        value = float(ratios.values[place])
        ends = (
            jackknife_interval(value, ratio(rest[:, 0], rest[:, 1]), "logit")
            if some.sum() >= LEAST_CLUSTERS
            else None
        )
        intervals[name] = ends if isinstance(ends, tuple) else None
    return intervals


def group_letters(ranked: Sequence[str], better: Set[tuple[str, str]]) -> dict[str, str]:
    """Return the letters of each name: names in order that share a letter are not told apart.

    A letter stands for a longest run of neighbours no two of which differ.
    """
    runs: list[tuple[int, int]] = []
    for start in range(len(ranked)):
        end = start + 1
        while end < len(ranked) and not any(
            (name, ranked[end]) in better or (ranked[end], name) in better
            for name in ranked[start:end]
        ):
            end += 1
        if not runs or end > runs[-1][1]:
            runs.append((start, end))
    return {
        name: "".join(_letter(n) for n, (low, high) in enumerate(runs) if low <= place < high)
        for place, name in enumerate(ranked)
    }


def _letter(number: int) -> str:
    """A to Z, then A2, B2 and so on."""
    turn, place = divmod(number, len(ascii_uppercase))
    return ascii_uppercase[place] + (str(turn + 1) if turn else "")


# What a shared task freezes: texts and pairs under random ids, their gold, and the split.
#
# Pairs are those of White 2012: any two paraphrases of one original, those equal to the original or
# to a reference left out. A pair that people tie is among them and is not scored, so that the files
# do not tell which pairs are ties.


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
        content = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in vars(self).items()
        }
        text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return gzip.compress(text.encode("utf-8"), mtime=0)

    @classmethod
    def from_bytes(cls, packed: bytes) -> Frozen:
        """The content that `to_bytes` wrote."""
        content: dict[str, Any] = json.loads(gzip.decompress(packed))
        for name in ("cluster", "original", "a", "b", "by_sum", "by_majority", "made"):
            content[name] = np.array(content[name], dtype=np.int64)
        content["public"] = np.array(content["public"], dtype=bool)
        content["gold"] = np.array(content["gold"], dtype=np.float64)
        return cls(**content)


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
        original_ids,
        original_texts,
        references,
        cluster,
        public_cluster[cluster],
        text_ids,
        [judged.text[at] for at in order],
        original_place[original[order]],
        judged.value[order],
        pair_ids,
        text_place[a],
        text_place[b],
        direction(judged.value, a, b).astype(np.int64),
        Majority(judged.annotator, judged.unit, judged.given, judged.value)(a, b),
        list(judged.systems),
        np.array([text_place[made[:, 0]], made[:, 1]], dtype=np.int64),
    )
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
    ids: set[str] = set()
    while len(ids) < n:
        for row in rng.integers(0, len(ALPHABET), size=(n - len(ids), DIGITS)):
            ids.add(letter + "".join(ALPHABET[digit] for digit in row))
    return sorted(ids), rng.permutation(n).astype(np.int64)


def _pairs(texts: Sequence[str], original: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of different texts of one original."""
    order = np.argsort(original, kind="stable")
    ends = np.cumsum(np.bincount(original))
    pairs = [
        pair
        for rows in np.split(order, ends[:-1])
        for pair in combinations(rows.tolist(), 2)
        if texts[pair[0]] != texts[pair[1]]
    ]
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def by_annotator(judged: JudgedTexts) -> Iterator[FloatArray]:
    """The (T,) sums of each annotator who judged a text, NaN where missing."""
    order = np.argsort(judged.annotator, kind="stable")
    starts = np.flatnonzero(np.diff(judged.annotator[order], prepend=-1))
    for rows in np.split(order, starts[1:]) if order.size else []:
        sums = np.full(len(judged.text), np.nan)
        sums[judged.unit[rows]] = judged.given[rows]
        yield sums


# The files that participants get, as tab-separated text in UTF-8.
#
# They are made of ids and texts alone: gold, split and systems are in none of them.


def tsv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Lines of cells; a cell with a tab, a quote or a line end is quoted as in CSV."""
    lines = ["\t".join(map(_cell, row)) for row in (header, *rows)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _cell(text: str) -> str:
    if any(mark in text for mark in '\t"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def texts_file(frozen: Frozen) -> bytes:
    """id, original, text: all texts."""
    of = [frozen.originals[at] for at in frozen.original.tolist()]
    rows = zip(frozen.ids, of, frozen.texts, strict=True)
    return tsv(("id", "original", "text"), rows)


def pairs_file(frozen: Frozen) -> bytes:
    """pair, a, b: all pairs, those that people tie too."""
    a = [frozen.ids[at] for at in frozen.a.tolist()]
    b = [frozen.ids[at] for at in frozen.b.tolist()]
    return tsv(("pair", "a", "b"), zip(frozen.pairs, a, b, strict=True))


def originals_file(frozen: Frozen) -> bytes:
    """original, text."""
    return tsv(("original", "text"), zip(frozen.originals, frozen.original_texts, strict=True))


def references_file(frozen: Frozen) -> bytes:
    """original, reference: the original itself first, then further references."""
    return tsv(
        ("original", "reference"),
        (
            (key, text)
            for key, own, others in zip(
                frozen.originals, frozen.original_texts, frozen.references, strict=True
            )
            for text in (own, *others)
        ),
    )


def gold_file(frozen: Frozen, part: str = "") -> bytes:
    """What is published after closing: a line for each pair, with what people chose by both rules
    and the part; texts with their gold are in `text_gold_file`. `part` names that of all lines."""
    signs = {1: "a", -1: "b", 0: "="}
    parts = _parts(frozen.public[frozen.original[frozen.a]], part)
    return tsv(
        ("pair", "sum", "majority", "part"),
        (
            (pair, signs[s], signs[m], p)
            for pair, s, m, p in zip(
                frozen.pairs,
                frozen.by_sum.tolist(),
                frozen.by_majority.tolist(),
                parts,
                strict=True,
            )
        ),
    )


def _parts(public: BoolArray, part: str) -> list[str]:
    return [part or ("public" if one else "final") for one in public.tolist()]


def text_gold_file(frozen: Frozen, part: str = "") -> bytes:
    """text, gold, part and the systems that made it: published after closing."""
    systems: dict[int, list[str]] = {}
    for unit, system in frozen.made.T.tolist():
        systems.setdefault(unit, []).append(frozen.systems[system])
    parts = _parts(frozen.public[frozen.original], part)
    return tsv(
        ("text", "gold", "part", "systems"),
        (
            (key, f"{value:.10g}", p, "|".join(systems.get(at, [])))
            for at, (key, value, p) in enumerate(
                zip(frozen.ids, frozen.gold.tolist(), parts, strict=True)
            )
        ),
    )


# The training part of a task: judged texts of another campaign, with their gold.
#
# Its files have the forms of the test's, so that one program reads both, and the gold as it is
# published of a task that is over.


PART = "train"


def training_files(
    judged: JudgedTexts, *, held_out: Iterable[str], seed: int
) -> tuple[dict[str, bytes], int]:
    """Return the files by name, and how many originals were left out because the test has them.

    held_out   the originals of the test: compared without case, as NFC, white space folded
    No files at all if nothing is left.
    """
    training, out = _without(judged, {_folded(text) for text in held_out})
    if not training.text:
        return {}, out
    frozen = freeze(training, public_share=0, seed=seed)
    files = {
        "originals.tsv": originals_file(frozen),
        "texts.tsv": texts_file(frozen),
        "pairs.tsv": pairs_file(frozen),
        "gold/pairs.tsv": gold_file(frozen, PART),
        "gold/texts.tsv": text_gold_file(frozen, PART),
    }
    return files, out


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _without(judged: JudgedTexts, held_out: set[str]) -> tuple[JudgedTexts, int]:
    test = np.array([_folded(text) in held_out for text in judged.original_text], dtype=bool)
    rows = np.flatnonzero(~test).tolist()
    place = np.full(len(judged.text), -1)
    place[rows] = np.arange(len(rows))
    in_training = place[judged.unit] >= 0
    training = replace(
        judged,
        text=[judged.text[at] for at in rows],
        original=judged.original[rows],
        original_text=[judged.original_text[at] for at in rows],
        cluster=judged.cluster[rows],
        value=judged.value[rows],
        annotator=judged.annotator[in_training],
        unit=place[judged.unit[in_training]],
        given=judged.given[in_training],
        made=tuple((int(place[at]), of) for at, of in judged.made if place[at] >= 0),
        references=[judged.references[at] for at in rows] if judged.references else [],
    )
    return training, int(np.unique(judged.original[test]).size)
