"""Columns of people and metrics, with clusters, and published ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from scoring.stats.table import FloatArray, IntArray

# 20 paraphrases: mean human MEANING of 3 annotators, two metrics rounded to 2 decimals. Expected
# values below: scipy 1.17.1 and R 4.2.2 cor.test, R cocor 1.1-4 (Williams), and brute force.
HUMAN = np.array([3.3333, 3.3333, 2, 3.3333, 2.6667, 1.6667, 3, 1, 4.3333, 2.3333, 3, 3.6667, 2, 2,
                  2, 5, 1.6667, 3, 2.6667, 2.3333])  # fmt: skip

A = np.array([0.51, 0.5, 0.42, 0.59, 0.62, 0.25, 0.52, 0.32, 0.69, 0.32, 0.4, 0.71, 0.34, 0.33,
              0.46, 0.77, 0.43, 0.47, 0.38, 0.57])  # fmt: skip

B = np.array([0.5, 0.68, 0.48, 0.71, 1, 0.6, 0.69, 0.41, 0.83, 0.51, 0.62, 0.89, 0.45, 0.65, 0.56,
              0.76, 0.45, 0.6, 0.61, 0.48])  # fmt: skip

# 12 systems without ties.
SYSTEMS = np.array([4.52, 4.31, 4.05, 3.98, 3.77, 3.6, 3.41, 3.12, 2.88, 2.45, 2.1, 1.95])

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, 3)), min_size=2, max_size=16
)


def columns(rows: list[tuple[int, int, int]]) -> tuple[FloatArray, FloatArray, IntArray]:
    human, metric, cluster = np.array(rows, dtype=float).T
    return human, metric, cluster.astype(np.int64)


def clustered(units: int = 60, seed: int = 1) -> tuple[FloatArray, FloatArray, IntArray]:
    rng = np.random.default_rng(seed)
    codes = np.arange(units) // 4
    human = np.clip(np.round(rng.normal(3, 1, units)), 1, 5)
    return human, human + rng.normal(0, 1, units) + rng.normal(0, 1, units)[codes], codes


CASES = json.loads((Path(__file__).parent / "correlation_cases.json").read_text(encoding="utf-8"))


def data(
    originals: int = 30, each: int = 4, seed: int = 1
) -> tuple[FloatArray, dict[str, FloatArray], IntArray]:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(originals), each)
    n = codes.size
    human = rng.normal(0, 1, originals)[codes] + rng.normal(0, 1, n)
    metrics = {
        "good": human + rng.normal(0, 0.3, n),
        "fair": human + rng.normal(0, 0.8, originals)[codes] + rng.normal(0, 0.5, n),
        "poor": rng.normal(0, 1, n),
    }
    return human, metrics, codes
