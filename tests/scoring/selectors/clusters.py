"""What intervals are about, and how many clusters are behind them."""

import re

from scoring.stats.intervals import clusters_behind


def drawn(report):
    """What the intervals of a report are about, beside the voices: "items", "units"."""
    return set(re.findall(r"new (units|clusters|items|phrases)", str(report)))


def behind(report):
    """How many clusters are behind the intervals of a report: its names alone may be wrong."""
    return set(clusters_behind(report))
