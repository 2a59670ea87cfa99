"""Columns of people and metrics, with clusters, and published ones."""

import json
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.intervals import draws, even

CASES = json.loads((Path(__file__).parent / "correlation_cases.json").read_text("utf-8"))

# 20 paraphrases with ties: mean MEANING of 3 annotators and two metrics; 12 systems without ties.
(HUMAN, A, B), (SYSTEMS, SYSTEM_A, SYSTEM_B) = (
    [np.array(case[name]) for name in ("human", "a", "b")] for case in CASES["columns"]
)

BY_SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def by_scipy(x, y):
    return {name: one(x, y).statistic for name, one in BY_SCIPY.items()}


def drawn_rows(plan, codes):
    """The rows of each replicate: those of a cluster as often as it is drawn."""
    groups = int(codes.max()) + 1
    drawn = np.concatenate(list(draws(plan, groups, even(groups))))
    return [np.repeat(np.arange(codes.size), weight) for weight in drawn[:, codes].astype(int)]


def percentiles(replicates):
    return np.quantile(replicates, [0.025, 0.975]).tolist()


ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, 3)), min_size=2, max_size=16
)


def columns(rows):
    human, metric, cluster = np.array(rows, dtype=float).T
    return human, metric, cluster.astype(np.int64)


def clustered(units=60, seed=1):
    rng = np.random.default_rng(seed)
    codes = np.arange(units) // 4
    human = np.clip(np.round(rng.normal(3, 1, units)), 1, 5)
    return human, human + rng.normal(0, 1, units) + rng.normal(0, 1, units)[codes], codes


def data(originals=30, each=4, seed=1, noise=(0.3, 0.8, 0.5)):
    """People and three metrics; `noise` is that of good, and of fair by original and by itself."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(originals), each)
    n = codes.size
    human = rng.normal(0, 1, originals)[codes] + rng.normal(0, 1, n)
    metrics = {
        "good": human + rng.normal(0, noise[0], n),
        "fair": human + rng.normal(0, noise[1], originals)[codes] + rng.normal(0, noise[2], n),
        "poor": rng.normal(0, 1, n),
    }
    return human, metrics, codes
