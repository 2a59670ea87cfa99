"""The greedy search of TER for the block shift that saves most edits.

Rules and limits are those of Tercom as implemented in sacrebleu, so that the scores are equal.
Texts have one character per word.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.metrics.overlap.ter_align import align, distance

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
        found = distance(moved, reference, limit)
        if found <= limit:
            best = Shift(moved, found, tried)
            if found == least:
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
