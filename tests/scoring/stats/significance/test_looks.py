"""What looking at a test again and again does, and the sentence about it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.significance.paired import FALSE_ALARMS, looks_told
from scoring.stats.significance.swaps import sign_flip
from tests.simulate import samples, show, slack

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
def gaps(rng, n, originals):
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
    total = gaps(rng, many, BATCH * most)
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
