"""Labels of the spans of a tree: constituents, constituents without a piece, and siblings."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.building.labels.trees import Node

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
    found: SentenceLabels = {}
    partial: SentenceLabels = {}
    waiting = [tree] if tree is not None else []
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.children)
        span = (node.start, node.end)
        if node.end - node.start <= longest and not node.bare:
            # Nodes come before those inside of them.
            names = (*found[span].names, node.label) if span in found else (node.label,)
            found[span] = SpanLabel(names, constituent=True)
        for first in range(len(node.children)):
            for last in range(first + 1, len(node.children)):
                inner = (node.children[first].start, node.children[last].end)
                if inner[1] - inner[0] > longest:
                    break
                name = _partial(node, first, last, missing)
                if name is not None and inner != span:
                    partial.setdefault(inner, SpanLabel((name,), constituent=False))
    # A single child lacks pieces too, but is a constituent; only longer spans are added.
    return {**partial, **found}


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
