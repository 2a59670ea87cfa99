"""The units on which a metric and people disagree most, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.paired import mid_ranks
from scoring.stats.table import FloatArray, IntArray

METHOD = "percentile of the metric's mid-rank less that of the human value, over the same units"


@dataclass(frozen=True, eq=False)
class Disagreement:
    """gap (n,): from -1 to 1, NaN where a value is missing; units by how far they disagree.

    metric_higher, people_higher  units (places in the columns), greatest gap first; only those
                                  whose gap has that direction
    """

    gap: FloatArray
    metric_higher: IntArray
    people_higher: IntArray
    human_percentile: FloatArray
    metric_percentile: FloatArray

    def to_json(self) -> dict[str, Any]:
        def rows(units: IntArray) -> list[dict[str, Any]]:
            return [
                {
                    "unit": int(unit),
                    "gap": float(self.gap[unit]),
                    "human_percentile": float(self.human_percentile[unit]),
                    "metric_percentile": float(self.metric_percentile[unit]),
                }
                for unit in units
            ]

        return {
            "method": METHOD,
            "metric_higher": rows(self.metric_higher),
            "people_higher": rows(self.people_higher),
        }


def disagreement(human: FloatArray, metric: FloatArray, most: int = 20) -> Disagreement:
    """Residuals by rank: (mid-rank - 1/2) / n of both columns, and their difference.

    Ranks, so that neither the metric's unit nor its shape matters. Equal gaps stay in the order of
    the units.
    """
    there = np.flatnonzero(np.isfinite(human) & np.isfinite(metric))
    found = [np.full(human.size, np.nan) for _ in range(2)]
    for whole, column in zip(found, (human, metric), strict=True):
        if there.size:
            whole[there] = (mid_ranks(column[there]) - 0.5) / there.size
    gap = found[1] - found[0]
    order = there[np.argsort(gap[there], kind="stable")]
    down = there[np.argsort(-gap[there], kind="stable")]
    return Disagreement(
        gap,
        down[gap[down] > 1e-12][:most],
        order[gap[order] < -1e-12][:most],
        found[0],
        found[1],
    )
