"""Trees from dependency parses in the format CoNLL-U: a constituent for each word that others
depend on."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from paraanno.common.texts import Sentence, say
from scoring.building.alignment import Words
from scoring.building.paraphrases.counting import SpanLabels
from scoring.metrics.files import FileRefused, Problems, all_lines, sha256, size_of
from scoring.metrics.resources.stores import About

# Trees in the bracketed format of the Penn Treebank.


ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}
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


_CATEGORIES = {
    "NOUN": "NP",
    "PROPN": "NP",
    "PRON": "NP",
    "VERB": "VP",
    "AUX": "VP",
    "ADP": "PP",
    "ADJ": "ADJP",
    "ADV": "ADVP",
}
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


# Labels of the spans of a tree: constituents, constituents without a piece, and siblings.


MISSING = 2
_SIBLINGS = 3


@dataclass(frozen=True, slots=True)
class SpanLabel:
    """The labels of a span, the outermost first (a unary chain has several), and whether it is a
    constituent."""

    names: tuple[str, ...]
    constituent: bool


SentenceLabels = dict[tuple[int, int], SpanLabel]  # By words from, to (half open).


def span_labels(tree: Node | None, *, longest: int, missing: int = MISSING) -> SentenceLabels:
    """The labels of all spans of up to `longest` words that have one; none for no tree.

    The label of a span is the first of: the category of a constituent; X/Y or X\\Y for children of
    X in a row that lack the piece Y on the right or on the left, the nearest piece first, up to
    `missing` pieces (children in the middle of X only if X's head is among them); Y+Z for two or
    three siblings, unless one is a word without a part of speech. After Callison-Burch (2008) and
    the grammar of Zollmann and Venugopal (2006).
    """
    constituents: SentenceLabels = {}
    partial: SentenceLabels = {}
    waiting = [tree] if tree is not None else []
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.children)
        span = (node.start, node.end)
        if node.end - node.start <= longest and not node.bare:
            # Nodes come before those inside of them.
            names = (
                (*constituents[span].names, node.label) if span in constituents else (node.label,)
            )
            constituents[span] = SpanLabel(names, constituent=True)
        for first in range(len(node.children)):
            for last in range(first + 1, len(node.children)):
                inner = (node.children[first].start, node.children[last].end)
                if inner[1] - inner[0] > longest:
                    break
                name = _partial(node, first, last, missing)
                if name is not None and inner != span:
                    partial.setdefault(inner, SpanLabel((name,), constituent=False))
    # A single child lacks pieces too, but is a constituent; only longer spans are added.
    return {**partial, **constituents}


def _partial(node: Node, first: int, last: int, missing: int) -> str | None:
    children = node.children
    right, left = children[last + 1 :], children[:first][::-1]
    middle = bool(right and left)
    if len(right) + len(left) <= missing and (not middle or first <= node.head <= last):
        lacks = "".join(f"/{one.label}" for one in right) + "".join(
            f"\\{one.label}" for one in left
        )
        return node.label + lacks
    if last - first < _SIBLINGS and not any(one.bare for one in children[first : last + 1]):
        return "+".join(one.label for one in children[first : last + 1])
    return None


# Files of parses: a bracketed tree a line, or CoNLL-U.


_CELLS = 10  # Of a line of CoNLL-U.


def read_labels(
    path: Path, sentences: Sequence[Words], *, longest: int, missing: int = MISSING
) -> Iterator[SentenceLabels]:
    """Yield the labels of each sentence, whose words the tree must have (case aside).

    A bracketed file has a line for each sentence, blank for one without words; a file of CoNLL-U
    has no such sentence. Raises FileRefused with a line for each problem.
    """
    problems = Problems(path)
    bracketed = is_bracketed(path)
    trees = read_trees(path, problems)
    wanted = sum(1 for words in sentences if words or bracketed)
    n = 0
    for words in sentences:
        if not words and not bracketed:
            yield {}
            continue
        line, tree, leaves = next(trees, (-1, None, []))
        if line < 0:
            break
        n += 1
        _compare(line, leaves, words, problems)
        yield span_labels(tree, longest=longest, missing=missing)
    n += sum(1 for _ in trees)
    problems.check()
    if n != wanted:
        raise FileRefused.at(
            path, 0, say("has %(m)s trees for %(n)s sentences; give one for each.", m=n, n=wanted)
        )


def is_bracketed(path: Path) -> bool:
    """Whether a file has a tree in brackets on each line; else it is CoNLL-U."""
    first = next((text for _, text in all_lines(path, Problems(path)) if text.strip()), "")
    return first.lstrip().startswith("(")


def read_trees(path: Path, problems: Problems) -> Iterator[tuple[int, Node | None, Words]]:
    """Yield the line, the tree and the words of each sentence; what is wrong goes to `problems`."""
    return (_bracketed if is_bracketed(path) else _dependencies)(path, problems)


def _bracketed(path: Path, problems: Problems) -> Iterator[tuple[int, Node | None, Words]]:
    for number, text in all_lines(path, problems):
        try:
            yield number, *parse_tree(text)
        except TreeProblem as problem:
            problems.add(
                number,
                say("character %(at)s: %(what)s", at=problem.column, what=problem.message),
            )
            yield 0, None, []


def _dependencies(path: Path, problems: Problems) -> Iterator[tuple[int, Node | None, Words]]:
    tokens: list[Token] = []
    for number, text in all_lines(path, problems):
        if text.startswith("#"):
            continue
        if text.strip():
            cells = text.split("\t")
            if len(cells) != _CELLS:
                problems.add(
                    number,
                    say(
                        "has %(n)s cells instead of the 10 of CoNLL-U; a file of trees begins with "
                        "a bracket.",
                        n=len(cells),
                    ),
                )
            elif cells[0].isdigit():  # Not 1-2, a word of two, nor 1.1, one left out.
                head = int(cells[6]) if cells[6].isdigit() else -1
                tokens.append(Token(cells[1], cells[3], head, cells[7], number))
        elif tokens:
            yield _depended(tokens, problems)
            tokens = []
    if tokens:
        yield _depended(tokens, problems)


def _depended(tokens: list[Token], problems: Problems) -> tuple[int, Node | None, Words]:
    tree = None
    try:
        tree = dependency_tree(tokens)
    except TreeProblem as problem:
        problems.add(problem.column, problem.message)
    return tokens[0].line, tree, [token.word for token in tokens]


def _compare(line: int, leaves: Words, words: Words, problems: Problems) -> None:
    if len(leaves) == len(words) and all(map(_same, leaves, words)):
        return
    if not leaves:
        if line > 0:
            problems.add(line, say("has no tree for the sentence; write one or parse it again."))
        return
    at = next(
        (n for n, (a, b) in enumerate(zip(leaves, words, strict=False)) if not _same(a, b)),
        min(len(leaves), len(words)),
    )
    problems.add(
        line,
        say(
            "word %(at)s of the tree is %(leaf)s, and of the sentence %(word)s; parse the "
            "sentences as they are, without tokenizing again.",
            at=at + 1,
            leaf=leaves[at] if at < len(leaves) else "-",
            word=words[at] if at < len(words) else "-",
        ),
    )


def _same(leaf: str, word: str) -> bool:
    return leaf == word or leaf.lower() in (word.lower(), ESCAPES.get(word, word).lower())


def numbered_labels(
    labels: Iterator[SentenceLabels], sentences: Sequence[Words], names: dict[str, int]
) -> SpanLabels:
    """The labels of a text for `count_pairs`; `names` gets a number for each new label."""
    spans: list[int] = []
    numbers: list[int] = []
    begin = 0
    # The labels first: what is wrong is told when they are read to their end.
    for sentence_labels, words in zip(labels, sentences, strict=False):
        for (start, end), label in sorted(sentence_labels.items()):
            for name in dict.fromkeys(label.names):
                spans.append((begin + start) * 16 + end - start)
                numbers.append(names.setdefault(name, len(names)))
        begin += len(words)
    return SpanLabels(np.array(spans, dtype=np.int64), np.array(numbers, dtype=np.int64))


# The kind `parses`: trees of the sentences of a text, in their order.


TREES = "parses.txt"
_ABOUT = About(frozenset({"trees"}), say("is not a store of parses; add it again."))
_TELL_TREES = 1000
_BYTES_OF_WORD = 12  # About, with its brackets or its line.


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Check the trees of a file and keep it; whose sentences they are is checked where they meet.

    Returns how many trees and words there are. Raises FileRefused with a line for each problem.
    """
    problems = Problems(source)
    expected = size_of(source) / _BYTES_OF_WORD
    trees = words = 0
    for _line, tree, leaves in read_trees(source, problems):
        trees += tree is not None
        words += len(leaves)
        if trees % _TELL_TREES == 0:
            progress(min(0.9, words / expected))
    problems.check()
    if not trees:
        raise FileRefused.at(source, 0, say("has no tree; write one for each sentence."))
    shutil.copyfile(source, folder / TREES)
    progress(1.0)
    _ABOUT.write(folder, {"sha256": sha256(source), "trees": trees})
    return {"trees": trees, "parsed": words}


def parses_file(place: Path) -> Path:
    """The file of a store, or the file itself."""
    return place / TREES if place.is_dir() else place
