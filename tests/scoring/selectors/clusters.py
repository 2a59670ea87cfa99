"""Columns whose clusters were drawn."""

from __future__ import annotations

import re
from typing import Any


def drawn(report: Any) -> set[str]:
    """What the intervals of a report are about, beside the voices: "items", "units"."""
    return set(re.findall(r"new (units|clusters|items|phrases)", str(report)))
