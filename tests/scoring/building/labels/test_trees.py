"""Bracketed trees."""

import pytest

from scoring.building.labels import Token, TreeProblem, dependency_tree, parse_tree


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


# Trees from dependency parses.


def tokens(*rows):
    return [Token(*row, line=line) for line, row in enumerate(rows, 10)]


@pytest.mark.parametrize(
    ("rows", "tree", "head"),
    [
        (
            [
                ("the", "DET", 2, "det"),
                ("dog", "NOUN", 3, "nsubj"),
                ("ran", "VERB", 0, "root"),
                ("in", "ADP", 5, "case"),
                ("parks", "NOUN", 3, "obl"),
            ],
            "(S 0-5 (NP 0-2 (DET 0-1) (NOUN 1-2)) (VERB 2-3)"
            " (NP 3-5 (PP 3-4 (ADP 3-4)) (NOUN 4-5)))",
            1,
        ),
        # A verb without a subject, and other categories.
        (
            [("run", "VERB", 0, "root"), ("fast", "ADV", 1, "advmod")],
            "(VP 0-2 (VERB 0-1) (ADVP 1-2 (ADV 1-2)))",
            0,
        ),
        # "hearing ... on" belongs together around "is": its words go to the next constituent up.
        (
            [("hearing", "NOUN", 2, "nsubj"), ("is", "AUX", 0, "root"), ("on", "ADV", 1, "nmod")],
            "(S 0-3 (NOUN 0-1) (AUX 1-2) (ADVP 2-3 (ADV 2-3)))",
            1,
        ),
        # Several roots are a fragment.
        (
            [("yes", "INTJ", 0, "root"), ("no", "INTJ", 0, "root")],
            "(FRAG 0-2 (INTJ 0-1) (INTJ 1-2))",
            0,
        ),
    ],
)
def test_trees_of_sentences(rows, tree, head):
    found = dependency_tree(tokens(*rows))
    assert (shown(found), found.head) == (tree, head)


def test_no_words_have_no_tree():
    assert dependency_tree([]) is None


@pytest.mark.parametrize(
    ("heads", "line", "says"), [((0, 5), 11, "5 is no word"), ((2, 1), 10, "form a cycle")]
)
def test_heads_that_cannot_be_are_told_with_their_line(heads, line, says):
    with pytest.raises(TreeProblem, match=says) as found:
        dependency_tree(tokens(*(("w", "NOUN", head, "dep") for head in heads)))
    assert found.value.column == line
