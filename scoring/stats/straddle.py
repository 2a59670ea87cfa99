"""Which decisions of a gold standard hang on a thread: means close to a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.gold_methods import mean_gold
from scoring.stats.gold_values import GoldValues
from scoring.stats.passes import Threshold
from scoring.stats.table import BoolArray, IntArray, RatingTable


@dataclass(frozen=True, eq=False)
class Straddling:
    """Decisions "the mean reaches the threshold" and how firm they are.

    gold       the means with their intervals
    passes     (U,) the decision; False where there is no mean
    straddles  (U,) the interval of the mean has values on both sides of the threshold
    flips      (U,) annotators of the unit whose omission turns its decision round
    alone      (U,) the decision rests on one rating: without its annotator there is none
    flipped_by, lost_by   (A,) decisions that turn round, and that vanish, when that annotator is
               left out of the whole panel; 0 for anonymous voices, who are nobody
    units      codes of the units that straddle or flip, closest to the threshold first
    """

    gold: GoldValues
    passes: BoolArray
    straddles: BoolArray
    flips: IntArray
    alone: BoolArray
    flipped_by: IntArray
    lost_by: IntArray
    units: IntArray


def straddling(table: RatingTable, threshold: Threshold) -> Straddling:
    """Means near the threshold, and the decisions that one annotator decides."""
    made = mean_gold(table)
    n, mean = made.n, made.value
    passes = threshold.reached(mean)
    ends = threshold.reached(made.low) != threshold.reached(made.high)
    straddles = ends & ~np.isnan(made.low)
    others = n[table.unit] - 1
    total = np.bincount(table.unit, table.value, minlength=table.n_units)[table.unit]
    rest = (total - table.value) / np.maximum(others, 1)
    turned = (others > 0) & (threshold.reached(rest) != passes[table.unit])
    known = ~np.isnan(mean)
    flips = np.bincount(table.unit[turned], minlength=table.n_units)
    listed = np.flatnonzero(straddles | (flips > 0))
    distance = np.abs(mean[listed] - threshold.value)
    nobody = np.zeros(table.n_annotators, dtype=np.int64)
    by = [
        nobody
        if table.anonymous
        else np.bincount(table.annotator[rows], minlength=table.n_annotators)
        for rows in (turned, others == 0)
    ]
    return Straddling(
        made, passes & known, straddles, flips, n == 1, by[0], by[1],
        listed[np.lexsort((listed, distance))],
    )  # fmt: skip
