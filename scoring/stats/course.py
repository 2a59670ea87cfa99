"""Agreement in the course of time: did it get better with practice, or worse with fatigue?"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring.stats import agreement, counts
from scoring.stats.counts import Patterns
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, Draws, count_replicates
from scoring.stats.table import FloatArray, IntArray, RatingTable
from scoring.stats.trust import Level

MOST_PARTS = 8
LEAST_UNITS = 20  # In a part; alpha of fewer says little.
ALPHAS = {
    "nominal": (agreement.alpha_nominal, counts.alpha_nominal),
    "ordinal": (agreement.alpha_ordinal, counts.alpha_ordinal),
    "numeric": (agreement.alpha_interval, counts.alpha_interval),
}


def course(
    table: RatingTable,
    when: FloatArray,
    kind: Level,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap = Bootstrap(),  # noqa: B008 frozen
) -> list[dict[str, Any]]:
    """[{start, end, n, alpha: {value, ci_low, ci_high, reason, ...}}], oldest first.

    when    (n_units,) when each unit was judged, any rising scale; NaN where that is unknown
    kind    level of the scale: it decides which of Krippendorff's alphas is taken

    The units with two ratings or more, in order of their time, cut into up to eight parts of as
    many units each; a time is never cut, so that an import is one part. Empty where there are not
    two parts of at least 20 units.
    """
    known = np.flatnonzero((table.ratings_per_unit >= 2) & np.isfinite(when))
    known = known[np.argsort(when[known], kind="stable")]
    many = min(MOST_PARTS, known.size // LEAST_UNITS)
    if many < 2:
        return []
    ends = [int(known.size * part / many) for part in range(1, many)]
    # To the next unit of a later time: equal times stay together.
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
) -> dict[str, Any]:
    rows = table.take_units(part)
    point, of_counts = ALPHAS[kind]
    found = point(rows)
    draws = Draws.of(rows, plan, None if clusters is None else clusters[part])
    if found.value is not None and plan.replicates and draws.groups >= LEAST_GROUPS:
        patterns = Patterns.of(rows, np.unique(rows.value))
        replicates = count_replicates(patterns, {"alpha": of_counts}, draws)["alpha"]
        found = draws.attach(found, replicates)
    return found.as_json()
