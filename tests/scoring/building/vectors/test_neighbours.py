"""Nearest words, beside gensim and beside all cosines sorted."""

import numpy as np
import pytest
from gensim.models import KeyedVectors

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


def test_ties_stand_in_order():
    matrix = np.array([[1, 0], [0, 1], [1, 0], [1, 0], [-1, 0]], np.float32)
    found = nearest(Vectors({f"w{row}": row for row in range(5)}, matrix), [0, 4], k=3)
    assert found.rows.tolist() == [[2, 3, 1], [1, 0, 2]]
    assert found.cosines.tolist() == [[1, 1, 0], [0, -1, -1]]
