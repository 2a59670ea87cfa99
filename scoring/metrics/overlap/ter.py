"""TER (Snover et al. 2006) as sacrebleu counts it, in a fraction of the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import version
from math import ceil, floor
from typing import Any

from rapidfuzz.distance import Levenshtein

from paraanno.common.texts import say
from scoring.metrics.base import CorpusMetric
from scoring.metrics.texts.tokenizers import sacrebleu_tokenizer
from scoring.metrics.values import AGAINST, YES_NO, Option, Vector, references_option

# Edit distances and alignments for TER, equal to those of sacrebleu.
#
# Texts have one character per word. sacrebleu fills only a band of the distance table around the
# diagonal, so it may miss the cheapest path. Here the full table is computed first, which is much
# faster with bit vectors. If its best path lies within the band, the band gives the same path,
# since omitted cells can only make other paths more expensive; otherwise the band is filled.


BAND = 25
# The path certainly lies within the band if the reference is shorter than the band, or if edits are
# few: a cell at distance k from the diagonal costs k steps to reach and to leave.
SHORT = 24
FEW = 44
FAR = 10**9  # More than any distance.

Rows = list[tuple[int, int]]
"""For each word of the text, as bits over the reference: the cells best reached from the one
diagonally before, and those that may be reached from the row before."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each position of the reference the aligned position of the text (-1: before the first),
    and the erroneous positions of both as bits."""

    places: list[int]
    wrong: int
    wrong_reference: int
    in_band: bool


def distance(text: str, reference: str, most: int = FAR) -> int:
    """The edit distance from the text to the reference; if above `most`, any number above it."""
    cost = Levenshtein.distance(text, reference, score_cutoff=most)
    if cost > most or len(reference) <= SHORT:
        return cost
    if abs(len(text) - len(reference)) + cost <= FEW or _whole(text, reference).in_band:
        return cost
    return _banded(text, reference)[-1][-1]


def align(text: str, reference: str) -> Alignment:
    """A cheapest edit path from the text to the reference, traced from the end: keep or replace,
    else delete from the text, else insert."""
    alignment = _whole(text, reference)
    if alignment.in_band:
        return alignment
    return _traced(text, reference, _rows_of(_banded(text, reference), text, reference))


def _whole(text: str, reference: str) -> Alignment:
    """The full table as bit vectors, a row for each word of the text (Hyyro 2003)."""
    masks: dict[str, int] = {}
    for at, letter in enumerate(reference):
        masks[letter] = masks.get(letter, 0) | 1 << at
    full = (1 << len(reference)) - 1
    up, down = full, 0  # Steps of +1 and of -1 along the row.
    rows: Rows = []
    for letter in text:
        match = masks.get(letter, 0)
        # Equal to the diagonal predecessor.
        same = (((match & up) + up) ^ up | match | down) & full
        more = (down | ~(same | up)) & full
        less = up & same
        rows.append((match | ~same, more))
        shifted = more << 1 | 1
        up = (less << 1 | ~(same | shifted)) & full
        down = shifted & same & full
    return _traced(text, reference, rows)


def _banded(text: str, reference: str) -> list[list[int]]:
    """sacrebleu's table: a row of distances for the empty text and for each word of the text."""
    columns = len(reference)
    slope = columns / len(text) if text else 1.0
    width = BAND if slope / 2 <= BAND else ceil(slope / 2 + BAND)
    table = [list(range(columns + 1))]
    for row, letter in enumerate(text, 1):
        middle = floor(row * slope)
        last = columns if row == len(text) else min(columns, middle + width - 1)
        before, now = table[-1], [FAR] * (columns + 1)
        for column in range(max(0, middle - width), last + 1):
            if not column:
                now[0] = before[0] + 1
                continue
            cost = before[column - 1] + (letter != reference[column - 1])
            cost = before[column] + 1 if before[column] < cost - 1 else cost
            now[column] = now[column - 1] + 1 if now[column - 1] < cost - 1 else cost
        table.append(now)
    return table


