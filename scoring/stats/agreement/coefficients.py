"""Agreement coefficients of one scale: each takes a RatingTable and returns an Estimate.

Their formulas are in `scoring/stats/counts.py`; alpha is the package's, `krippendorff`, where the
table is small enough for it.

All are valid if different annotators rated each unit (K of N). A coefficient that depends on the
categories of the scale takes `levels`, in ascending order, used or not.
"""

from __future__ import annotations

from typing import Literal

import krippendorff
import numpy as np

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats import counts
from scoring.stats.counts import Patterns
from scoring.stats.estimate import OUT_OF_RANGE, Estimate, undefined
from scoring.stats.table import FloatArray, RatingTable, default_levels, out_of_range

Level = Literal["nominal", "ordinal", "interval"]
LEVELS = {"nominal": say("nominal"), "ordinal": say("ordinal"), "interval": say("interval")}

ANONYMOUS = say("undefined: annotators are anonymous")
NO_RATINGS = say("undefined: no ratings")
ONE_ANNOTATOR = say("undefined: needs two annotators")
NO_PAIRS = say("undefined: no unit has two ratings")
NO_VARIATION = say("undefined: no variation, all ratings are equal")
ONE_UNIT = say("undefined: only one unit has two ratings")

# The krippendorff package builds a (units, levels, levels) array; beyond this many cells (200 MB)
# the same coefficient is computed from sums.
PACKAGE_CELLS = 25_000_000


def no_pairs(table: RatingTable) -> Sentence:
    """Return why no ratings can be compared within a unit, or ""."""
    if table.n_ratings == 0:
        return NO_RATINGS
    if out_of_range(table.value):
        return OUT_OF_RANGE
    if not table.anonymous and table.used_annotators.size < 2:
        return ONE_ANNOTATOR
    return NOTHING if table.n_pairable else NO_PAIRS


def percent_agreement(table: RatingTable) -> Estimate:
    """Return the mean share of agreeing pairs over units with two or more ratings.

    Report it beside every chance-corrected coefficient. Equals Gwet's p_a (2014).
    """
    return _from_counts(
        table, None, counts.percent_agreement, say("mean over units of the agreeing share of pairs")
    )


def within_one(table: RatingTable) -> Estimate:
    """Return the share of pairs of ratings at most one point apart, pooled over units."""
    return _from_counts(table, None, counts.within_one, say("pooled pairs at most one point apart"))


def fleiss_kappa(table: RatingTable) -> Estimate:
    """Return Fleiss' kappa, in Gwet's generalisation if units have unequal numbers of ratings.

    Undefined without variation. References: Fleiss 1971; Gwet 2014.
    """
    sizes = table.ratings_per_unit[table.rated_units]
    constant = sizes.size > 0 and (sizes == sizes[0]).all()
    method = (
        say("classical (Fleiss 1971)")
        if constant
        else say("Gwet's generalisation to unequal numbers of ratings (2014)")
    )
    return _from_counts(table, None, counts.fleiss_kappa, method, constant_undefined=True)


def gwet_ac1(table: RatingTable, levels: FloatArray | None = None) -> Estimate:
    """Return Gwet's AC1 (nominal) over all levels of the scale, used or not (Gwet 2008)."""
    return _gwet(table, levels, counts.gwet_ac1, say("AC1 (Gwet 2008)"))


def gwet_ac2(table: RatingTable, levels: FloatArray | None = None) -> Estimate:
    """Return Gwet's AC2 with quadratic weights over all levels of the scale (Gwet 2014)."""
    return _gwet(table, levels, counts.gwet_ac2, say("AC2, quadratic weights (Gwet 2014)"))


def brennan_prediger(table: RatingTable, levels: FloatArray | None = None) -> Estimate:
    """Return Brennan and Prediger's kappa (1981), nominal, with chance agreement 1 / levels."""
    return _gwet(table, levels, counts.brennan_prediger, say("Brennan and Prediger 1981"))


def _gwet(
    table: RatingTable, levels: FloatArray | None, statistic: counts.Statistic, method: Sentence
) -> Estimate:
    scale = default_levels(table.value) if levels is None else levels
    method = say("%(method)s, %(n)s levels", method=method, n=scale.size)
    if table.n_ratings and scale.size < 2:
        return undefined(say("undefined: the scale has a single level"), method=method)
    return _from_counts(table, scale, statistic, method)


def _from_counts(
    table: RatingTable,
    levels: FloatArray | None,
    statistic: counts.Statistic,
    method: Sentence,
    constant_undefined: bool = False,
) -> Estimate:
    reason = no_pairs(table)
    if not reason and constant_undefined and np.ptp(table.value) == 0:
        reason = NO_VARIATION
    if reason:
        return undefined(reason, n=table.n_pairable, method=method)
    patterns = Patterns.of(table, np.unique(table.value) if levels is None else levels)
    value = statistic(patterns, patterns.weight[None, :])[0]
    return Estimate(float(value), n=table.n_pairable, method=method)


def alpha(table: RatingTable, level: Level) -> Estimate:
    """Return Krippendorff's alpha; units with one rating are not pairable and are excluded.

    Undefined without variation among pairable ratings (other software returns 1, raises or divides
    by zero) and for a single pairable unit, where alpha is always 0.
    Reference: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    method = say("Krippendorff 2011, %(level)s difference", level=LEVELS[level])
    pairable = table.ratings_per_unit[table.unit] >= 2
    reason = no_pairs(table)
    if not reason and table.n_pairable == 1:
        reason = ONE_UNIT
    if not reason and np.ptp(table.value[pairable]) == 0:
        reason = NO_VARIATION
    if reason:
        return undefined(reason, n=table.n_pairable, method=method)
    return Estimate(_alpha_value(table, level), n=table.n_pairable, method=method)


def _alpha_value(table: RatingTable, level: Level) -> float:
    seen = np.unique(table.value)
    if table.rated_units.size * seen.size**2 > PACKAGE_CELLS:
        patterns = Patterns.of(table, seen)
        statistic = {
            "nominal": counts.alpha_nominal,
            "ordinal": counts.alpha_ordinal,
            "interval": counts.alpha_interval,
        }[level]
        return float(statistic(patterns, patterns.weight[None, :])[0])
    value_counts = table.counts(seen)[table.rated_units]
    return float(
        krippendorff.alpha(value_counts=value_counts, value_domain=seen, level_of_measurement=level)
    )


def alpha_nominal(table: RatingTable) -> Estimate:
    """Return Krippendorff's alpha for unordered values: all disagreements count equally."""
    return alpha(table, "nominal")


def alpha_ordinal(table: RatingTable) -> Estimate:
    """Return Krippendorff's alpha for ordered values."""
    return alpha(table, "ordinal")


def alpha_interval(table: RatingTable) -> Estimate:
    """Return Krippendorff's alpha for values with meaningful differences."""
    return alpha(table, "interval")
