"""Trees from dependency parses."""

import pytest

from scoring.building.labels import Token, TreeProblem, dependency_tree
from tests.scoring.building.labels.test_trees import shown


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
