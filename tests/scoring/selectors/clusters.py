"""Columns whose clusters were drawn."""

import re


def drawn(report):
    """What the intervals of a report are about, beside the voices: "items", "units"."""
    return set(re.findall(r"new (units|clusters|items|phrases)", str(report)))
