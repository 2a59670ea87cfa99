"""Kinds of options beside choices, whole numbers and files."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from scoring.metrics.base import Option


@dataclass(frozen=True, slots=True)
class DecimalOption(Option):
    """A number from `low` to `high`, both allowed."""

    low: float = 0.0
    high: float = 1.0

    def read(self, metric: str, given: object) -> str:
        """The shortest text of the number; ValueError for anything else."""
        try:
            number = float(str(given))
        except ValueError:
            number = float("nan")
        if not (isfinite(number) and self.low <= number <= self.high):
            raise ValueError(
                f"{metric}: {self.name}={given} is not allowed; "
                f"use a number from {self.low:g} to {self.high:g}."
            )
        return f"{number:.12g}"
