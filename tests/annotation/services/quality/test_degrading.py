"""Making a text worse: words dropped or put into another order. Pure, and the same for a seed."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.quality.rules import METHODS, degrade

words = st.lists(st.text("abc가, ", min_size=1), max_size=8).map(" ".join)

METHOD_NAMES = st.sampled_from(sorted(METHODS))


@given(words, METHOD_NAMES, st.text(max_size=3), st.lists(words, max_size=3))
def test_a_worse_text_is_new_and_the_same_for_a_seed(text, method, seed, avoid):
    worse = degrade(text, method=method, seed=seed, avoid=avoid)
    assert worse == degrade(text, method=method, seed=seed, avoid=avoid)
    if worse is None:
        return
    assert worse not in [text, *avoid]
    assert worse.casefold().split() != text.casefold().split()
    have, left = sorted(text.split()), sorted(worse.split())
    if method == "shuffle":
        assert have == left
    else:
        assert 0 < len(left) < len(have)
        assert all(left.count(word) <= have.count(word) for word in left)


def test_what_cannot_be_made_worse_is_none():
    for method in METHODS:
        assert degrade("one", method=method, seed="1", avoid=[]) is None
        assert degrade("", method=method, seed="1", avoid=[]) is None
    assert degrade("so so so", method="shuffle", seed="1", avoid=[]) is None
    assert degrade("a b", method="drop", seed="1", avoid=["a", "B"]) is None
    assert degrade("a b", method="drop", seed="1", avoid=["a"]) == "b"
