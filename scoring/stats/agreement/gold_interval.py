"""The interval of the reliability of gold, for the annotators whom the verdict covers.

Gold is the mean of a text's ratings, and its annotators are a sample of all who might have judged.
So the interval of ICC(2,k) has to allow for other annotators too: drawing texts alone covers the
value of new annotators in .82 to .85 of samples (docs/statistics.md).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from paraanno.plain.progress import step, steps
from scoring.stats.agreement.families import ScaleData
from scoring.stats.agreement.icc import iccs, ratings_per_unit
from scoring.stats.agreement.influence import (
    LEAST_ANNOTATORS,
    new_annotator_interval,
    unit_variances,
    without,
)
from scoring.stats.agreement.json_types import GoldInterval
from scoring.stats.agreement.variance.mean_squares import GENERALISES, stepped
from scoring.stats.agreement.verdict import icc_form
from scoring.stats.estimate import Estimate
from scoring.stats.resampling import Bootstrap, Draws
from scoring.stats.table import IntArray

MOST_FITTED = 3_000_000  # Ratings times annotators left out in turn: a few seconds.
SINGLE = "icc_2_1"


def gold_interval(
    found: Mapping[str, Estimate],
    data: ScaleData,
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> GoldInterval | None:
    """Return {ci_low, ci_high, generalises_to, new_annotators} of the ICC that `icc_form` chooses.

    ICC(2,k): McGraw and Wong's interval for complete ratings of independent units; else that of
    ICC(2,1) for new units and new annotators (`new_annotator_interval`), stepped up to k ratings.
    With two annotators, very many ratings, or unknown annotators (ICC(1,k)) only for these
    annotators. None without any.
    """
    name, _ = icc_form(found)
    one = found[name]
    if one.value is None:
        return None
    exact = one.generalises_to == GENERALISES["2"]
    if exact and clusters is None:
        return _interval(one.ci_low, one.ci_high, one.generalises_to, new=True)
    if name == "icc_2_k":
        new = _for_new_annotators(found, data, clusters, plan)
        if new is not None:
            return new
    if not exact:
        return _interval(one.ci_low, one.ci_high, one.generalises_to, new=False)
    drawn = next(iter(one.details.get("also", ())), None)
    if drawn is None:
        return None
    return _interval(drawn["ci_low"], drawn["ci_high"], drawn["generalises_to"], new=False)


def _for_new_annotators(
    found: Mapping[str, Estimate],
    data: ScaleData,
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> GoldInterval | None:
    table = data.table
    used, single = table.used_annotators, found[SINGLE].value
    if plan is None or not plan.replicates or single is None or used.size < LEAST_ANNOTATORS:
        return None
    if table.n_ratings * used.size > MOST_FITTED:
        return None
    with step(0, 0.5):
        left_out = [iccs(without(table, code))[SINGLE].value for code in steps(used.tolist())]
    known = np.array([np.nan if value is None else value for value in left_out])
    with step(0.5, 1):
        spread = unit_variances(table, data.levels, (SINGLE,), Draws.of(table, plan, clusters))
    new = new_annotator_interval(single, known, spread.get(SINGLE), plan, clusters)
    low, high = new["ci_low"], new["ci_high"]
    if low is None or high is None:
        return None
    k = ratings_per_unit(table)
    # An interval that reaches below 0 would step up to anything: 0 is the mean of k of nothing.
    ends = stepped(max(low, 0.0), k), stepped(max(high, 0.0), k)
    return _interval(*ends, new["generalises_to"], new=True)


def _interval(
    low: float | None, high: float | None, speaks_of: str | None, *, new: bool
) -> GoldInterval | None:
    if low is None or high is None or not speaks_of:
        return None
    return {"ci_low": low, "ci_high": high, "generalises_to": speaks_of, "new_annotators": new}
