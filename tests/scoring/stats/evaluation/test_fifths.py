"""Means of people in fifths of the scores, with cluster-robust intervals."""

import numpy as np
import pytest

from scoring.stats.evaluation.one_metric import fifths


def test_each_fifth_has_the_mean_and_median_of_its_texts():
    metric = np.array([9.0, 1, 2, 3, 4, 5, 6, 7, 8, 0])
    people = metric * 2
    found = fifths(metric, people, np.arange(10))
    assert [(one.x, one.y, one.n) for one in found] == [
        (0.5, 1.0, 2),
        (2.5, 5.0, 2),
        (4.5, 9.0, 2),
        (6.5, 13.0, 2),
        (8.5, 17.0, 2),
    ]


def test_independent_texts_have_the_usual_standard_error():
    """The first fifth has six texts; t of five degrees of freedom is 2.5706 (table)."""
    people = np.tile([1.0, 2, 4, 5, 5, 3], 5)
    people[6:] = np.tile([-20.0, 20.0], 12)
    [one] = fifths(np.arange(30.0), people, np.arange(30))[:1]
    part = people[:6]
    half = 2.570582 * part.std(ddof=1) / np.sqrt(6)
    assert (one.low, one.high) == pytest.approx((part.mean() - half, part.mean() + half), abs=1e-5)


def test_intervals_end_where_the_values_do():
    people = np.tile([1.0, 5, 5, 5, 5], 5)
    assert max(one.high for one in fifths(np.arange(25.0), people, np.arange(25))) == 5


def test_texts_of_one_original_count_as_one():
    """Each text twice: the interval of the pairs' means, as it is without the second text."""
    random = np.random.default_rng(0)
    metric, people = np.sort(random.normal(size=50)), random.normal(size=50)
    once = fifths(metric, people, np.arange(50))
    twice = fifths(metric.repeat(2), people.repeat(2), np.arange(50).repeat(2))
    for one, other in zip(once, twice, strict=True):
        assert (one.y, one.low, one.high) == pytest.approx((other.y, other.low, other.high))


def test_a_part_of_one_original_has_no_interval_and_few_texts_few_parts():
    found = fifths(np.arange(3.0), np.arange(3.0), np.zeros(3, dtype=np.int64))
    assert len(found) == 3 and all(one.low is None for one in found)
    assert fifths(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64)) == []
