"""Columns of metrics that a mix is made of."""

import numpy as np


def data(n=120):
    rng = np.random.default_rng(4)
    human = rng.normal(size=n)
    return human, human + rng.normal(size=n), 100 * (human + rng.normal(0, 2, n))
