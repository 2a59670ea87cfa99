"""Decimal options of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from paraanno.plain.sentence import say
from scoring.metrics.base import Option


@dataclass(frozen=True, slots=True)
class DecimalOption(Option):
    """A number from `low` to `high`, inclusive."""

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
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; use a number from %(low)s to "
                    "%(high)s.",
                    metric=metric,
                    option=self.name,
                    value=given,
                    low=f"{self.low:g}",
                    high=f"{self.high:g}",
                )
            )
        return f"{number:.12g}"
