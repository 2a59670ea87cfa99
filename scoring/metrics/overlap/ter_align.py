"""Edit distances and alignments for TER, equal to those of sacrebleu.

Texts have one character per word. sacrebleu fills only a band of the distance table around the
diagonal, so it may miss the cheapest path. Here the full table is computed first, which is much
faster with bit vectors. If its best path lies within the band, the band gives the same path, since
omitted cells can only make other paths more expensive; otherwise the band is filled.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from rapidfuzz.distance import Levenshtein

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
    found = Levenshtein.distance(text, reference, score_cutoff=most)
    if found > most or len(reference) <= SHORT:
        return found
    if abs(len(text) - len(reference)) + found <= FEW or _whole(text, reference).in_band:
        return found
    return _banded(text, reference)[-1][-1]


def align(text: str, reference: str) -> Alignment:
    """A cheapest edit path from the text to the reference, traced from the end: keep or replace,
    else delete from the text, else insert."""
    found = _whole(text, reference)
    if found.in_band:
        return found
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
