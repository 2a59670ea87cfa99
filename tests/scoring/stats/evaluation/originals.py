"""Columns with several paraphrases of each original."""

from __future__ import annotations

from scoring.stats.table import FloatArray, IntArray
from tests.scoring.stats.evaluation import columns


def data(originals: int = 40, seed: int = 1) -> tuple[FloatArray, dict[str, FloatArray], IntArray]:
    """Two metrics that are hard to tell apart."""
    human, metrics, codes = columns.data(originals, seed=seed, noise=(1.0, 1.0, 1.0))
    del metrics["poor"]
    return human, metrics, codes
