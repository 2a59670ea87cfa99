"""Pivoting against fractions."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building.paraphrases import table
from scoring.building.paraphrases.table import Aligned, mutual, pivot
from tests.scoring.building.paraphrases.linked import pivoted

COUNTS = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 3)), st.integers(1, 4), max_size=14
)


def aligned(counts):
    columns = [[e for e, _ in counts], [f for _, f in counts], list(counts.values())]
    return Aligned(*(np.array(column, dtype=np.int64) for column in columns))


def rows(*texts, **options):
    found = {}
    for block in pivot([aligned(text) for text in texts], 6, **options):
        columns = (block.phrase, block.paraphrase, block.probability)
        found.update({(a, b): p for a, b, p in zip(*map(list, columns), strict=True)})
        assert len(block) == len(columns[0])
    return found


def fractions(counts):
    return pivoted(Counter(counts))


@settings(max_examples=100)
@given(COUNTS)
def test_probabilities_equal_fractions_and_sum_to_one(counts):
    wanted = fractions(counts)
    found = rows(counts, least=0, most=0)
    assert set(found) == {(a, b) for a, b in wanted if a != b}
    for pair, value in found.items():
        assert value == pytest.approx(float(wanted[pair]), abs=1e-12)
    for phrase in {a for a, _ in wanted}:
        rest = sum(value for (a, _), value in found.items() if a == phrase)
        assert rest + float(wanted[phrase, phrase]) == pytest.approx(1, abs=1e-9)


@given(COUNTS, st.sampled_from([0, 0.2, 0.4]))
def test_of_mutual_pairs_both_directions_are_there(counts, least):
    whole = rows(counts, least=least, most=0)
    blocks = [mutual(one, 6) for one in pivot([aligned(counts)], 6, least=least, most=0)]
    found = {
        (a, b): p
        for one in blocks
        for a, b, p in zip(one.phrase, one.paraphrase, one.probability, strict=True)
    }
    assert found == {(a, b): p for (a, b), p in whole.items() if (b, a) in whole}


@given(COUNTS, st.floats(0, 1), st.integers(1, 3))
def test_cuts_keep_the_greatest(counts, least, most):
    every = rows(counts, least=0, most=0)
    found = rows(counts, least=least, most=most)
    for phrase in range(6):
        mine = sorted((-p, b) for (a, b), p in every.items() if a == phrase and p >= least)[:most]
        assert [(-p, b) for (a, b), p in found.items() if a == phrase] == mine


def test_rare_pairs_are_left_out_but_count_in_the_denominators():
    counts = {(0, 0): 3, (0, 1): 1, (1, 0): 2, (2, 1): 5}
    assert rows(counts, least=0) == {
        (0, 1): pytest.approx(3 / 4 * 2 / 5),
        (0, 2): pytest.approx(1 / 4 * 5 / 6),
        (1, 0): pytest.approx(3 / 5),
        (2, 0): pytest.approx(1 / 6),
    }
    assert rows(counts, least=0, min_count=2) == {
        (0, 1): pytest.approx(3 / 4 * 2 / 5),
        (1, 0): pytest.approx(3 / 5),
    }


def test_blocks_change_no_row(monkeypatch):
    counts = {(e, f): 1 + e * f for e in range(6) for f in range(3)}
    whole = rows(counts)
    monkeypatch.setattr(table, "_ENTRIES", 7)
    shares = []
    assert rows(counts, progress=shares.append) == whole
    assert len(shares) > 1
    assert shares[-1] == 1
