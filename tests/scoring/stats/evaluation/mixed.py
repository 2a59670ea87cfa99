"""Columns of metrics that a mix is made of."""

from __future__ import annotations

import numpy as np

from scoring.stats.table import FloatArray


def data(n: int = 120) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(4)
    human = rng.normal(size=n)
    return human, human + rng.normal(size=n), 100 * (human + rng.normal(0, 2, n))
