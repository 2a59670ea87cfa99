"""Regressors as numbers."""

import numpy as np
import pytest

from scoring.metrics.combination.pem_style import (
    Regressor,
    load_regressor,
    regressor_sha256,
    write_regressor,
)


def test_a_regressor_predicts_by_hand_and_survives_its_file(tmp_path):
    made = Regressor(
        features=["a"],
        mean=[1.0],
        deviation=[2.0],
        vectors=[[0.0], [1.0]],
        weights=[2.0, -1.0],
        intercept=0.5,
        gamma=1.0,
        centre=3.0,
        spread=2.0,
        settings={},
        resources={},
        figures={"units": 2},
    )
    # z = 1: 2 e^-1 - e^0 + .5, and z = 0: 2 - e^-1 + .5; in units of the gold 3 + 2 times that.
    by_hand = [3 + 2 * (2 * np.exp(-1) - 0.5), 3 + 2 * (2.5 - np.exp(-1))]
    assert made.predict(np.array([[3.0], [1.0]])).tolist() == pytest.approx(by_hand)
    path = write_regressor(made, tmp_path)
    assert load_regressor(str(tmp_path)) == load_regressor(str(path)) == made
    assert regressor_sha256(str(tmp_path)) == regressor_sha256(str(path))
