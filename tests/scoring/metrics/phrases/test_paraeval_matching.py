"""The choice of matches in ParaEval's first tier: against every subset, and two ways alike."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics.phrases import paraeval
from scoring.metrics.phrases.paraeval import Match, dynamic, frugal, gain, greedy, integer, solve

SPANS = st.tuples(st.integers(0, 8), st.integers(1, 4))
MATCHES = st.lists(
    st.builds(lambda one, two: Match(one[0], sum(one), two[0], sum(two)), SPANS, SPANS),
    unique=True,
    min_size=1,
    max_size=9,
)


def together(matches):
    """No word of either text is in two of them."""
    mine = [word for one in matches for word in range(one.start, one.end)]
    theirs = [word for one in matches for word in range(one.at, one.to)]
    return len(set(mine)) == len(mine) and len(set(theirs)) == len(theirs)


def brute_force(matches):
    return max(
        gain(some)
        for size in range(len(matches) + 1)
        for some in combinations(matches, size)
        if together(some)
    )


@given(MATCHES)
def test_exact_ways_find_the_best_of_all_subsets_and_greedy_none_better(matches):
    best = brute_force(matches)
    ((by_integer, proved), by_dynamic) = integer(matches, 10), dynamic(matches, 1_000_000)
    for found in (by_integer, by_dynamic, greedy(matches)):
        assert together(found) and set(found) <= set(matches)
    assert proved and gain(by_integer) == gain(by_dynamic) == best >= gain(greedy(matches))
    assert brute_force(frugal(matches)) == best  # Leaving some out loses nothing.


def dense(seed, words, matches):
    """Random matches of two to four words on each side."""
    random, found = Random(seed), set()
    while len(found) < matches:
        mine, theirs = random.randint(2, 4), random.randint(2, 4)
        start, at = random.randrange(words - mine + 1), random.randrange(words - theirs + 1)
        found.add(Match(start, start + mine, at, at + theirs))
    return sorted(found)


def test_what_was_used_before_the_last_stage_is_remembered():
    # A recursion that keeps only the best way into each stage forgets that words 0 to 2 of the
    # paraphrase are in use, and takes them again for words 4 to 6 of the reference.
    matches = [Match(0, 2, 0, 2), Match(2, 4, 3, 5), Match(4, 6, 0, 2)]
    assert gain(dynamic(matches, 100)) == (4, -4)


def test_of_equal_choices_the_one_that_uses_fewer_words_of_the_paraphrase():
    short = Match(0, 2, 5, 7)
    for matches in ([Match(0, 2, 0, 4), short], [short, Match(0, 2, 0, 4)]):
        assert dynamic(matches, 100) == (short,)
        assert integer(matches, 1) == ((short,), True)
        assert greedy(matches) == (short,)


def test_what_another_could_replace_is_left_out():
    wide, left, right = Match(0, 2, 1, 5), Match(0, 2, 1, 3), Match(0, 2, 3, 5)
    other = Match(0, 3, 1, 5)
    assert sorted(frugal([other, wide, right, left])) == sorted([left, right, other])


def test_solvers_are_told():
    assert solve([], state_cap=1, time_limit=1).solver == "none"
    assert solve([Match(0, 2, 0, 2)], state_cap=1, time_limit=1).optimal
    matches = [Match(1, 4, 0, 2), Match(0, 2, 2, 4), Match(3, 5, 4, 6)]
    first, second = (solve(matches, state_cap=cap, time_limit=10) for cap in (10_000, 1))
    assert [first.solver, second.solver] == ["dp", "milp"]
    assert first.optimal and second.optimal
    assert gain(first.matches) == gain(second.matches)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("integer", lambda matches, limit: (None, False)),
        ("integer", lambda matches, limit: ((), False)),
        ("MOST_INTEGER", 2),
    ],
)
def test_where_integer_programming_fails_greedy_stands(monkeypatch, name, value):
    monkeypatch.setattr(paraeval, name, value)
    matches = dense(1, 20, 12)
    best = solve(matches, state_cap=1, time_limit=10)
    assert (best.matches, best.solver, best.optimal) == (greedy(matches), "greedy", False)


def test_greedy_takes_what_covers_most_of_the_reference_first():
    long, left, right = Match(1, 4, 1, 2), Match(0, 2, 0, 1), Match(3, 5, 2, 3)
    assert greedy([left, right, long]) == (long,)
    assert dynamic([left, right, long], 100) == (left, right)
