"""Trees from dependency parses in the format CoNLL-U: a constituent for each word that others
depend on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from paraanno.plain.sentence import say
from scoring.building.labels.trees import Node, TreeProblem

_CATEGORIES = {
    "NOUN": "NP", "PROPN": "NP", "PRON": "NP", "VERB": "VP", "AUX": "VP", "ADP": "PP",
    "ADJ": "ADJP", "ADV": "ADVP",
}  # fmt: skip
_SUBJECTS = ("nsubj", "csubj", "expl")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, its part of speech (UPOS), the number of its head from 1 (0: the root), its relation
    to the head, and its line in the file."""

    word: str
    pos: str
    head: int
    relation: str
    line: int


def dependency_tree(tokens: Sequence[Token]) -> Node | None:
    """The tree of a sentence; None for no tokens.

    Every word whose dependents and their dependents stand in one piece is the head of a
    constituent over all of them; where they do not, what is inside belongs to the next word up.
    Raises TreeProblem, with the line in place of the column, for a head that does not exist or a
    circle.
    """
    if not tokens:
        return None
    below = _below(tokens)
    order = _from_below(tokens, below)
    made: dict[int, list[Node]] = {}  # For each word: one constituent, or its pieces.
    for number in order:
        pieces = [Node(tokens[number - 1].pos, number - 1, number)]
        for child in below[number]:
            pieces += made.pop(child)
        made[number] = _constituent(tokens, number, pieces, below[number])
    tops = sorted((one for top in below[0] for one in made[top]), key=lambda one: one.start)
    if len(tops) == 1:
        return tops[0]
    return Node("FRAG", 0, len(tokens), tops)


def _below(tokens: Sequence[Token]) -> list[list[int]]:
    below: list[list[int]] = [[] for _ in range(len(tokens) + 1)]
    for number, token in enumerate(tokens, 1):
        if not 0 <= token.head <= len(tokens):
            raise TreeProblem(
                token.line, say("the head %(n)s is no word of the sentence.", n=token.head)
            )
        below[token.head].append(number)
    return below


def _from_below(tokens: Sequence[Token], below: list[list[int]]) -> list[int]:
    """All words, each after those that depend on it."""
    order: list[int] = []
    waiting = list(below[0])
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting += below[number]
    if len(order) < len(tokens):
        reached = set(order)
        lost = next(n for n in range(1, len(tokens) + 1) if n not in reached)
        raise TreeProblem(tokens[lost - 1].line, say("its heads form a cycle."))
    return order[::-1]


def _constituent(
    tokens: Sequence[Token], number: int, pieces: list[Node], children: list[int]
) -> list[Node]:
    pieces = sorted(pieces, key=lambda one: one.start)
    token = tokens[number - 1]
    category = _CATEGORIES.get(token.pos)
    if category == "VP" and any(
        tokens[child - 1].relation.startswith(_SUBJECTS) for child in children
    ):
        category = "S"
    start, end = pieces[0].start, pieces[-1].end
    whole = all(a.end == b.start for a, b in pairwise(pieces))
    if not whole or (category is None and len(pieces) == 1):
        return pieces
    head = next(at for at, one in enumerate(pieces) if one.start <= number - 1 < one.end)
    return [Node(category or token.pos, start, end, pieces, head)]
