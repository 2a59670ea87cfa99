"""How far long work is."""

import numpy as np
import pytest
import scipy

from paraanno.common import progress
from paraanno.common.forecast import MOST_DAYS, T_90, forecast
from paraanno.common.progress import counted, done, listening, relayed, step, steps


def heard(work, **options):
    shares = []
    with listening(shares.append, **{"every": 0, **options}):
        work()
    return [round(share, 3) for share in shares]


def nested():
    for _ in steps("ab"):
        with step(0, 0.5):
            list(steps("xy"))
        with step(0.5, 1):
            done(0.5)


def again():
    for _ in range(2):
        list(steps("abcd"))


def counting():
    assert list(counted("abcd", total=8, before=4)) == list("abcd")


def inside():
    for _ in steps("ab"):
        with listening(lambda share: None):
            list(steps("xy"))


def relay():
    with relayed(lambda tell: tell()):
        list(steps("ab"))


@pytest.mark.parametrize(
    ("work", "shares"),
    [
        (nested, [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1]),
        (again, [0.25, 0.5, 0.75, 1]),  # It never goes back.
        (counting, [0.75, 1]),
        (inside, [0.25, 0.5, 0.75, 1]),
        (relay, [0.5, 1]),
        (lambda: list(steps("")), []),
    ],
)
def test_loops_say_how_far_they_are(work, shares, monkeypatch):
    monkeypatch.setattr(progress, "COUNTED", 2)
    work()  # Nobody listens.
    assert heard(work) == shares
    assert heard(work, every=60) == []


# The expected end: its ends hold what they say, and where there is none, none is given.


def test_the_table_is_student_s():
    assert len(T_90) == MOST_DAYS - 1
    assert pytest.approx(scipy.stats.t.ppf(0.9, range(1, MOST_DAYS)), abs=1e-4) == T_90


@pytest.mark.parametrize(("days", "left"), [([5, 5], 10), ([0, 0, 0], 10), ([5, 5, 5], 0)])
def test_no_end_is_given_without_ground(days, left):
    assert forecast(days, left) is None


def test_four_of_five_ends_lie_in_the_range():
    """Days drawn from one distribution: the true end of each draw against the range before it."""
    random, inside, runs = np.random.default_rng(0), 0, 1500
    for _ in range(runs):
        days = random.gamma(4, 25, 10 + 200)
        found = forecast([round(one) for one in days[:10]], 1500)
        assert found is not None
        end = int(np.searchsorted(np.cumsum(days[10:]), 1500)) + 1
        inside += found.early <= end and (found.late is None or end <= found.late + 1)
    # The last day is counted whole, so that somewhat more than 80 % are inside.
    assert 0.78 <= inside / runs <= 0.90
