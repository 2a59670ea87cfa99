"""Parts of labelled texts."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.extrinsic.experiment import split, usual_sizes

LABELS = st.lists(st.sampled_from("abc"), min_size=3, max_size=60)


@settings(max_examples=100)
@given(LABELS, st.integers(0, 5), st.randoms())
def test_parts_are_disjoint_and_hold_their_share_of_each_class(labels, seed, random):
    n = len(labels)
    first = random.randint(0, n)
    second = random.randint(0, n - first)
    sizes = (first, second, random.randint(0, n - first - second))
    ids = [f"{at:03}" for at in range(n)]
    parts = split(ids, labels, sizes, seed)
    rows = [*parts.training, *parts.validation, *parts.test]
    assert len(set(rows)) == len(rows)
    totals = Counter(labels)
    for part, size in zip((parts.training, parts.validation, parts.test), sizes, strict=True):
        assert len(part) == size
        counts = Counter(labels[row] for row in part)
        # Both ends of a part cut each class within one text of its share.
        for name, total in totals.items():
            assert abs(counts[name] - size * total / n) <= len(totals)


def test_two_even_classes_are_even_in_every_part():
    labels = ["a", "b"] * 50
    parts = split([f"{at:03}" for at in range(100)], labels, (50, 30, 20), seed=3)
    for part in (parts.training, parts.validation, parts.test):
        assert 2 * sum(labels[row] == "a" for row in part) == len(part)


def test_the_order_of_rows_does_not_matter_and_the_seed_does():
    ids = [f"{at:03}" for at in range(40)]
    labels = ["a" if at % 3 else "b" for at in range(40)]
    one = split(ids, labels, (20, 10, 10), seed=1)
    turned = split(ids[::-1], labels[::-1], (20, 10, 10), seed=1)
    assert [ids[row] for row in one.test] == [ids[::-1][row] for row in turned.test]
    assert one.test.tolist() != split(ids, labels, (20, 10, 10), seed=2).test.tolist()


def test_sizes():
    assert usual_sizes(5500) == (2500, 2000, 1000)
    assert usual_sizes(11) == (5, 4, 2)
    with pytest.raises(ValueError, match="3 texts are asked for and there are 2"):
        split(["1", "2"], ["a", "b"], (1, 1, 1), seed=1)
