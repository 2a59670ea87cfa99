from operator import itemgetter

import numpy as np
import pytest

from scoring.stats.shared_tasks.board import Ratios, board_rows, group_letters, told_apart


def make_ratios(shares, originals=60, seed=0):
    """Submissions of such accuracies on 10 pairs of each original, alike within an original."""
    rng = np.random.default_rng(seed)
    shift = rng.normal(0, 0.05, (originals, 1))
    top = rng.binomial(10, np.clip(np.array(shares)[None, :] + shift, 0, 1)).astype(float)
    names = [f"s{at}" for at in range(len(shares))]
    return Ratios(names, top, np.full(top.shape, 10.0))


place = itemgetter("rank_low", "rank_high", "group")


def test_the_best_is_first_and_clear_differences_give_single_ranks():
    rows = board_rows(make_ratios([0.3, 0.9, 0.6]))
    assert [row["submission"] for row in rows] == ["s1", "s2", "s0"]
    assert list(map(place, rows)) == [(1, 1, "A"), (2, 2, "B"), (3, 3, "C")]
    for row in rows:
        assert row["ci_low"] < row["value"] < row["ci_high"]


def test_equal_submissions_share_everything():
    one = make_ratios([0.6])
    rows = board_rows(Ratios(["x", "y"], np.repeat(one.top, 2, 1), np.repeat(one.bottom, 2, 1)))
    assert list(map(place, rows)) == [(1, 2, "A")] * 2


def test_too_few_originals_give_no_interval_and_one_gives_no_order():
    rows = board_rows(make_ratios([0.2, 0.9], originals=4))
    assert all(row["ci_low"] is None for row in rows)
    rows = board_rows(make_ratios([0.2, 0.9], originals=1))
    assert {place(row)[:2] for row in rows} == {(1, 2)}


def test_letters_join_neighbours_that_do_not_differ():
    better = {("a", "c"), ("a", "d"), ("b", "d")}
    assert group_letters(list("abcd"), better) == {"a": "A", "b": "AB", "c": "BC", "d": "C"}
    assert group_letters([], set()) == {}


@pytest.mark.slow
def test_equal_submissions_are_separated_in_at_most_one_task_of_twenty():
    """8 equal, and 4 better than 4 others: `make simulate` has 1,000 tasks of each."""
    from tests.simulate.shared_tasks import simulate

    found = simulate(tasks=150, seed=7)
    limit = 2 * (0.05 * 0.95 / 150) ** 0.5
    assert found.separated <= 0.05 + limit
    assert min(found.holds_equal, found.holds_mixed) >= 0.95 - limit


def test_no_pair_is_told_apart_without_originals():
    assert told_apart(Ratios(["x", "y"], np.zeros((0, 2)), np.zeros((0, 2)))) == set()
