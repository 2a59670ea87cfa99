"""ROC curve and AUC of a metric for the human pass decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.evaluation.json_types import RocJson
from scoring.stats.resampling import Bootstrap, attach
from scoring.stats.significance.paired import mid_ranks, samples
from scoring.stats.significance.replicates import replicate, roc_kernel
from scoring.stats.table import FloatArray, IntArray

METHOD = say(
    "area under the ROC curve: probability that a passing unit has the higher value, ties half"
)
ONE_KIND = say("undefined: needs units that pass and units that do not")
MOST_POINTS = 200


@dataclass(frozen=True)
class Roc:
    """Area under the curve, and points (false positive rate, true positive rate, threshold).

    Units at or above the threshold are predicted to pass; the first point, (0, 0), has none.
    """

    area: Estimate
    curve: tuple[tuple[float, float, float | None], ...] = ()

    def to_json(self) -> RocJson:
        return {"area": self.area.as_json(), "curve": [list(point) for point in self.curve]}


def roc_curves(
    passed: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Roc]:
    """Return the ROC of each metric; passed (n,) is 1, 0 or NaN, else ValueError.

    Curves have at most about 200 points. The area is the Mann-Whitney statistic (Hanley and McNeil
    1982); intervals resample clusters.
    """
    if not np.isin(passed[np.isfinite(passed)], (0.0, 1.0)).all():
        raise ValueError("the pass decision must be 1, 0 or missing")
    plan = plan or Bootstrap()
    found: dict[str, Roc] = {}
    for sample in samples(passed, metrics, clusters):
        yes = int(sample.x.sum())
        no = sample.n - yes
        details = {"passed": yes, "failed": no}
        if not yes or not no:
            none = Roc(undefined(ONE_KIND, n=sample.n, method=METHOD, details=details))
            found |= dict.fromkeys(sample.names, none)
            continue
        replicates = None
        if plan.replicates:
            kernel = {"roc": roc_kernel(sample)}
            replicates = replicate(kernel, plan, sample.groups, sample.n)["roc"]
        ranks = mid_ranks(sample.y)[sample.x == 1].sum(axis=0)
        for place, name in enumerate(sample.names):
            area = (ranks[place] - yes * (yes + 1) / 2) / (yes * no)
            estimate = Estimate(float(area), n=sample.n, method=METHOD, details=details)
            if replicates is not None:
                estimate = attach(
                    estimate, replicates[:, place], plan, sample.groups, sample.clustered
                )
            found[name] = Roc(estimate, _curve(sample.x, sample.y[:, place]))
    return {name: found[name] for name in metrics}


def _curve(passed: FloatArray, values: FloatArray) -> tuple[tuple[float, float, float | None], ...]:
    order = np.argsort(-values, kind="stable")
    last = np.flatnonzero(np.append(np.diff(values[order]) != 0, True))
    hits = np.cumsum(passed[order])[last] / passed.sum()
    misses = np.cumsum(1 - passed[order])[last] / (1 - passed).sum()
    thin = np.unique(np.linspace(0, last.size - 1, min(last.size, MOST_POINTS)).astype(np.int64))
    points = zip(misses[thin], hits[thin], values[order][last][thin], strict=True)
    return ((0.0, 0.0, None), *((float(f), float(t), float(v)) for f, t, v in points))
