"""Linked texts for tests: one by hand, and any by Hypothesis."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from scoring.building.alignment import links_of
from scoring.building.paraphrases.counting import linked_text

# Three pairs. In the second, "a" has no link, so that the foreign span "y" belongs to "cat" and to
# "a cat"; the third crosses.
ENGLISH = [["the", "cat", "sat"], ["a", "cat"], ["kitty", "sat"]]
FOREIGN = [["x", "y", "z"], ["y"], ["z", "y"]]
LINKS = [[(0, 0), (1, 1), (2, 2)], [(1, 0)], [(0, 1), (1, 0)]]
PAIRS = {
    ("the", "x"): 1,
    ("cat", "y"): 2,
    ("sat", "z"): 2,
    ("the cat", "x y"): 1,
    ("cat sat", "y z"): 1,
    ("the cat sat", "x y z"): 1,
    ("a cat", "y"): 1,
    ("kitty", "y"): 1,
    ("kitty sat", "z y"): 1,
}


@st.composite
def texts(draw, most=4):
    """Sides of a few sentences of 0 to 6 words, and any links between them."""
    sides = st.lists(st.sampled_from("abc"), max_size=6)
    english, foreign, links = [], [], []
    for _ in range(draw(st.integers(1, most))):
        one, other = draw(sides), draw(sides)
        mine = []
        if one and other:
            link = st.tuples(st.integers(0, len(one) - 1), st.integers(0, len(other) - 1))
            mine = sorted(draw(st.sets(link, max_size=8)))
        english.append(one)
        foreign.append(other)
        links.append(mine)
    return english, foreign, links


def assert_means(found, both):
    """Callison-Burch (2008): 1/|C| times the sum over the corpora C."""
    for a, b in {pair for each in both for pair in each if pair[0] != pair[1]}:
        mean = sum(each.get((a, b), 0) for each in both) / len(both)
        assert found[a, b] == pytest.approx(float(mean), rel=1e-9)


def as_linked(english, foreign, links, longest=5, labels=None):
    return linked_text(english, foreign, links_of(links), longest=longest, labels=labels)


def spans(words, longest):
    n = len(words)
    return [(i, j) for i in range(n) for j in range(i + 1, min(n, i + longest) + 1)]


def brute(english, foreign, links, longest):
    """The pairs by their definition: each English span with each foreign span."""
    found = Counter()
    for one, other, mine in zip(english, foreign, links, strict=True):
        for i1, i2 in spans(one, longest):
            for j1, j2 in spans(other, longest):
                inside = [(i1 <= i < i2, j1 <= j < j2) for i, j in mine]
                if (True, True) in inside and all(a == b for a, b in inside):
                    found[" ".join(one[i1:i2]), " ".join(other[j1:j2])] += 1
    return found


def pivoted(pairs):
    """p(e2 | e1) in fractions, with that of a phrase itself."""
    of_e = Counter()
    of_f = Counter()
    for (e, f), n in pairs.items():
        of_e[e] += n
        of_f[f] += n
    found = {}
    for (e1, f1), n in pairs.items():
        for (e2, f2), m in pairs.items():
            if f1 == f2:
                part = Fraction(n, of_e[e1]) * Fraction(m, of_f[f1])
                found[e1, e2] = found.get((e1, e2), Fraction(0)) + part
    return found
