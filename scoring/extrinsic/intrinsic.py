"""Metrics of paraphrases beside the outcomes of the paraphrases: table 3 of Hailu et al. (2020).

With what the paper leaves out: the correlation with length held fixed, Holm's adjustment, how many
texts have a score, and a warning where a metric is mostly the length of the text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypedDict

import numpy as np
import scipy

from scoring.extrinsic.classifiers import Floats
from scoring.extrinsic.experiment import Key, Outcomes
from scoring.stats.distributions import t_above
from scoring.stats.estimate import EstimateJson
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.resampling import Bootstrap
from scoring.stats.significance.two_metrics import holm

MOSTLY_LENGTH = 0.5
_LEAST_PARTIAL = 4  # Units that a partial correlation needs.


class PartialJson(TypedDict):
    """A rank correlation with the rank of the length held fixed; None where it is undefined."""

    value: float | None
    p_value: float | None
    n: int


class CellJson(TypedDict):
    """A metric of one system beside an outcome of one classifier.

    `pearson_holm` and `spearman_holm` are adjusted over all classifiers and systems of this metric
    and outcome; `coverage` is the share of the test texts that have a score.
    """

    metric: str
    system: str
    classifier: str
    outcome: str
    pearson: EstimateJson
    spearman: EstimateJson
    pearson_holm: float | None
    spearman_holm: float | None
    given_length: PartialJson
    coverage: float


class LengthJson(TypedDict):
    """How a metric of one system correlates with the number of words of its texts."""

    metric: str
    system: str
    rho: float | None
    mostly_length: bool


def partial_rank(x: Floats, y: Floats, given: Floats) -> PartialJson:
    """Spearman's partial correlation of x and y with `given` held fixed; p by the t distribution
    with n - 3 degrees of freedom.

    x, y, given: (n,), NaN for a missing value, whose unit is left out. Undefined for under four
    units, for constant columns, and where x or y has the order of `given`. The order alone counts,
    so that a length and its logarithm give the same.
    """
    known = ~(np.isnan(x) | np.isnan(y) | np.isnan(given))
    n = int(known.sum())
    nothing: PartialJson = {"value": None, "p_value": None, "n": n}
    if n < _LEAST_PARTIAL:
        return nothing
    ranks = np.array([scipy.stats.rankdata(one[known]) for one in (x, y, given)])
    if (np.ptp(ranks, axis=1) == 0).any():
        return nothing
    r = np.corrcoef(ranks)
    left = (1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2)
    if left < 1e-12:
        return nothing
    value = float(np.clip((r[0, 1] - r[0, 2] * r[1, 2]) / math.sqrt(left), -1, 1))
    free = n - 3
    rest = 1 - value**2
    t = math.inf if rest <= 0 else abs(value) * math.sqrt(free / rest)
    return {"value": value, "p_value": float(2 * t_above(t, free)), "n": n}


def correlations(
    tested: Mapping[Key, Outcomes], scores: Mapping[str, Mapping[str, Floats]],
    lengths: Mapping[str, Floats], original: str, plan: Bootstrap | None = None,
) -> list[CellJson]:  # fmt: skip
    """Every metric of every system beside every outcome of every classifier.

    `scores` has columns by system and metric, `lengths` the number of words by system, all over
    the test texts in their order; `original` is the column of the originals. Intervals draw texts.
    """
    found: list[CellJson] = []
    for (classifier, system), mine in tested.items():
        for metric, column in scores.get(system, {}).items():
            outcomes = {
                "correct": mine.correct.astype(np.float64),
                "p_true": mine.p_true,
                "change": mine.p_true - tested[classifier, original].p_true,
            }
            for name, outcome in outcomes.items():
                both = coefficients(outcome, {metric: column}, None, plan, ["pearson", "spearman"])[
                    metric
                ]
                found.append(
                    {
                        "metric": metric, "system": system, "classifier": classifier,
                        "outcome": name, "pearson": both["pearson"].as_json(),
                        "spearman": both["spearman"].as_json(),
                        "pearson_holm": None, "spearman_holm": None,
                        "given_length": partial_rank(column, outcome, lengths[system]),
                        "coverage": float((~np.isnan(column)).mean()),
                    }
                )  # fmt: skip
    _adjust(found)
    return found


def _adjust(cells: list[CellJson]) -> None:
    """Fill in the p-values after Holm (1979), a family for each metric and outcome."""
    families: dict[tuple[str, str], list[CellJson]] = {}
    for cell in cells:
        families.setdefault((cell["metric"], cell["outcome"]), []).append(cell)
    for family in families.values():
        pearson = holm([_p_value(cell["pearson"]) for cell in family])
        spearman = holm([_p_value(cell["spearman"]) for cell in family])
        for cell, one, other in zip(family, pearson, spearman, strict=True):
            cell["pearson_holm"], cell["spearman_holm"] = one, other


def _p_value(estimate: EstimateJson) -> float | None:
    found = dict(estimate).get("p_value")
    return float(found) if isinstance(found, float) else None


def with_length(
    scores: Mapping[str, Mapping[str, Floats]], lengths: Mapping[str, Floats]
) -> list[LengthJson]:
    """Spearman of each metric with the number of words, and whether it is mostly that."""
    found: list[LengthJson] = []
    for system, columns in scores.items():
        for metric, column in columns.items():
            rho = coefficients(lengths[system], {metric: column}, None, None, ["spearman"])
            value = rho[metric]["spearman"].value
            found.append(
                {
                    "metric": metric, "system": system, "rho": value,
                    "mostly_length": value is not None and abs(value) > MOSTLY_LENGTH,
                }
            )  # fmt: skip
    return found
