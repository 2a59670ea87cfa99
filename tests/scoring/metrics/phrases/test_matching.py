"""One-to-one matching of the units of two texts: identical ones, then synonyms, then phrases."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from scoring.metrics.phrases.matching import Matching, Original


@given(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=6),
    st.lists(st.sampled_from("wxy"), min_size=1, max_size=6),
    st.sets(st.tuples(st.sampled_from("ab"), st.sampled_from("wxy"))),
)
def test_as_many_synonyms_are_matched_as_can_be(left, right, edges):
    groups = {}
    for number, (one, other) in enumerate(sorted(edges)):
        groups.setdefault((one,), []).append(number)
        groups.setdefault((other,), []).append(number)
    matching = Matching(Original(left), right)
    matching.match_synonyms(groups, lambda one, other: True)
    matched = [(one, other) for one, other, _ in filter(None, matching.matches)]
    graph = [[(one, other) in edges for other in right] for one in left]
    most = maximum_bipartite_matching(csr_array(graph))
    assert len(matched) == (most >= 0).sum()
    assert set(matched) <= edges
    assert Counter(left) == Counter(one for one, _ in matched) + Counter(matching.left(0))
    assert Counter(right) == Counter(two for _, two in matched) + Counter(matching.left(1))