def _rows_of(table: list[list[int]], text: str, reference: str) -> Rows:
    rows: Rows = []
    for letter, before, now in zip(text, table, table[1:], strict=False):
        diagonal = more = 0
        for at, other in enumerate(reference):
            if now[at + 1] == before[at] + (letter != other):
                diagonal |= 1 << at
            if now[at + 1] == before[at + 1] + 1:
                more |= 1 << at
        rows.append((diagonal, more))
    return rows


def _traced(text: str, reference: str, rows: Rows) -> Alignment:
    row, column = len(text), len(reference)
    slope = column / row if row else 1.0
    places = [0] * column
    wrong = wrong_reference = 0
    in_band = True
    while row or column:
        ahead = column - floor(row * slope)
        if row and (ahead < -BAND or (ahead >= BAND and row < len(text))):
            in_band = False
        diagonal, more = rows[row - 1] if row else (0, 0)
        bit = 1 << column - 1 if column else 0
        if diagonal & bit:
            row, column = row - 1, column - 1
            places[column] = row
            if text[row] != reference[column]:
                wrong |= 1 << row
                wrong_reference |= 1 << column
        elif row and (not column or more & bit):
            row -= 1
            wrong |= 1 << row
        else:
            column -= 1
            places[column] = row - 1
            wrong_reference |= 1 << column
    return Alignment(places, wrong, wrong_reference, in_band)


# The greedy search of TER for the block shift that saves most edits.
#
# Rules and limits are those of Tercom as implemented in sacrebleu, so that the scores are equal.
# Texts have one character per word.


MOST_CANDIDATES = 1000  # Most shifts tried for one text; then the search stops.
LONGEST = 10  # words of a block
FARTHEST = 50  # words that a block may move by


@dataclass(frozen=True, slots=True)
class Shift:
    """A text after a shift, its distance, and the number of shifts tried."""

    text: str
    distance: int
    tried: int


def best_shift(text: str, reference: str, before: int, least: int, candidates: int) -> Shift | None:
    """The shift that saves most edits; of equal ones the longest block, then the first, then the
    one to the first position. None if no shift saves any, or the limit is reached.

    `before` is the distance without a shift, `least` a lower bound after any shift.
    """
    moves, tried = _moves(text, reference, candidates)
    if tried >= candidates:
        return None
    best: Shift | None = None
    for length, start, target in sorted(moves, key=lambda move: (-move[0], move[1], move[2])):
        moved = _moved(text, start, length, target)
        limit = (best.distance if best else before) - 1
        cost = distance(moved, reference, limit)
        if cost <= limit:
            best = Shift(moved, cost, tried)
            if cost == least:
                break
    return best


def _moves(text: str, reference: str, most: int) -> tuple[set[tuple[int, int, int]], int]:
    """The candidate shifts (length, start, target), and their number with repeats, which ends the
    search when it reaches `most`.

    A block moves to its position in the reference, if both positions have errors.
    """
    alignment = align(text, reference)
    places, end = alignment.places, len(reference)
    where: dict[str, list[int]] = {}
    for at, letter in enumerate(reference):
        where.setdefault(letter, []).append(at)
    moves: set[tuple[int, int, int]] = set()
    tried = 0
    for start, letter in enumerate(text):
        for there in where.get(letter, ()):
            if abs(there - start) > FARTHEST:
                continue
            for length in range(1, _common(text, start, reference, there) + 1):
                block = (1 << length) - 1
                if (
                    not alignment.wrong >> start & block
                    or not alignment.wrong_reference >> there & block
                    or start <= places[there] < start + length
                ):
                    continue
                last = -1
                for at in range(there - 1, min(there + length, end)):
                    target = places[at] + 1 if at >= 0 else 0
                    if target != last:
                        last = target
                        moves.add((length, start, target))
                        tried += 1
            if tried >= most:
                return moves, tried
    return moves, tried


def _common(text: str, start: int, reference: str, there: int) -> int:
    """The length of the common run of words from these positions."""
    length, most = 1, min(LONGEST, len(text) - start, len(reference) - there)
    while length < most and text[start + length] == reference[there + length]:
        length += 1
    return length


def _moved(text: str, start: int, length: int, target: int) -> str:
    """The text with a block moved before the word at the target, or within itself."""
    block, end = text[start : start + length], start + length
    if target < start:
        return text[:target] + block + text[target:start] + text[end:]
    if target > end:
        return text[:start] + text[end:target] + block + text[target:]
    return text[:start] + text[end : length + target] + block + text[length + target :]


