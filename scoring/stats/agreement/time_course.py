"""Agreement over time, to detect practice effects and fatigue."""

from __future__ import annotations

import numpy as np

from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.families import ScaleData, replicates
from scoring.stats.agreement.json_types import CoursePart
from scoring.stats.agreement.verdict import ALPHA, Level
from scoring.stats.estimate import EstimateJson
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, Draws
from scoring.stats.table import FloatArray, IntArray, RatingTable

MOST_PARTS = 8
LEAST_UNITS = 20  # Per part; alpha of fewer units is too imprecise.


def course(
    table: RatingTable,
    when: FloatArray,
    kind: Level,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap = Bootstrap(),
) -> list[CoursePart]:
    """Return [{start, end, n, alpha: {value, ci_low, ci_high, reason, ...}}], oldest first.

    when    (n_units,) time of judgment of each unit, in any unit; NaN if unknown
    kind    level of measurement, which selects the form of Krippendorff's alpha

    Units with two or more ratings are sorted by time and divided into up to eight parts of equal
    size. Units with equal times stay together, so that an import is one part. Empty if there are
    not at least two parts of 20 units.
    """
    known = np.flatnonzero((table.ratings_per_unit >= 2) & np.isfinite(when))
    known = known[np.argsort(when[known], kind="stable")]
    many = min(MOST_PARTS, known.size // LEAST_UNITS)
    if many < 2:
        return []
    ends = [int(known.size * part / many) for part in range(1, many)]
    # Move each cut to the next later time, so that equal times stay together.
    ends = [int(np.searchsorted(when[known], when[known[end - 1]], "right")) for end in ends]
    parts = [part for part in np.split(known, sorted(set(ends))) if part.size >= LEAST_UNITS]
    if len(parts) < 2:
        return []
    return [
        {
            "start": float(when[part[0]]),
            "end": float(when[part[-1]]),
            "n": int(part.size),
            "alpha": _alpha(table, part, kind, clusters, plan),
        }
        for part in parts
    ]


def _alpha(
    table: RatingTable, part: IntArray, kind: Level, clusters: IntArray | None, plan: Bootstrap
) -> EstimateJson:
    rows = table.take_units(part)
    data = ScaleData(rows, np.unique(rows.value))
    how = coefficients()[ALPHA[kind]].how
    found = how.estimate(data)
    draws = Draws.of(rows, plan, None if clusters is None else clusters[part])
    if found.value is not None and plan.replicates and draws.groups >= LEAST_GROUPS:
        for made_by, values in replicates({"alpha": how}, data, draws):
            found = made_by.attach(found, values["alpha"])
    return found.as_json()
