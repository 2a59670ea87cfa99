"""What every coefficient of agreement keeps to, whatever the ratings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.stats.agreement.small import FIVE, NA, statistics
from tests.simulate import examples

matrices = (
    st.integers(2, 4)
    .flatmap(
        lambda width: st.lists(
            st.lists(st.just(NA) | st.integers(1, 5).map(float), min_size=width, max_size=width),
            min_size=2,
            max_size=12,
        )
    )
    .map(np.array)
)


def values(matrix, levels=FIVE):
    return {name: estimate.value for name, estimate in statistics(matrix, levels).items()}


def assert_alike(one, other, names=None, levels=FIVE):
    before, after = values(one), values(other, levels)
    for name in names or before:
        assert after[name] == pytest.approx(before[name], abs=2e-5), name


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(matrices, st.integers(0, 2**32))
def test_names_and_order_change_nothing(matrix, seed):
    rng = np.random.default_rng(seed)
    assert_alike(matrix, rng.permutation(rng.permutation(matrix), axis=1))


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(matrices, st.sampled_from([0.25, 20.0, 1e6]), st.sampled_from([-1e5, 0.0, 3.0]))
def test_interval_statistics_ignore_shift_and_step(matrix, step, shift):
    names = ("cohen_kappa_quadratic", "cohen_kappa_linear", "alpha_interval", "gwet_ac2", "icc_1_1")
    assert_alike(matrix, matrix * step + shift, names, FIVE * step + shift)
