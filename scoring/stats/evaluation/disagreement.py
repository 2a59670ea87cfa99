"""The units with the largest disagreement of metric and humans, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.significance.paired import mid_ranks
from scoring.stats.table import FloatArray, IntArray

METHOD = say(
    "percentile of the metric's mid-rank minus that of the human value, over the same units"
)


class DisagreeingUnit(TypedDict):
    """A unit that people and the metric place differently."""

    unit: int
    gap: float
    human_percentile: float
    metric_percentile: float


class DisagreementJson(TypedDict):
    """Those that the metric places higher, and those that people do."""

    method: str
    metric_higher: list[DisagreeingUnit]
    people_higher: list[DisagreeingUnit]


@dataclass(frozen=True, eq=False)
class Disagreement:
    """Disagreement of metric and humans per unit.

    gap  (n,) difference of percentile ranks, -1 to 1, NaN if a value is missing
    metric_higher, people_higher  positions of units with a gap in that direction, largest first
    """

    gap: FloatArray
    metric_higher: IntArray
    people_higher: IntArray
    human_percentile: FloatArray
    metric_percentile: FloatArray

    def to_json(self) -> DisagreementJson:
        def rows(units: IntArray) -> list[DisagreeingUnit]:
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
    """Return the difference of percentile ranks, (mid-rank - 1/2) / n, of metric and humans.

    Ranks make it independent of the metric's units and distribution. Equal gaps keep the order of
    units.
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
