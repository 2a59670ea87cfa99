"""All statistics of the annotators of a scale.

Severity, spread, agreement and correlation with the rest, trend and straight-lining; from further
records consistency on repeats, controls and pace. Each has an interval or the reason for none.
"""

from __future__ import annotations

import numpy as np

from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.annotators.against_others import Rest, agreement, correlation, spread, trend
from scoring.stats.annotators.catalogue import CATALOGUE, keys_of
from scoring.stats.annotators.column import AnnotatorColumn
from scoring.stats.annotators.own_judgments import (
    Controls,
    Pace,
    Repeats,
    consistency,
    controls_column,
    pace_columns,
    straight,
)
from scoring.stats.annotators.severity import severity_column
from scoring.stats.estimate import OUT_OF_RANGE, Estimate, undefined
from scoring.stats.table import FloatArray, IntArray, RatingTable, out_of_range

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
    """Return all statistics of the catalogue except pace, each with one Estimate per annotator.

    clusters   (n_units,) codes of dependent units, such as the item; default: independent units
    order      (n_ratings,) time of each rating of the table; NaN if unknown
    point      size of one point of the scale
    On a nominal scale ignore severity, spread, correlation and trend. All statistics are undefined
    for anonymous annotators, and for values out of range.
    """
    size = table.n_annotators
    if table.anonymous or out_of_range(table.value):
        why = ANONYMOUS if table.anonymous else OUT_OF_RANGE
        names = [one.key for one in CATALOGUE if one.source != "pace"]
        return {name: [undefined(why)] * size for name in names}
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
    """Return the statistics of pace, each with one Estimate per annotator code."""
    if anonymous:
        return {name: [undefined(ANONYMOUS)] * n_annotators for name in keys_of("pace")}
    return _estimates(pace_columns(pace, n_annotators))


def _estimates(columns: dict[str, AnnotatorColumn]) -> Statistics:
    return {name: column.estimates() for name, column in columns.items()}
