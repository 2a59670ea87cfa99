"""Nearest words, beside gensim and beside all cosines sorted."""

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from scoring.building import vectors as building_vectors
from scoring.building.vectors import nearest
from scoring.metrics.resources.vectors import Vectors


def random_vectors(n, size=20, seed=0):
    matrix = np.random.default_rng(seed).normal(size=(n, size)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return Vectors({f"w{row}": row for row in range(n)}, matrix)


def test_200_words_have_the_neighbours_of_gensim():
    vectors = random_vectors(2500)
    theirs = KeyedVectors(20)
    theirs.add_vectors(list(vectors.rows), vectors.matrix)
    asked = list(range(0, 2500, 12))[:200]
    found = nearest(vectors, asked)
    assert found.rows.shape == (200, 3)
    for at, row in enumerate(asked):
        names, cosines = zip(*theirs.most_similar(f"w{row}", topn=3), strict=True)
        assert [f"w{near}" for near in found.rows[at]] == list(names)
        assert found.cosines[at] == pytest.approx(cosines, abs=1e-5)


@settings(deadline=None, max_examples=50)
@given(
    arrays.arrays(np.int8, st.tuples(st.integers(5, 12), st.just(3)), elements=st.integers(-1, 1)),
    st.integers(1, 3),
)
def test_equals_sorting_and_ties_stand_in_order(given_, k):
    # Not of unit length, but exact, so that ties are ties.
    matrix = given_.astype(np.float32)
    vectors = Vectors({f"w{row}": row for row in range(len(matrix))}, matrix)
    found = nearest(vectors, range(len(matrix)), k=k)
    for row, mine in enumerate(matrix):
        others = [other for other in range(len(matrix)) if other != row]
        best = sorted(others, key=lambda other: (-float(mine @ matrix[other]), other))[:k]
        assert found.rows[row].tolist() == best
        assert found.cosines[row].tolist() == [float(mine @ matrix[other]) for other in best]


def test_blocks_change_nothing(monkeypatch):
    vectors = random_vectors(100)
    whole = nearest(vectors, range(100))
    shares = []
    monkeypatch.setattr(building_vectors, "_CELLS", 100 * 7)
    parts = nearest(vectors, range(100), progress=shares.append)
    assert np.array_equal(whole.rows, parts.rows)
    assert len(shares) == 15
    assert shares[-1] == 1
    assert nearest(vectors, []).rows.shape == (0, 3)


def test_too_few_words():
    with pytest.raises(ValueError, match="3 words have no 3 others"):
        nearest(random_vectors(3), [0])
