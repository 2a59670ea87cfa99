"""What is known of every annotator of a scale, all at once.

Severity, spread, agreement and correlation with the rest, trend, straight-lining, and from further
records consistency on repeats, controls and pace. Every number has an interval, or says why not.
"""

from __future__ import annotations

import numpy as np

from scoring.stats.agreement import ANONYMOUS
from scoring.stats.annotators_alone import (
    Controls,
    Pace,
    Repeats,
    consistency,
    controls_column,
    pace_columns,
    straight,
)
from scoring.stats.annotators_column import Column
from scoring.stats.annotators_rest import Rest, agreement, correlation, spread, trend
from scoring.stats.annotators_severity import severity_column
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import FloatArray, IntArray, RatingTable

OF_RATINGS = (
    "severity", "spread", "agreement", "within_one", "correlation", "trend", "equal_neighbours",
    "longest_run",
)  # fmt: skip
OF_REPEATS = ("repeat_exact", "repeat_within", "repeat_correlation", "repeat_change")
OF_PACE = ("seconds", "too_fast")
Statistics = dict[str, list[Estimate]]
NOBODY = np.zeros(0, dtype=np.int64)
NOTHING = np.zeros(0)


def annotator_statistics(
    table: RatingTable,
    *,
    clusters: IntArray | None = None,
    order: FloatArray | None = None,
    point: float = 1.0,
    repeats: Repeats | None = None,
    controls: Controls | None = None,
) -> Statistics:
    """OF_RATINGS, OF_REPEATS and `controls`, each with one estimate per annotator code.

    clusters   (n_units,) codes of what may be dependent, such as the item; default the units
    order      (ratings,) when each rating of the table was given; NaN where that is not known
    point      what counts as one point of the scale
    A level that is no number (nominal scale) has no severity, spread, correlation or trend: take
    what has a meaning. Anonymous voices have no statistic at all.
    """
    size = table.n_annotators
    if table.anonymous:
        names = (*OF_RATINGS, *OF_REPEATS, "controls")
        return {name: [undefined(ANONYMOUS)] * size for name in names}
    rest = Rest.of(table, clusters, point)
    exact, near = agreement(rest)
    neighbours, longest = straight(table, order, clusters)
    again = Repeats(NOBODY, NOBODY, NOTHING, NOTHING) if repeats is None else repeats
    columns = {
        "severity": severity_column(table, clusters),
        "spread": spread(rest),
        "agreement": exact,
        "within_one": near,
        "correlation": correlation(rest),
        "trend": trend(rest, order, table),
        "equal_neighbours": neighbours,
        "longest_run": longest,
        **consistency(again, size, point),
        "controls": controls_column(controls or Controls(NOBODY, NOTHING), size),
    }
    return _estimates(columns)


def pace_statistics(pace: Pace, n_annotators: int, *, anonymous: bool = False) -> Statistics:
    """OF_PACE, each with one estimate per annotator code."""
    if anonymous:
        return {name: [undefined(ANONYMOUS)] * n_annotators for name in OF_PACE}
    return _estimates(pace_columns(pace, n_annotators))


def _estimates(columns: dict[str, Column]) -> Statistics:
    return {name: column.estimates() for name, column in columns.items()}
