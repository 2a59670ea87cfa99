"""Trees in the bracketed format of the Penn Treebank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from paraanno.plain.sentence import Sentence, say
from scoring.building.alignment.parallel import Words

ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": '"', "''": '"',
}  # fmt: skip
_BARE = "X"
_PIECES = re.compile(r"\(|\)|[^\s()]+")
_WRAPPERS = ("", "ROOT", "TOP", "S1")
# The head of a constituent, simplified from Collins (1999): from which side the first child of
# these categories is taken; else the first child from that side.
_HEADS: dict[str, tuple[int, tuple[str, ...]]] = {
    "NP": (-1, ("NN", _BARE, "NP", "PRP", "CD", "JJ")),
    "NX": (-1, ("NN", "NX")),
    "PP": (1, ("IN", "TO", "PP")),
    "VP": (1, ("VB", "MD", "TO", _BARE, "VP")),
    "S": (1, ("VP", "S")),
    "SBAR": (1, ("IN", "WH", "S")),
    "ADJP": (-1, ("JJ", "ADJP", "VB")),
    "ADVP": (-1, ("RB", "ADVP")),
}


class TreeProblem(ValueError):
    """A tree that cannot be read: at which character of its line, from 1, and why."""

    def __init__(self, column: int, message: Sentence) -> None:
        super().__init__(message)
        self.column = column
        self.message = message


@dataclass(slots=True)
class Node:
    """A constituent or a part of speech over words from `start` to before `end`; `head` is the
    index of the head among the children (0 without children). `bare`: a word without a part of
    speech that stands beside others, called X."""

    label: str
    start: int
    end: int = 0
    children: list[Node] = field(default_factory=list)
    head: int = 0
    bare: bool = False


def parse_tree(text: str) -> tuple[Node | None, Words]:
    """The tree of a line and its words; no tree for a line without words.

    Traces are left out, functions too (NP-SBJ is NP), and a root of no category or called ROOT,
    TOP or S1. Words may stand without a part of speech, as those of link-grammar. Raises
    TreeProblem. Depth is not limited.
    """
    reader = _TreeReader()
    for match in _PIECES.finditer(text):
        reader.take(match.group(), match.start() + 1)
    if reader.open:
        n = len(reader.open)
        raise TreeProblem(len(text) + 1, say("%(n)s brackets are not closed.", n=n))
    root = reader.root
    if root is None or root.end == root.start:
        return None, reader.words
    while root.label in _WRAPPERS and len(root.children) == 1:
        root = root.children[0]
    _find_heads(root)
    return root, reader.words


@dataclass(slots=True)
class _TreeReader:
    """What is read of a tree: the nodes not yet closed, outermost first, the words so far, and the
    root when it is closed. `fresh`: a bracket was opened and its category may follow."""

    open: list[Node] = field(default_factory=list)
    words: Words = field(default_factory=list)
    root: Node | None = None
    fresh: bool = False

    def take(self, piece: str, column: int) -> None:
        if self.root is not None:
            raise TreeProblem(column, say("there is more after the end of the tree."))
        if piece == "(":
            self.open.append(Node("", len(self.words)))
        elif not self.open:
            raise TreeProblem(column, say("a tree begins with an opening bracket."))
        elif piece == ")":
            self._close()
        elif self.fresh:
            self.open[-1].label = _category(piece)
        elif self.open[-1].label != "-NONE-":
            self.words.append(ESCAPES.get(piece, piece))
        self.fresh = piece == "("

    def _close(self) -> None:
        node = self.open.pop()
        node.end = len(self.words)
        if node.children or node.end - node.start > 1:
            node.children = list(_whole(node))
        if not self.open:
            self.root = node
        elif node.end > node.start:
            self.open[-1].children.append(node)


def _whole(node: Node) -> Iterator[Node]:
    """The children, and a node for each word between them."""
    at = node.start
    for child in (*node.children, None):
        until = node.end if child is None else child.start
        yield from (Node(_BARE, word, word + 1, bare=True) for word in range(at, until))
        if child is not None:
            yield child
            at = child.end


def _category(piece: str) -> str:
    if piece.startswith("-"):
        return piece
    return re.split(r"[-=|]", piece, maxsplit=1)[0] or piece


def _find_heads(root: Node) -> None:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        side, wanted = _HEADS.get(node.label, (1, ()))
        order = range(len(node.children))[::side]
        fits = (at for name in wanted for at in order if node.children[at].label.startswith(name))
        node.head = next(fits, order[0] if node.children else 0)
