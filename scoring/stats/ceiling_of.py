"""A metric's correlation beside what people reach, and what it were without their noise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.stats.estimate import Estimate, undefined

Ceilings = Mapping[str, Mapping[str, Estimate]]
DISATTENUATED = (
    "r / sqrt(reliability of the mean human value, split-half with Spearman-Brown), the interval "
    "as if the reliability were known exactly"
)
SHARE = "r / r of one annotator with the mean of the others"
NO_RELIABILITY = "undefined: the reliability of the human values is unknown or not above 0"
NO_SINGLE = "undefined: no correlation above 0 of single annotators with the others"


@dataclass(frozen=True)
class AgainstCeiling:
    """disattenuated  what the correlation with values free of people's noise would be; it may pass
                      1 where the reliability is underestimated
    share             of the correlation that one annotator reaches with the mean of the rest; above
                      1 the metric foretells the mean better than a single person does
    """

    disattenuated: Estimate
    share: Estimate

    def to_json(self) -> dict[str, Any]:
        return {"disattenuated": self.disattenuated.as_json(), "share": self.share.as_json()}


def against_ceiling(found: Mapping[str, Estimate], ceilings: Ceilings) -> dict[str, dict[str, Any]]:
    """{pearson, spearman: AgainstCeiling as JSON} from a metric's coefficients and `ceiling`."""
    return {
        name: beside_ceiling(
            found[name], ceilings["split_half"][name], ceilings["leave_one_out"][name]
        ).to_json()
        for name in ("pearson", "spearman")
        if name in found
    }


def beside_ceiling(metric: Estimate, halves: Estimate, single: Estimate) -> AgainstCeiling:
    """metric: its coefficient with the mean of all ratings; halves, single: of the people alone,
    as `ceiling` gives them. Source: Spearman 1904 (correction for attenuation, one side)."""
    reliability = halves.details.get("spearman_brown")
    root = math.sqrt(reliability) if reliability is not None and reliability > 0 else None
    one = single.value if single.value is not None and single.value > 0 else None
    return AgainstCeiling(
        _divided(metric, root, DISATTENUATED, NO_RELIABILITY),
        _divided(metric, one, SHARE, NO_SINGLE),
    )


def _divided(metric: Estimate, by: float | None, method: str, reason: str) -> Estimate:
    if metric.value is None or by is None:
        return undefined(metric.reason or reason, n=metric.n, method=method)
    found = Estimate(metric.value / by, n=metric.n, method=method)
    if metric.ci_low is None or metric.ci_high is None:
        return found
    return found.with_interval(
        metric.ci_low / by,
        metric.ci_high / by,
        generalises_to=metric.generalises_to or "",
        options=metric.options,
        seed=metric.seed,
    )
