"""A metric's correlation relative to the human ceiling, and corrected for attenuation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.json_types import AgainstCeilingJson

Ceilings = Mapping[str, Mapping[str, Estimate]]
DISATTENUATED = say(
    "r / sqrt(reliability of the mean human value, split-half with Spearman-Brown), the "
    "interval treats the reliability as known"
)
SHARE = say(
    "r / r of one more annotator with the mean of all ratings, which is that of one annotator with "
    "the mean of the others, corrected for the number of ratings (Spearman-Brown)"
)
NO_RELIABILITY = say("undefined: the reliability of the human values is unknown or not above 0")
NO_SINGLE = say("undefined: no positive correlation of single annotators with the others")


@dataclass(frozen=True)
class AgainstCeiling:
    """A metric's correlation against the human ceiling.

    disattenuated  correlation with error-free human values; may exceed 1 if the reliability is
                   underestimated
    share          ratio to the correlation that one more annotator would have with the mean of all
                   ratings; at 1 the metric predicts the mean as well as one more annotator would
    """

    disattenuated: Estimate
    share: Estimate

    def to_json(self) -> AgainstCeilingJson:
        return {"disattenuated": self.disattenuated.as_json(), "share": self.share.as_json()}


def against_ceiling(
    found: Mapping[str, Estimate], ceilings: Ceilings
) -> dict[str, AgainstCeilingJson]:
    """Return {pearson, spearman: AgainstCeiling as JSON} of a metric, given `ceiling` results."""
    return {
        name: beside_ceiling(
            found[name], ceilings["split_half"][name], ceilings["leave_one_out"][name]
        ).to_json()
        for name in catalogue.at("people")
        if name in found
    }


def beside_ceiling(metric: Estimate, halves: Estimate, single: Estimate) -> AgainstCeiling:
    """Compare a metric's coefficient with the human ceiling.

    metric: its coefficient with the mean rating; halves, single: `split_half` and `leave_one_out`
    of `ceiling`. Source: Spearman 1904 (correction for attenuation in one variable).
    """
    reliability = halves.details.get("spearman_brown")
    root = math.sqrt(reliability) if reliability is not None and reliability > 0 else None
    person = single.details.get("one_more")
    one = person if person is not None and person > 0 else None
    return AgainstCeiling(
        _divided(metric, root, DISATTENUATED, NO_RELIABILITY),
        _divided(metric, one, SHARE, NO_SINGLE),
    )


def _divided(metric: Estimate, by: float | None, method: Sentence, reason: Sentence) -> Estimate:
    if metric.value is None or by is None:
        return undefined(metric.reason or reason, n=metric.n, method=method)
    found = Estimate(metric.value / by, n=metric.n, method=method)
    if metric.ci_low is None or metric.ci_high is None:
        return found
    return found.with_interval(
        metric.ci_low / by,
        metric.ci_high / by,
        generalises_to=metric.generalises_to or NOTHING,
        options=metric.options,
        seed=metric.seed,
    )
