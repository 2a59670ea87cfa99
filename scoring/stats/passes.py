"""Pass decisions: whether one annotator's ratings of a unit reach every threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoring.stats.combine import align, combine
from scoring.stats.table import BoolArray, FloatArray, RatingTable

SLACK = 1e-9


@dataclass(frozen=True)
class Threshold:
    """A pass threshold, inclusive."""

    value: float
    higher_is_better: bool = True

    def reached(self, values: FloatArray) -> BoolArray:
        """Return which values pass, with a tolerance for rounding error of means."""
        if self.higher_is_better:
            return values >= self.value - SLACK
        return values <= self.value + SLACK


def pass_table(
    tables: Mapping[str, RatingTable], thresholds: Mapping[str, Threshold]
) -> RatingTable:
    """Return a table with 1 if an annotator's ratings of a unit reach every threshold, else 0.

    Only scales with a threshold are used, and only annotators who rated the unit on all of them.
    Raises ValueError without a threshold, or for a threshold without a table.
    """
    missing = [scale for scale in thresholds if scale not in tables]
    if missing or not thresholds:
        raise ValueError(f"no ratings on the scale {missing[0]}" if missing else "no threshold")
    chosen = [tables[scale] for scale in thresholds]
    _, values = align(chosen)
    reached = [t.reached(v) for t, v in zip(thresholds.values(), values, strict=True)]
    return replace(combine(chosen), value=np.logical_and.reduce(reached).astype(np.float64))
