"""Simulated ratings and helpers shared by several tests."""

import numpy as np

from scoring.stats import RatingTable


def simulated(seed=3, units=120, annotators=6, each=3, of_item=0.0):
    """Integers from 1 to 5 by `each` of the annotators, four units per item; `of_item` is the
    standard deviation of the annotator-by-item effect."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(units), each)
    who = np.concatenate([rng.choice(annotators, each, replace=False) for _ in range(units)])
    quality, effect = rng.normal(3, 1, units), np.linspace(-0.6, 0.6, annotators)
    opinion = rng.normal(0, of_item, (annotators, units))
    value = quality[unit] + effect[who] + opinion[who, unit // 4] + rng.normal(0, 0.6, unit.size)
    return RatingTable(unit, who, np.clip(value.round(), 1, 5), units, annotators)


def items(table):
    return np.arange(table.n_units) // 4


def others(table, row):
    same = table.unit == table.unit[row]
    same[row] = False
    return table.value[same]


def own_rows(table, who):
    return [
        row for row in np.flatnonzero(table.annotator == who) if others(table, int(row)).size > 0
    ]


def interval(estimate):
    return [estimate.ci_low, estimate.ci_high]


def width(estimate):
    low, high = interval(estimate)
    return high - low


NA = float("nan")
