"""Bracketed trees."""

import pytest

from scoring.building.labels import TreeProblem, parse_tree


def shown(node):
    """The tree with its spans, in a form to compare."""
    if node is None:
        return "-"
    inner = "".join(f" {shown(child)}" for child in node.children)
    return f"({node.label} {node.start}-{node.end}{inner})"


def test_categories_spans_and_words():
    tree, words = parse_tree("(TOP (S (NP-SBJ=1 (DT The) (NN dog)) (VP (VBD ran))))")
    assert words == ["The", "dog", "ran"]
    assert shown(tree) == "(S 0-3 (NP 0-2 (DT 0-1) (NN 1-2)) (VP 2-3 (VBD 2-3)))"
    assert (tree.head, tree.children[0].head) == (1, 1)


def test_brackets_quotes_and_traces():
    tree, words = parse_tree("( (S (-LRB- -LRB-) (NP (NN a)) (NP (-NONE- *T*-1)) (`` ``)))")
    assert words == ["(", "a", '"']
    assert shown(tree) == "(S 0-3 (-LRB- 0-1) (NP 1-2 (NN 1-2)) (`` 2-3))"


def test_no_tree_for_no_words():
    assert parse_tree("   ") == (None, [])
    assert parse_tree("(S (-NONE- *))") == (None, [])


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("(S (NP (NN a))", 15, "1 brackets are not closed"),
        ("(S (NN a)))", 11, "more after the end"),
        ("(S (NN a)) (S (NN b))", 12, "more after the end"),
        (" dog", 2, "begins with an opening bracket"),
        (")", 1, "begins with an opening bracket"),
    ],
)
def test_unbalanced_trees_are_told_with_the_column(text, column, says):
    with pytest.raises(TreeProblem, match=says) as found:
        parse_tree(text)
    assert found.value.column == column


def test_depth_has_no_limit():
    depth = 5000
    tree, words = parse_tree("(X " * depth + "a" + ")" * depth)
    assert words == ["a"]
    levels = 0
    while tree is not None and tree.children:
        tree, levels = tree.children[0], levels + 1
    assert levels == depth - 1