UNKNOWN = "\0"  # Stands for any word that is not in the reference, and never matches.


@dataclass(frozen=True, slots=True)
class EncodedReference:
    """A reference with one character per distinct word, and the counts of the characters."""

    letters: dict[str, str]
    text: str
    counts: dict[str, int]


class Ter(CorpusMetric[list[EncodedReference]]):
    """Unit and system scores equal sacrebleu's with the same options. With several references, the
    edits to the nearest one are divided by the mean length of all.
    """

    name = "ter"
    title = "TER"
    summary = say(
        "0 (a copy) upwards, 100 for as many edits as the reference has words: the minimum "
        "number of words inserted, deleted or replaced and of blocks of words moved. Lower "
        "is better."
    )
    family = "surface"
    higher_is_better = False
    percent = True
    longest = 5_000  # Some 1,000 words: beyond that, the search for shifts takes seconds.
    WORDS_AT = 1  # A paraphrase without words has a score: all words of the reference are missing.
    OPTIONS = (
        AGAINST,
        references_option("multi", "max", "mean"),
        Option("normalized", "no", say("Separate punctuation from words, as Tercom does."), YES_NO),
        Option("no_punct", "no", say("Remove punctuation."), YES_NO),
        Option(
            "asian_support",
            "no",
            say(
                "Chinese and Japanese: with normalized=yes each character is a word, with "
                "no_punct=yes their punctuation is removed too."
            ),
            YES_NO,
        ),
        Option("case_sensitive", "no", say("Distinguish upper and lower case."), YES_NO),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names = ("normalized", "no_punct", "asian_support", "case_sensitive")
        self._rules = {name: self.options[name] == "yes" for name in names}
        self._plain = not (self._rules["normalized"] or self._rules["no_punct"])
        self._fold = not self._rules["case_sensitive"]

    def versions(self) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    def words(self, text: str) -> list[str]:
        """The words of a text."""
        if self._plain:
            return (text.lower() if self._fold else text).split()
        return self._cut(text.rstrip()).split()

    @cached_property
    def _cut(self) -> Callable[[str], str]:
        tokenizer: Any = sacrebleu_tokenizer("tokenizer_ter:TercomTokenizer", **self._rules)
        # The uncached function: its cache would keep 65,536 texts.
        uncached: Any = type(tokenizer).__call__
        return partial(uncached.__wrapped__, tokenizer)

    def _know(self, targets: tuple[str, ...]) -> list[EncodedReference]:
        return [reference_of(words) for text in targets if (words := self.words(text))]

    def _statistics(self, target: list[EncodedReference], paraphrase: str) -> Vector | None:
        """The edits to the nearest reference, and the mean length of the references."""
        if not target:
            return None
        words = self.words(paraphrase)
        lengths = sum(len(reference.text) for reference in target)
        return (min(edits(words, one) for one in target), lengths / len(target))

    def _value(self, total: Vector) -> float:
        return 100 * total[0] / total[1]


def reference_of(words: list[str]) -> EncodedReference:
    """Analyse a reference for comparison."""
    letters = {word: chr(at) for at, word in enumerate(dict.fromkeys(words), 1)}
    text = "".join(letters[word] for word in words)
    return EncodedReference(letters, text, Counter(text))


def edits(words: list[str], reference: EncodedReference) -> int:
    """The number of edits and shifts that turn the words into those of the reference.

    Shifts are chosen greedily, each the one that saves most edits. The search is skipped if a shift
    could save at most one edit, because it costs one itself.
    """
    letters = reference.letters
    text = "".join([letters.get(word, UNKNOWN) for word in words])
    shared = sum(min(text.count(letter), n) for letter, n in reference.counts.items())
    # A lower bound for any order of the words.
    least = max(len(words), len(reference.text)) - shared
    left = distance(text, reference.text)
    shifts = tried = 0
    while left - least > 1:
        shift = best_shift(text, reference.text, left, least, MOST_CANDIDATES - tried)
        if shift is None:
            break
        shifts += 1
        tried += shift.tried
        text, left = shift.text, shift.distance
    return shifts + left
