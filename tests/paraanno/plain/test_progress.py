"""How far long work is."""

import pytest

from paraanno.common import progress
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
