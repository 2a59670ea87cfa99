"""Columns with several paraphrases of each original."""

from __future__ import annotations

import numpy as np

from scoring.stats.table import FloatArray, IntArray


def data(originals: int = 40, seed: int = 1) -> tuple[FloatArray, dict[str, FloatArray], IntArray]:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(originals), 4)
    n = codes.size
    human = rng.normal(0, 1, originals)[codes] + rng.normal(0, 1, n)
    metrics = {
        "good": human + rng.normal(0, 1.0, n),
        "fair": human + rng.normal(0, 1.0, originals)[codes] + rng.normal(0, 1.0, n),
    }
    return human, metrics, codes
