"""How fast metrics are set against people; no database is involved.

Beside it scipy's coefficient on the rows of each bootstrap sample, as far as 100 samples tell,
and a large campaign as a worker computes it, in a process of its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.evaluation.report import Compared, MetaOptions, meta_evaluation
from scoring.stats.significance.paired import (
    Kernel,
    Sample,
    kendall_kernel,
    pearson_kernel,
    replicate,
    sample_of,
    spearman_kernel,
)
from scoring.stats.systems.values import SystemTexts
from tools.bench.apart import apart
from tools.bench.table import line, note, peak_memory

REPLICATES, METRICS = 1000, 15
CASES: tuple[tuple[str, Callable[[Sample], Kernel], Callable[..., Any], float | None], ...] = (
    ("Pearson", pearson_kernel, stats.pearsonr, 20),
    ("Spearman", spearman_kernel, stats.spearmanr, 20),
    ("Kendall, b and c", kendall_kernel, stats.kendalltau, None),
)


def measure(database: str, _seconds: int) -> None:
    """Once: the databases make no difference."""
    if database != "sqlite":
        note("the same on every database, measured above")
        return
    columns = campaign(2000)
    _replicates(columns)
    begin = time.perf_counter()
    meta_evaluation(columns, MetaOptions(Bootstrap(REPLICATES)))
    line(
        "2,000 texts x 15 metrics x 2 scales, everything", time.perf_counter() - begin, "s", goal=30
    )
    answer = apart("tools.bench.correlate")
    line("100,000 texts x 15 metrics x 2 scales", answer["seconds"], "s", goal=300)
    line("the same, greatest memory", answer["memory"] / 1024, "GiB", goal=2)


def campaign(texts: int) -> Compared:
    """Five texts of each original, one of each system; 15 metrics, two scales and a pass."""
    rng = np.random.default_rng(3)
    codes = np.arange(texts) // 5
    common = rng.normal(0, 0.7, texts // 5)[codes]
    rated = (common + rng.normal(3, 1, texts))[:, None] + rng.normal(0, 0.7, (texts, 3))
    human = np.clip(np.round(rated), 1, 5).mean(axis=1)
    second = np.clip(np.round(human + rng.normal(0, 0.5, texts)), 1, 5)
    metrics = {
        f"m{k}": human + rng.normal(0, 1, texts) + rng.normal(0, 0.8, texts // 5)[codes]
        for k in range(METRICS)
    }
    systems = SystemTexts(np.arange(texts), np.arange(texts) % 5, tuple("ABCDE"))
    passed = (human >= 3).astype(np.float64)
    return Compared({"MEANING": human, "GRAMMAR": second}, metrics, codes, passed, systems)


def _replicates(columns: Compared) -> None:
    """1,000 replicates for 15 metrics by draws of originals, and scipy on the drawn rows."""
    human = columns.human["MEANING"]
    sample = sample_of(human, columns.metrics, columns.clusters)
    rng = np.random.default_rng(4)
    plan = Bootstrap(REPLICATES)
    for name, kernel, slow, goal in CASES:
        begin = time.perf_counter()
        for _ in range(100):
            rows = rng.integers(sample.n, size=sample.n)
            slow(sample.x[rows], sample.y[rows, 0])
        loop = (time.perf_counter() - begin) / 100 * REPLICATES * METRICS
        ours = []
        for _ in range(5):
            begin = time.perf_counter()
            replicate({name: kernel(sample)}, plan, sample.groups, sample.n)
            ours.append(time.perf_counter() - begin)
        here = float(np.median(ours))
        line(
            f"{name}, 1,000 replicates, 2,000 texts x 15 metrics, s",
            here,
            "sums by original",
            rivals=f"scipy in a loop: {loop:.1f} s",
        )
        line(
            "the same, times as fast as scipy in a loop",
            loop / here,
            "x",
            goal=goal,
            more_is_better=True,
        )


def large() -> dict[str, float]:
    columns = campaign(100_000)
    begin = time.perf_counter()
    meta_evaluation(columns, MetaOptions(Bootstrap(REPLICATES)))
    return {"seconds": time.perf_counter() - begin, "memory": peak_memory()}


if __name__ == "__main__":
    print(json.dumps(large()))
