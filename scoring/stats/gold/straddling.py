"""Borderline decisions of a gold standard: means close to a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.gold.methods import mean_gold
from scoring.stats.gold.values import GoldValues
from scoring.stats.passes import Threshold
from scoring.stats.table import BoolArray, IntArray, RatingTable


@dataclass(frozen=True, eq=False)
class Straddling:
    """Robustness of the decisions "the mean reaches the threshold".

    gold       the means with their intervals
    passes     (U,) the decision; False without a mean
    straddles  (U,) whether the interval of the mean contains the threshold
    flips      (U,) number of annotators of the unit whose omission reverses its decision
    alone      (U,) whether the decision is based on a single rating
    flipped_by, lost_by   (A,) number of decisions reversed, and lost, if the annotator is omitted
               from the panel; 0 for anonymous annotators
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
    """Find means near the threshold, and decisions that depend on one annotator."""
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
