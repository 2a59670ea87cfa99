"""One statistic of every annotator as arrays, and as the estimates that leave the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.stats.annotators_errors import TOO_FEW, Groups
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Column:
    """A statistic of A annotators; NaN where it is undefined.

    value, low, high   (A,); without an interval `no_interval` says why
    n                  (A,) what entered
    why                (A,) the reason where it is undefined, or ""
    details            name -> (A,) values; NaN becomes None
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    n: IntArray
    why: Sequence[str]
    method: str
    generalises_to: str
    no_interval: Sequence[str]
    details: Mapping[str, Any] = field(default_factory=dict)

    def estimates(self) -> list[Estimate]:
        """One estimate for each annotator."""
        return [self._estimate(code) for code in range(self.value.size)]

    def _estimate(self, code: int) -> Estimate:
        details = {name: _plain(values[code]) for name, values in self.details.items()}
        n = int(self.n[code])
        if self.why[code]:
            none = dict.fromkeys(details)
            return undefined(self.why[code], n=n, method=self.method, details=none)
        low, high = float(self.low[code]), float(self.high[code])
        known = bool(np.isfinite(low) and np.isfinite(high))
        return Estimate(
            float(self.value[code]),
            low if known else None,
            high if known else None,
            self.generalises_to if known else None,
            n,
            self.method,
            {} if known else {"no_interval": self.no_interval[code] or TOO_FEW},
            details=details,
        )


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return value
    return float(value) if np.isfinite(value) else None


def reasons(size: int, *cases: tuple[BoolArray, str]) -> list[str]:
    """For each of `size` annotators the text of the first case that holds, or ""."""
    found = [""] * size
    for holds, text in reversed(cases):
        for code in np.flatnonzero(holds):
            found[code] = text
    return found


def around(
    groups: Groups, value: FloatArray, influence: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """value -/+ Student's t times the standard error with clusters."""
    half = groups.critical * groups.error(influence)
    return value - half, value + half
