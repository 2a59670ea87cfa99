"""Simultaneous tests of paired differences, and rank intervals."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from paraanno.common.progress import listening
from scoring.stats.significance.paired import FALSE_ALARMS, looks_told, sample_of
from scoring.stats.significance.swaps import (
    compact_letters,
    letters_in,
    max_t,
    rank_intervals,
    sign_flip,
    swap_correlations,
)
from tests.simulate import samples, show, slack


def gaps(values):
    """Differences of all pairs of rows."""
    pairs = list(combinations(range(len(values)), 2))
    return np.array([values[a] - values[b] for a, b in pairs]), pairs


def p_values(total, **how):
    found = max_t(total, np.ones(total.shape, dtype=bool), **how)
    return np.array([np.nan if p is None else p for p in found])


def ranks_of(values, **how):
    total, pairs = gaps(values)
    means = {str(place): float(one.mean()) for place, one in enumerate(values)}
    better = {
        (str(a), str(b)) if gap > 0 else (str(b), str(a))
        for (a, b), gap, p in zip(pairs, total.mean(axis=1), p_values(total, **how), strict=True)
        if p < 0.05
    }
    found = rank_intervals(means, better)
    return [found[str(place)] for place in range(len(values))]


def test_the_definition_by_loops():
    """Hypotheses a <= b of both directions; from the largest statistic down, the share of sign
    patterns in which any hypothesis not yet rejected reaches it."""
    rng = np.random.default_rng(2)
    total, pairs = gaps(rng.normal(0, 1, (4, 7)) + np.array([[1.5], [1], [0], [0]]))
    z = total / np.sqrt((total**2).sum(axis=1, keepdims=True))
    both = np.concatenate([z, -z])
    observed = both.sum(axis=1)
    drawn = np.array([both @ signs for signs in product([-1, 1], repeat=7)])
    order, p, highest = np.argsort(-observed), np.zeros(len(both)), 0.0
    for place, one in enumerate(order):
        rest = drawn[:, order[place:]].max(axis=1)
        highest = max(highest, float((rest >= observed[one] - 1e-9).mean()))
        p[one] = highest
    expected = np.minimum(p[: len(pairs)], p[len(pairs) :])
    np.testing.assert_allclose(p_values(total), expected, atol=1e-12)


def test_ties_have_no_difference_and_lonely_pairs_no_p():
    total = np.array([[0.0, 0, 0, 0, 0, 0], [1, 2, 1, 2, 1, 2], [1, 0, 0, 0, 0, 0]])
    there = np.array([[True] * 6, [True] * 6, [True] + [False] * 5])
    tie, clear, lonely = max_t(total, there)
    assert (tie, lonely) == (1.0, None)
    assert clear == pytest.approx(2 / 64)
    assert max_t(total[2:], there[2:]) == [None]


def test_the_size_of_values_does_not_matter():
    total, _ = gaps(np.random.default_rng(3).normal(0, 1, (5, 30)))
    one = p_values(total, permutations=500)
    for factor in (1e-300, 1e300):
        np.testing.assert_array_equal(p_values(total * factor, permutations=500), one)


def test_forty_systems_ten_deviations_apart_are_all_told_apart():
    """Holm over 780 pairs needs 15,600 swaps for this, and 15 clusters; ten clusters are enough."""
    rng = np.random.default_rng(4)
    for groups in (10, 20):
        values = rng.normal(0, 1, (40, groups)) - 10 * np.arange(40)[:, None]
        assert ranks_of(values) == [(rank, rank) for rank in range(1, 41)]


def test_ranks_follow_the_pairs_told_apart():
    values = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert rank_intervals(values, set()) == {"a": (1, 3), "b": (1, 3), "c": (1, 3)}
    found = rank_intervals(values, {("a", "c"), ("a", "b"), ("a", "unknown")})
    assert found == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}


# --- simulations -----------------------------------------------------------------------------
def systems(rng, n, groups, effect):
    """(n, groups) sums of 1 to 4 items on a scale of five points; the first half of the systems is
    better by `effect`."""
    texts = rng.integers(1, 5, groups)
    own = np.where(np.arange(n) < n // 2, effect, 0.0)[:, None]
    values = np.zeros((n, groups))
    for group, many in enumerate(texts):
        shared = 3 + rng.normal(0, 1) + rng.normal(0, 0.7, (1, many))
        rated = shared + rng.normal(0, 0.5, (n, 1)) + rng.normal(0, 0.8, (n, many)) + own
        values[:, group] = np.clip(np.round(rated), 1, 5).sum(axis=1)
    return values


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("effect", [0.0, 1.0])
@pytest.mark.parametrize(("n", "groups"), [(3, 14), (10, 14), (10, 60), (33, 25), (33, 60)])
def test_the_family_keeps_its_level(n, groups, effect):
    """Equal systems told apart, and true ranks outside of their intervals, where all systems are
    equal and where half of them are better."""
    rng = np.random.default_rng(100 * n + groups)
    many = samples(1000, 50 if n < 33 else 20)
    half = n // 2
    equal = np.array([(a < half) == (b < half) or not effect for a, b in combinations(range(n), 2)])
    wrong, missed, power = 0, 0, 0.0
    truth = [(1, half) if effect and k < half else (1 + half * bool(effect), n) for k in range(n)]
    for seed in range(many):
        values = systems(rng, n, groups, effect)
        total, _ = gaps(values)
        p = p_values(total, permutations=1000, seed=seed)
        wrong += bool((p[equal] < 0.05).any())
        power += float((p[~equal] < 0.05).mean()) if effect else 0.0
        intervals = ranks_of(values, permutations=1000, seed=seed)
        # A tied system has all ranks of its half: the interval contains them all.
        missed += any(
            low > best or high < worst
            for (low, high), (best, worst) in zip(intervals, truth, strict=True)
        )
    show(
        f"{n} systems, {groups} clusters, {'half better' if effect else 'all equal'}",
        many,
        level=wrong / many,
        missed=missed / many,
        power=power / many,
    )
    assert wrong / many <= 0.05 + slack(0.05, many)
    assert missed / many <= 0.05 + slack(0.05, many)
    if effect and groups >= 60:
        assert power / many > 0.9


# Permutation tests between metrics: whole clusters exchange the values of two of them.


def share_of_swaps(human, a, b, codes):
    """The share of all swaps of two metrics, by whole clusters, in which the correlations with
    people differ as much as they do."""
    one, other = ((column - column.mean()) / column.std() for column in (a, b))
    swap_gaps = []
    for swap in product([False, True], repeat=int(codes.max()) + 1):
        moved = np.array(swap)[codes]
        r = np.corrcoef([human, np.where(moved, other, one), np.where(moved, one, other)])[0]
        r = np.nan_to_num(r)  # A column without variation correlates with nothing.
        swap_gaps.append(abs(r[1] - r[2]))
    return float(np.mean(np.array(swap_gaps) >= swap_gaps[0] - 1e-12))


def test_spearman_swaps_equal_direct_computation():
    rng = np.random.default_rng(8)
    human, a, b = rng.integers(0, 5, size=(3, 12)).astype(float)
    codes = np.repeat(np.arange(4), 3)
    found = swap_correlations(
        sample_of(human, {"a": a, "b": b}, codes),
        np.array([[0, 1]]),
        ranked=True,
        permutations=10,
        seed=0,
    )
    assert found.all_of_them and found.swaps == 16
    assert found.p_value[0] == pytest.approx(
        share_of_swaps(*map(stats.rankdata, (human, a, b)), codes)
    )
    rho = stats.spearmanr(human, a).statistic - stats.spearmanr(human, b).statistic
    assert found.difference[0] == pytest.approx(rho)


def test_every_pair_of_many_equals_direct_computation_and_its_progress_is_heard():
    rng = np.random.default_rng(9)
    human = rng.normal(size=20)
    codes = np.repeat(np.arange(5), 4)
    columns = {str(name): rng.normal(size=20) + name * human for name in range(6)}
    # Swapped in cluster 0 one of the two has the same value in all rows, and no correlation.
    columns["first"], columns["rest"] = np.zeros((2, 20))
    columns["first"][:4] = columns["rest"][16:] = [-1, 1, -1, 1]
    pairs = np.array(list(combinations(range(8), 2)))
    shares = []
    with listening(shares.append, every=0):
        found = swap_correlations(
            sample_of(human, columns, codes), pairs, ranked=False, permutations=10, seed=0
        )
    assert shares == [1.0]
    names = list(columns)
    with np.errstate(invalid="ignore"):
        expected = [
            share_of_swaps(human, columns[names[a]], columns[names[b]], codes) for a, b in pairs
        ]
    assert found.p_value == pytest.approx(expected)
    sample, shares = sample_of(human, columns, None), []
    with listening(shares.append, every=0):
        swap_correlations(sample, pairs, ranked=True, permutations=30_000, seed=0)
    assert len(shares) > 2 and shares == sorted(shares)


# What looking at a test again and again does, and the sentence about it.


BATCH = 20  # Originals.


@pytest.mark.parametrize(
    ("states", "unknown_before", "words", "absent"),
    [
        (10, False, ["10 states", f"{100 * FALSE_ALARMS[10]:.0f} %"], "not known"),
        (11, False, ["11 states", "after 10 looks"], "not known"),
        (0, True, ["not known"], "states"),
        (1, True, ["not known"], "states"),
        (3, True, ["not known", "3 states"], "no states"),
    ],
)
def test_many_or_unknown_looks_are_told(states, unknown_before, words, absent):
    sentence = looks_told(states, unknown_before=unknown_before)["told"]
    assert all(word in sentence for word in words) and absent not in sentence


def test_one_look_is_nothing_to_warn_of():
    assert not looks_told(0)["told"] and not looks_told(1)["told"]
    assert looks_told(0)["false_alarms"] is None


@given(st.integers(1, 10_000))
def test_more_looks_are_never_fewer_false_alarms(states):
    found, more = looks_told(states), looks_told(states + 1)
    assert found["simulated"] is not None and found["simulated"] <= states
    assert found["false_alarms"] == FALSE_ALARMS[found["simulated"]]
    assert (more["false_alarms"] or 0) >= (found["false_alarms"] or 0)


# --- simulation ------------------------------------------------------------------------------
def swap_gaps(rng, n, originals):
    """(n, originals) sums of the differences of two equal systems: 1 to 4 items of an original, on
    a scale of five points, rated by three annotators."""
    total = np.zeros((n, originals))
    texts = rng.integers(1, 5, (n, originals))
    shared = 3 + rng.normal(0, 1, (n, originals))
    own = rng.normal(0, 0.5, (2, n, originals))
    for item in range(4):
        about = shared + rng.normal(0, 0.7, (n, originals))
        rated = about + own + rng.normal(0, 0.8, (3, *own.shape))
        value = np.clip(np.rint(rated), 1, 5).mean(axis=0)
        total += (value[0] - value[1]) * (texts > item)
    return total


@pytest.mark.simulation
@pytest.mark.slow
def test_two_equal_systems_looked_at_after_every_batch():
    """The share called different at .05 at least once, by number of looks after equal batches."""
    rng = np.random.default_rng(11)
    many, most = samples(6000), max(FALSE_ALARMS)
    total = swap_gaps(rng, many, BATCH * most)
    called = np.zeros(many, dtype=bool)
    found = {}
    for look in range(1, most + 1):
        now = total[:, : BATCH * look]
        tests = sign_flip(now, np.ones(now.shape, dtype=bool), permutations=199, seed=look)
        called |= np.array([(one.p_value or 0) <= 0.05 for one in tests])
        if look in FALSE_ALARMS:
            found[look] = float(called.mean())
    show("looks", many, **{f"{look:02}": share for look, share in found.items()})
    for look, share in found.items():
        # The shares in the table are of another 6,000 samples of the same kind.
        assert abs(share - FALSE_ALARMS[look]) <= slack(FALSE_ALARMS[look], many) * 1.5


# Compact letters: two share one exactly if no test tells them apart.


def shared(letters, a, b):
    return bool(set(letters_in(letters[a])) & set(letters_in(letters[b])))


def assert_exact(names, apart, letters):
    """The property that defines them."""
    told = {frozenset(pair) for pair in apart}
    assert list(letters) == list(names) and all(letters.values())
    for a, b in combinations(names, 2):
        assert shared(letters, a, b) != (frozenset((a, b)) in told)


@given(st.data(), st.integers(0, 9))
def test_two_share_a_letter_exactly_if_no_test_tells_them_apart(data, n):
    names = [f"S{at}" for at in range(n)]
    pairs = list(combinations(names, 2))
    apart = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    turned = [pair[::-1] if data.draw(st.booleans()) else pair for pair in apart]
    letters = compact_letters(names, turned)
    assert_exact(names, apart, letters)
    assert letters == compact_letters(names, apart[::-1])  # The order of the pairs is no matter.
    # No letter says what another one says already, none is skipped, and the best has the first.
    held = {}
    for name, text in letters.items():
        for letter in letters_in(text):
            held.setdefault(letter, set()).add(name)
    assert sorted(held) == list("abcdefghijklmnopqrstuvwxyz"[: len(held)])
    assert not any(one < other for one in held.values() for other in held.values())
    if names:
        assert letters[names[0]].startswith("a")


@pytest.mark.parametrize(
    ("ranked", "apart", "letters"),
    [
        # A gap: B differs from both of its neighbours, which are alike.
        ("ABC", [("A", "B"), ("B", "C")], {"A": "a", "B": "b", "C": "a"}),
        # Runs that overlap: the first three, the middle three, the last three.
        (
            ["T1", "T2", "T3", "T4", "T5"],
            [("T1", "T4"), ("T1", "T5"), ("T2", "T5")],
            {"T1": "a", "T2": "ab", "T3": "abc", "T4": "bc", "T5": "c"},
        ),
        # A pair with somebody who is not ranked says nothing here.
        ("AB", [("A", "X")], {"A": "a", "B": "a"}),
    ],
)
def test_small_cases_by_hand(ranked, apart, letters):
    assert compact_letters(list(ranked), apart) == letters


def test_many_letters_stay_few_and_exact():
    """Twenty pairs that each differ would need 2^20 columns; swept, fewer than there are pairs."""
    names = [f"S{at:02}" for at in range(40)]
    apart = list(zip(names[::2], names[1::2], strict=True))
    letters = compact_letters(names, apart)
    assert_exact(names, apart, letters)
    all_apart = compact_letters(names, combinations(names, 2))
    assert_exact(names, list(combinations(names, 2)), all_apart)
    assert (all_apart["S25"], all_apart["S26"], all_apart["S39"]) == ("z", "a2", "n2")
    assert letters_in("zab2c13") == ["z", "a", "b2", "c13"]


def test_a_name_that_is_given_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        compact_letters(["A", "A"], [])
