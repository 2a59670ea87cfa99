"""Pass: every scale that has a threshold reaches it, judged on one annotator's values of a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoring.stats.gold import align, combine
from scoring.stats.table import BoolArray, FloatArray, RatingTable

SLACK = 1e-9


@dataclass(frozen=True)
class Threshold:
    """A value that passes, itself included."""

    value: float
    higher_is_better: bool = True

    def reached(self, values: FloatArray) -> BoolArray:
        """Which values pass; a mean a rounding error short of the threshold has reached it."""
        if self.higher_is_better:
            return values >= self.value - SLACK
        return values <= self.value + SLACK


def pass_table(
    tables: Mapping[str, RatingTable], thresholds: Mapping[str, Threshold]
) -> RatingTable:
    """1 where an annotator's values of a unit reach every threshold, else 0.

    Only scales with a threshold count, and only annotators who rated the unit on all of these.
    Raises ValueError without a threshold, or for one whose scale is not there.
    """
    missing = [scale for scale in thresholds if scale not in tables]
    if missing or not thresholds:
        raise ValueError(f"no ratings on the scale {missing[0]}" if missing else "no threshold")
    chosen = [tables[scale] for scale in thresholds]
    _, values = align(chosen)
    reached = [t.reached(v) for t, v in zip(thresholds.values(), values, strict=True)]
    return replace(combine(chosen), value=np.logical_and.reduce(reached).astype(np.float64))
