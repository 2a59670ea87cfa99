"""Bootstrap over clusters (or units), seeded."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, Estimate, RatingTable, resampling
from scoring.stats.intervals import NO_WIDTH
from scoring.stats.resampling import Draws, Patterns, alpha_ordinal, count_replicates
from scoring.stats.table import default_levels, out_of_range
from tests.scoring.stats.rated import FIVE, NA, rated, rotating, statistics


def test_copies_of_a_cluster_do_not_narrow_the_interval():
    """Each unit four times: drawing units believes in four times the data, clusters do not."""
    copies = np.repeat(np.arange(60), 4)
    table = rotating(np.random.default_rng(2), 4, 0.5).take_units(copies)
    patterns, plan = Patterns.of(table, FIVE), Bootstrap(1000, 1)
    by_unit, by_cluster = (
        count_replicates(
            patterns, {"p": resampling.percent_agreement}, Draws.of(table, plan, clusters)
        )["p"]
        for clusters in (None, copies)
    )
    assert by_cluster.std() == pytest.approx(2 * by_unit.std(), rel=0.1)


@pytest.mark.parametrize("jackknife", [False, True])
def test_replicates_that_are_all_alike_are_no_interval(jackknife):
    draws = Draws(np.arange(8), Bootstrap(8, 1), jackknife=jackknife)
    one = draws.attach(Estimate(1.0, n=8), np.ones(8))
    assert one.ci_low is None and one.options["no_interval"] == NO_WIDTH
    other = draws.attach(Estimate(1.0, n=8), np.array([1, 1, 1, 1, 1, 1, 0.9, 0.8]))
    assert other.ci_low is not None and other.ci_low < 1


def test_rated_units_are_drawn_by_their_clusters_or_alone():
    table = RatingTable.from_dense([[1, 2], [NA, NA], [3, 3], [4, 5]])
    together = Draws.of(table, Bootstrap(9), np.array([9, 1, 3, 9]))
    assert (together.group.tolist(), together.groups, together.clustered) == ([1, 0, 1], 2, True)
    alone = Draws.of(table, Bootstrap(9), None)
    assert (alone.group.tolist(), alone.clustered) == ([0, 1, 2], False)


# Statistics that need no more than how many annotators gave each level to each unit.


def test_values_off_the_scale_are_an_error():
    with pytest.raises(ValueError, match="6 is not among"):
        statistics([[6, 1], [2, 2]])


def test_patterns_count_equal_units_once():
    table = RatingTable.from_dense([[1, 2], [2, 1], [3, 3], [np.nan, 5], [1, 2]])
    patterns = Patterns.of(table, FIVE)
    assert sorted(patterns.weight.tolist()) == [1, 1, 3]
    assert patterns.of_unit.size == 5


def alpha(matrix):
    patterns = Patterns.of(RatingTable.from_dense(matrix), FIVE)
    return float(alpha_ordinal(patterns, patterns.weight[None, :])[0])


def test_ordinal_alpha_of_a_published_table():
    """Krippendorff 2011, case C; the paper rounds to .815."""
    rows = rated("krippendorff_2011_C").dense()
    assert round(alpha(rows), 3) == 0.815


def test_ordinal_alpha_by_hand():
    """Two units: 1 1 and 1 3. Then n_1 = 3, n_3 = 1, and alpha is the same for 1 and 5: only the
    order counts. delta² = (3 + 1 - 2)² = 4, o_13 = 1, alpha = 1 - 3 · 4 / (3 · 1 · 4) = 0."""
    assert alpha([[1, 1], [1, 3]]) == pytest.approx(0)
    for last in (2, 3, 5):
        # Three units: n_1 = 3, n_x = 3, delta² = 9, o_1x = 1, alpha = 1 - 5 · 9 / (9 · 9) = 4/9.
        found = alpha([[1, 1], [1, last], [last, last]])
        assert found == pytest.approx(4 / 9)
    # n = 3, 2, 1: delta² of 12, 23 and 13 is 2.5², 1.5² and 4², observed 17/6, expected 6.
    assert alpha([[1, 1], [1, 2], [2, 3]]) == pytest.approx(19 / 36)


def test_without_variation_it_is_undefined():
    assert np.isnan(alpha([[3, 3], [3, 3]]))
    assert np.isnan(alpha([[3, np.nan], [2, np.nan]]))


# The ratings of one scale, as long as they are: three equal arrays, no dense matrix.


def test_default_levels():
    assert default_levels(np.array([4.0, 1.0])).tolist() == [1, 2, 3, 4]
    assert default_levels(np.array([-2.0, 0.0])).tolist() == [-2, -1, 0]
    assert default_levels(np.array([0.5, 2.0, 0.5])).tolist() == [0.5, 2]
    assert default_levels(np.array([0.0, 1e9])).tolist() == [0, 1e9]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0], [0, 0], [1, 2], 1, 1), "rated unit 0 twice"),
        (([0], [0], [float("nan")], 1, 1), "finite"),
        (([0], [1], [1], 1, 1), "annotator codes"),
        (([0, 1], [0], [1], 2, 1), "equally long"),
    ],
)
def test_tables_check_themselves(arguments, message):
    with pytest.raises(ValueError, match=message):
        RatingTable(*arguments)


def test_table_views():
    table = RatingTable.from_dense([[1, NA], [2, 3]])
    assert table.counts(np.array([1.0, 2.0, 3.0])).tolist() == [[1, 0, 0], [0, 1, 1]]
    np.testing.assert_array_equal(table.dense(), [[1, NA], [2, 3]])
    np.testing.assert_array_equal(
        table.take_units(np.array([1, 1, 0])).dense(), [[2, 3], [2, 3], [1, NA]]
    )


@pytest.mark.parametrize(
    ("values", "out"),
    [
        ([], False),
        ([NA], False),
        ([1e100, -1e100], False),
        ([1e101, 0], True),
        ([-1e101], True),
        ([1e-200, 2e-200], True),
        ([1e-200, 1e-200], False),
        ([1, NA, 5], False),
    ],
)
def test_values_out_of_range(values, out):
    assert out_of_range(np.array(values, dtype=float)) == out
