"""The verdict of each scale, as a code: are the judgments reliable, by intervals, not by values?

Its sentences on the agreement page are in `scoring/presenters/agreement.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from scoring.stats.agreement.json_types import AnswerJson, Disputed, GoldInterval
from scoring.stats.agreement.leading import Fit
from scoring.stats.estimate import Estimate
from scoring.stats.resampling import NO_WIDTH
from scoring.stats.table import FloatArray, IntArray, RatingTable, out_of_range

Level = Literal["nominal", "ordinal", "numeric"]
ALPHA = {"nominal": "alpha_nominal", "ordinal": "alpha_ordinal", "numeric": "alpha_interval"}
RELIABLE, TENTATIVE = 0.800, 0.667  # Conventional thresholds: Krippendorff 2018, chapter 12.
BANDS = (0.5, 0.75, 0.9)  # Koo and Li 2016: poor, moderate, good, excellent
BAND_NAMES = ("poor", "moderate", "good", "excellent")
# Of the exact 95 % interval of a share, if all of n agree: Clopper and Pearson 1934.
CHANCE = 0.025
FEW_GROUPS = 30  # With fewer units or clusters percentile intervals are too narrow.


def answer(
    found: Mapping[str, Estimate],
    level: Level,
    groups: int,
    gold: GoldInterval | None = None,
    fit: Fit = "ordered",
) -> AnswerJson:
    """Return the parts of the summary sentence of a scale.

    verdict      by the interval of alpha: "yes" (lower limit at least .800), "tentative" (lower
                 limit at least .667), "no" (upper limit below .667), "unsure" (contains .667);
                 without an interval "all agree" (on every text), "no width" (all texts alike),
                 "no interval" or "undefined"
    agreed       if all agree: the least share of new texts (or clusters) of which that is true
    fit          what the scale's values are to its statistics (`leading.fit_of`)
    coefficient  the form of alpha for the scale's level; the nominal one on two values, where all
                 forms are equal
    icc, why     the intraclass correlation suited to the design, and why (`icc_form`)
    gold         the interval of the reliability of gold, and what it speaks about
    bands        labels of Koo and Li 2016 for its limits, or None
    few          number of units or clusters if too few for reliable intervals, else None
    """
    coefficient = ALPHA["nominal" if fit == "two values" else level]
    alpha = found[coefficient]
    icc, why = icc_form(found)
    verdict, told = _verdict(alpha), gold if fit == "ordered" and level != "nominal" else None
    return {
        "verdict": verdict,
        "agreed": CHANCE ** (1 / groups) if verdict == "all agree" else None,
        "fit": fit,
        "coefficient": coefficient,
        "icc": icc,
        "why": why,
        "gold": told,
        "bands": told and [band(told["ci_low"]), band(told["ci_high"])],
        "few": groups if groups < FEW_GROUPS else None,
    }


def _verdict(alpha: Estimate) -> str:
    if alpha.value is None:
        return "undefined"
    if alpha.ci_low is None or alpha.ci_high is None:
        if alpha.value > 1 - 1e-12:
            return "all agree"
        return "no width" if alpha.options.get("no_interval") == NO_WIDTH else "no interval"
    if alpha.ci_low >= RELIABLE:
        return "yes"
    if alpha.ci_low >= TENTATIVE:
        return "tentative"
    return "no" if alpha.ci_high < TENTATIVE else "unsure"


def band(value: float) -> str:
    """Return the label of Koo and Li 2016 for an intraclass correlation."""
    return BAND_NAMES[int(np.searchsorted(BANDS, value, side="right"))]


def icc_form(found: Mapping[str, Estimate]) -> tuple[str, str]:
    """Return the ICC form suited to the design (Koo and Li 2016), and a code for the reason.

    Gold is the mean of a text's ratings, and annotators are a sample of possible annotators:
    absolute agreement of the mean, ICC(2,k). If annotators are anonymous, or their effects are
    confounded with units, only the one-way form remains, ICC(1,k).
    """
    if found["icc_2_k"].value is not None or found["icc_1_k"].value is None:
        return "icc_2_k", "crossed"
    return "icc_1_k", "anonymous" if "anonymous" in found["icc_2_k"].reason else "not crossed"


def disputed(table: RatingTable, level: Level, most: int = 10) -> list[Disputed]:
    """Return the units with the most disagreement: {unit, n, spread, values}, largest first.

    spread is the standard deviation of the ratings; on a nominal scale the share of differing
    pairs. Units with one rating or with full agreement are omitted.
    """
    if out_of_range(table.value):
        return []
    unit, _, value = table.by_unit
    sizes = table.ratings_per_unit
    if level == "nominal":
        levels = np.unique(table.value)
        counts = table.counts(levels)
        spread = 1 - ((counts * (counts - 1)).sum(axis=1)) / np.maximum(sizes * (sizes - 1), 1)
    else:
        spread = _deviation(unit, value, sizes)
    spread = np.where(sizes >= 2, spread, 0.0)
    chosen = np.argsort(-spread, kind="stable")[:most]
    return [
        {
            "unit": int(code),
            "n": int(sizes[code]),
            "spread": float(spread[code]),
            "values": sorted(value[unit == code].tolist()),
        }
        for code in chosen.tolist()
        if spread[code] > 0
    ]


def _deviation(unit: IntArray, value: FloatArray, sizes: IntArray) -> FloatArray:
    mean = np.bincount(unit, value, minlength=sizes.size) / np.maximum(sizes, 1)
    square = np.bincount(unit, (value - mean[unit]) ** 2, minlength=sizes.size)
    return np.sqrt(square / np.maximum(sizes - 1, 1))


def left_out(table: RatingTable) -> dict[str, int]:
    """Count the rated units that some statistics cannot use."""
    sizes = table.ratings_per_unit[table.rated_units]
    return {
        "one_rating": int((sizes == 1).sum()),
        "incomplete": int((sizes < table.used_annotators.size).sum()),
        "fewest": int(sizes.min()) if sizes.size else 0,
        "most": int(sizes.max(initial=0)),
    }
